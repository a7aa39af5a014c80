"""Markdown tables: their rows under their headers, and a row as it is said: `Room: Loft; Fee: 900 EUR`."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

_RULE = re.compile(r"\s*\|?[\s:|-]*-[\s:|-]*\|?\s*")
_BORDER = re.compile(r"(?<!\\)\|")
# A cell said with its column's name; a name is short, and a dot in it ends an abbreviation (`Max. load`, `No.`).
_NAMED = re.compile(r"\s*((?:[^:;.!?。！？]|(?<!\w{5})\.){1,60}):\s+(\S.*)")
# The cell below an empty header, which many tables have above their first column.
_UNNAMED = re.compile(r"[^:;.!?。！？]{1,40}")


class Row(NamedTuple):
    """A row's cells below the cells of its header, and its line; `header` is empty where the text does not hold it."""

    header: tuple[str, ...]
    cells: tuple[str, ...]
    line: str


def is_row(line: str) -> bool:
    """Whether a line is a row of a Markdown table (or its header or rule)."""
    return line.lstrip().startswith("|")


def is_rule(line: str) -> bool:
    """Whether a line is the rule under a table's header: `|---|:-:|`."""
    return bool(_RULE.fullmatch(line))


def cells_of(line: str) -> tuple[str, ...]:
    r"""The cells of a row, without blank edges; `\|` is a stroke inside a cell."""
    bare = line.strip()
    bare = bare.removeprefix("|")
    if bare.endswith("|") and not bare.endswith("\\|"):
        bare = bare[:-1]
    return tuple(cell.strip().replace("\\|", "|") for cell in _BORDER.split(bare))


def say_row(header: Sequence[str], cells: Sequence[str]) -> str:
    """A row with its header cells: `Code: ERR-4031; Meaning: certificate expired`; empty cells are left out."""
    return "; ".join(f"{name}: {cell}" if name else cell for name, cell in zip(header, cells, strict=True) if cell)


@lru_cache(maxsize=2_048)
def read_rows(text: str) -> tuple[Row, ...]:
    """The rows of a text's tables, in order, without headers and rules; a blank line ends a table."""
    found: list[Row] = []
    header: tuple[str, ...] = ()
    lines = text.splitlines()
    for line, following in zip(lines, [*lines[1:], ""], strict=False):
        if not is_row(line):
            header = ()
        elif is_rule(following) and not is_rule(line):
            header = cells_of(line)
        elif not is_rule(line):
            cells = cells_of(line)
            found.append(Row(header if len(header) == len(cells) else (), cells, line.strip()))
    return tuple(found)


def read_headers(texts: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """The headers of all tables, also of those without a row, in order."""
    found = []
    for text in texts:
        lines = text.splitlines()
        for line, following in pairwise(lines):
            if is_row(line) and is_rule(following) and not is_rule(line):
                found.append(cells_of(line))
    return tuple(found)


def said_cells(text: str) -> tuple[tuple[str, str], ...]:
    """The named cells of a row as it is said, as (name, cell), the first perhaps without a name; empty for no such row.

    A cell may hold semicolons: what follows one without a name of its own belongs to the cell before.
    """
    found: list[tuple[str, str]] = []
    for piece in text.split("; ") if "; " in text or ": " in text else ():
        named = _NAMED.fullmatch(piece)
        if named:
            found.append((named[1].strip(), named[2].strip()))
        elif found:
            found[-1] = (found[-1][0], f"{found[-1][1]}; {piece.strip()}")
        elif _UNNAMED.fullmatch(piece):
            found.append(("", piece.strip()))
        else:
            return ()
    return tuple(found) if any(name for name, _ in found) else ()
