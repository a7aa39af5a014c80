"""A table as a value, and how a terminal, Markdown and spreadsheets draw it. Pages draw the same value."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Literal

from rag_variants.report.markdown import shown_in_cell

if TYPE_CHECKING:
    import rich.table

Look = Literal["", "better", "worse", "strong", "faint", "lost", "met", "not met", "undecided"]
_STYLES: Mapping[Look, str] = {
    "better": "bold green", "worse": "bold red", "strong": "bold", "faint": "dim", "lost": "bold red",
    "met": "green", "not met": "bold red", "undecided": "yellow",
}  # fmt: skip
_LEAST_ROOM = 12  # columns that a word or number gets before it is broken, where a terminal has them
# A spreadsheet takes a cell that begins with one of these for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


@dataclass(frozen=True, slots=True)
class Column:
    """`number`: its cells stand right. `whole`: no line break in them, where a terminal has the room."""

    heading: str
    number: bool = False
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """A text as it is shown, whoever wrote it; `note` is said after it."""

    text: str
    look: Look = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a table; lines of one group follow one another."""

    cells: tuple[Cell, ...]
    group: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Columns and lines, each with a cell per column."""

    columns: tuple[Column, ...]
    lines: tuple[Line, ...]

    @property
    def grouped(self) -> bool:
        """Whether lines stand in groups."""
        return any(line.group for line in self.lines)


def make_line(cells: Iterable[Cell | str], group: str = "") -> Line:
    """A line of texts, some of them with a look."""
    return Line(tuple(Cell(each) if isinstance(each, str) else each for each in cells), group)


def make_table(columns: Iterable[Column | str], rows: Iterable[Iterable[Cell | str]]) -> Table:
    """A table without groups; a column that is a text has words in it."""
    named = tuple(Column(each) if isinstance(each, str) else each for each in columns)
    return Table(named, tuple(map(make_line, rows)))


def verdict_cell(words: str) -> Cell:
    """A verdict: better and worse are seen from afar."""
    first = words.split(" ")[0]
    return Cell(words, "better" if first == "better" else "worse" if first == "worse" else "")


def terminal_table(table: Table) -> "rich.table.Table":
    """For a terminal. A group is a line of its own; no text is taken for rich's markup."""
    from rich.cells import cell_len
    from rich.table import Table as Drawn
    from rich.text import Text

    drawn = Drawn(box=None, header_style="bold", padding=(0, 2, 0, 0))
    for at, column in enumerate(table.columns):
        pieces = [piece for line in table.lines for piece in line.cells[at].text.split()]
        widest = max(map(cell_len, pieces), default=0)
        drawn.add_column(
            Text(column.heading),
            justify="right" if column.number else "left",
            no_wrap=column.whole,
            overflow="ellipsis" if column.whole or column.number else "fold",  # a digit must not go unseen
            min_width=None if column.whole and not column.number else min(widest, _LEAST_ROOM),
        )
    for group, lines in groupby(table.lines, key=lambda line: line.group):
        if group:
            drawn.add_row(Text(group, style="dim"))
        for line in lines:
            first, *others = (
                Text(f"{cell.text}  {cell.note}".rstrip(), style=_STYLES.get(cell.look, "")) for cell in line.cells
            )
            drawn.add_row(Text("  ") + first if group else first, *others)
    return drawn


def markdown_table(table: Table) -> list[str]:
    """The lines of a Markdown table; a group is a cell of its own. What Markdown would act on is escaped."""
    heads = [shown_in_cell(column.heading) for column in table.columns]
    rules = ["---:" if column.number else "---" for column in table.columns]
    rows = [[_markdown_cell(cell) for cell in line.cells] for line in table.lines]
    if table.grouped:
        heads, rules = ["", *heads], ["---", *rules]
        rows = [[shown_in_cell(line.group), *row] for line, row in zip(table.lines, rows, strict=True)]
    return [_markdown_row(heads), f"|{'|'.join(rules)}|", *map(_markdown_row, rows)]


def _markdown_row(cells: Sequence[str]) -> str:
    return f"|{'|'.join(f' {cell} ' if cell else ' ' for cell in cells)}|"


def _markdown_cell(cell: Cell) -> str:
    text = shown_in_cell(cell.text)
    strong = f"**{text}**" if cell.look == "strong" and text else text
    return f"{strong} **{shown_in_cell(cell.note)}**" if cell.note else strong


def csv_text(header: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """A CSV file whose cells no spreadsheet takes for formulas; the mark in front tells one that it is UTF-8."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow(header)
    writer.writerows([_csv_cell(cell) for cell in line] for line in lines)
    return f"\ufeff{buffer.getvalue()}"


def _csv_cell(cell: str) -> str:
    """A cell that no spreadsheet runs: numbers as they are, a text that looks like a formula with a quote before."""
    try:
        float(cell)
    except ValueError:
        return "'" + cell if cell.startswith(_FORMULA) else cell
    return cell
