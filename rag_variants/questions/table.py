"""The rows of a file, whatever its format."""

from dataclasses import dataclass
from typing import Any

from rag_variants.corpus.knowledge import Skipped


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
