"""Text that holds objects, in one list or one a line → rows."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from rag_variants.corpus.knowledge import Skipped
from rag_variants.errors import QuestionsError
from rag_variants.questions.cells import parse_json
from rag_variants.questions.columns import meaning
from rag_variants.questions.importers.squad import NOTE, flatten_articles, is_article
from rag_variants.questions.table import Table, TableRow, named_places

_NOT_A_NUMBER = re.compile(r"[:\[,]\s*-?NaN\b")
_LIST_NAMES = ("questions", "data", "rows", "samples", "items", "examples")
Lines = list[tuple[int, str]]


def read_objects(text: str, path: Path, *, by_line: bool) -> Table:
    """The objects of a text, by what it is and not by its file's ending.

    Of a text that is neither, the lines that are no objects are left out one by one where it should be one a line
    (`by_line`). Raises QuestionsError for it elsewhere, and for JSON that holds no list of objects.
    """
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if len(lines) > 1 and not text.lstrip().startswith("[") and _is_object(lines[0][1]):
        return _read_lines(lines)
    try:
        value = parse_json(text)
    except ValueError as error:
        if by_line:
            return _read_lines(lines)
        raise QuestionsError(
            f"{path} cannot be read: {error}. Mend it, or write one object a line (.jsonl)."
        ) from error
    entries = _entries(value)
    if entries is not None and any(map(is_article, entries)):
        asked, lost = flatten_articles(entries)
        table = _table(asked, parse=False)
        return replace(table, skipped=(*lost, *table.skipped), notes=(NOTE, *table.notes))
    if entries is None:
        raise QuestionsError(f'{path} holds no list of objects. Write [{{"user_input": …}}, …].')
    place = "line" if len(lines) == 1 and isinstance(value, dict) else "entry"
    return _table([(f"{place} {number}", entry) for number, entry in enumerate(entries, 1)], parse=False)


def _read_lines(lines: Lines) -> Table:
    return _table([(f"line {number}", line) for number, line in lines], parse=True)


def _is_object(line: str) -> bool:
    try:
        return isinstance(parse_json(line), dict)
    except ValueError:
        return False


def _entries(value: Any) -> list[Any] | None:
    if isinstance(value, list):
        return value
    if not isinstance(value, dict):
        return None
    if any(meaning(name) == "user_input" for name in value):
        return [value]
    lists = [value[name] for name in _LIST_NAMES if isinstance(value.get(name), list)]
    return lists[0] if lists else [value]


def _table(entries: list[tuple[str, Any]], *, parse: bool) -> Table:
    rows, skipped = [], []
    columns: dict[str, None] = {}
    for number, (place, entry) in enumerate(entries, 1):
        try:
            value = parse_json(entry) if parse else entry
        except ValueError as error:
            skipped.append(Skipped(place, f"{error}; write one object a line"))
            continue
        if not isinstance(value, dict):
            skipped.append(Skipped(place, "it is not an object; write one in braces"))
            continue
        columns.update(dict.fromkeys(value))
        rows.append(TableRow(place, number, value))
    return Table(tuple(columns), tuple(rows), tuple(skipped), _not_numbers(entries) if parse else ())


def _not_numbers(entries: list[tuple[str, Any]]) -> tuple[str, ...]:
    """NaN, which JSON does not have and other programs write all the same, with the lines."""
    places = [place for place, line in entries if _NOT_A_NUMBER.search(line)]
    return (f"NaN is no value and counts as missing ({named_places(places)})",) if places else ()
