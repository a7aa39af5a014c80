"""Separated text → rows. Every value stays the text that was typed."""

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from rag_variants.corpus.knowledge import Skipped
from rag_variants.questions.columns import meaning
from rag_variants.questions.table import Table, TableRow

_SEPARATORS = {",": "','", ";": "';'", "\t": "tab", "|": "'|'"}
_NO_SEPARATOR = "\x1f"
_ROWS_TRIED = 50
_LARGEST_CELL = 10_000_000
_EXCEL_SEPARATOR = re.compile(r"sep=(?P<separator>[,;\t|])\n", re.IGNORECASE)


@dataclass(slots=True)
class _Records:
    header: tuple[str, ...]
    lines: list[tuple[int, list[str] | str]] = field(default_factory=list)


def read_separated(text: str, prefer: str = ",") -> Table:
    """The rows of a CSV or TSV text below its header; the separator is guessed among , ; tab and |."""
    csv.field_size_limit(_LARGEST_CELL)
    said = _EXCEL_SEPARATOR.match(text)
    lines = _lines(text)
    first = 1 if said else 0
    separator = said["separator"] if said else _guess(lines, prefer)
    records = _read(lines, separator, first)
    notes = [f"columns are separated by {_SEPARATORS[separator]} (guessed)"] if separator in _SEPARATORS else []
    notes += [f"column {name!r} is there twice; the first is read" for name in _repeated(records.header)]
    rows, skipped = [], []
    for number, (line, cells) in enumerate(records.lines, 1):
        values = cells if isinstance(cells, str) else _values(records.header, cells, separator)
        if isinstance(values, str):
            skipped.append(Skipped(f"line {line}", values))
        else:
            rows.append(TableRow(f"line {line}", number, values))
    columns = tuple(dict.fromkeys(name for name in records.header if name))
    return Table(columns, tuple(rows), tuple(skipped), tuple(notes))


def _lines(text: str) -> list[str]:
    """Lines as `\\n` ends them; splitlines would also break at characters that stand inside cells."""
    lines = text.split("\n")
    return [line + "\n" for line in lines[:-1]] + lines[-1:]


def _guess(lines: Sequence[str], prefer: str) -> str:
    """The separator that makes the most of the header known and the rows alike."""

    def worth(separator: str) -> tuple[int, float, int, bool]:
        records = _read(lines, separator, 0, _ROWS_TRIED)
        known = sum(meaning(name) is not None for name in records.header)
        alike = sum(len(cells) == len(records.header) for _, cells in records.lines) / max(1, len(records.lines))
        return known, alike, len(records.header), separator == prefer

    several = [each for each in _SEPARATORS if len(_read(lines, each, 0, 0).header) > 1]
    return max(several, key=worth, default=_NO_SEPARATOR)


def _read(lines: Sequence[str], separator: str, first: int, limit: int | None = None) -> _Records:
    records = _Records(())
    for line, cells in _records(lines, separator, first):
        if not isinstance(cells, str) and not any(cell.strip() for cell in cells):
            continue
        if not records.header:
            records.header = (cells,) if isinstance(cells, str) else tuple(cell.strip() for cell in cells)
        elif limit is not None and len(records.lines) >= limit:
            break
        else:
            records.lines.append((line, cells))
    return records


def _records(lines: Sequence[str], separator: str, first: int) -> Iterator[tuple[int, list[str] | str]]:
    """Line number and cells of each record, or the reason why it has none; reading goes on in the line after it."""
    begun = first
    while begun < len(lines):
        again = begun
        reader = csv.reader(
            (lines[at] for at in range(again, len(lines))), delimiter=separator, strict=True, skipinitialspace=True
        )
        try:
            for cells in reader:
                yield begun + 1, cells
                begun = again + reader.line_num
        except csv.Error as error:
            yield begun + 1, f'its quotes do not match ({error}); close each " and double those inside a cell'
            begun += 1


def _values(header: Sequence[str], cells: Sequence[str], separator: str) -> dict[str, Any] | str:
    if any(cell.strip() for cell in cells[len(header) :]):
        mark = _SEPARATORS.get(separator, "the separator")
        return f"it has {len(cells)} cells, the header {len(header)}; put text that holds {mark} in double quotes"
    values: dict[str, Any] = {}
    for name, cell in zip(header, cells, strict=False):
        if name:
            values.setdefault(name, cell if cell.strip() else None)
    return values


def _repeated(header: Sequence[str]) -> list[str]:
    return sorted({name for name in header if name and header.count(name) > 1})
