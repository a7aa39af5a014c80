"""The rows of a file, whatever its format."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rag_variants.corpus.knowledge import Skipped

MOST_PLACES = 5


def named_places(places: Sequence[str]) -> str:
    """The first five places and how many more there are: `line 3, line 8 and 2 more`."""
    more = f" and {len(places) - MOST_PLACES} more" if len(places) > MOST_PLACES else ""
    return ", ".join(places[:MOST_PLACES]) + more


@dataclass(frozen=True, slots=True)
class TableRow:
    """One entry of a file with its place, such as `line 12`, and its number among the entries, from 1."""

    place: str
    number: int
    values: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Table:
    """The entries of a file. `skipped` could not be read; `notes` say how the file was read."""

    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    skipped: tuple[Skipped, ...] = ()
    notes: tuple[str, ...] = ()
