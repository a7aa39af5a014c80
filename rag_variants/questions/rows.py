"""A file → its rows, whatever its format."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rag_variants.corpus.decoding import NotTextError, decode
from rag_variants.corpus.knowledge import Skipped
from rag_variants.errors import QuestionsError
from rag_variants.questions.cells import parse_json
from rag_variants.questions.columns import meaning
from rag_variants.questions.table import Row, Table, read_separated

_JSON = (".jsonl", ".ndjson", ".json")
_SEPARATED = {".csv": ",", ".tsv": "\t"}
READ = (*_JSON, *_SEPARATED)
_LIST_NAMES = ("questions", "data", "rows", "samples", "items", "examples")


def read_rows(path: Path) -> Table:
    """The rows of a JSONL, JSON, CSV or TSV file, in order. Raises QuestionsError if there is none."""
    path = Path(path)
    ending = path.suffix.lower()
    text, note = _text(path, ending)
    if not text.strip():
        raise QuestionsError(f"{path} is empty. Write one object a line into it, or name another file.")
    table = read_separated(text, _SEPARATED[ending]) if ending in _SEPARATED else _json(path, text)
    if not table.rows:
        raise QuestionsError(nothing_read(path, table.skipped, table.columns))
    return Table(table.columns, table.rows, table.skipped, (*note, *table.notes))


def nothing_read(path: Path, skipped: tuple[Skipped, ...], columns: tuple[str, ...] = ()) -> str:
    """A sentence that says why nothing in a file could be used."""
    if not skipped:
        found = f" (columns: {', '.join(name[:60] for name in columns)})" if columns else ""
        return f"{path} holds no rows{found}. Write one a line below the header."
    return f"Nothing in {path} could be used. {first_reasons(skipped)} Mend these lines."


def first_reasons(skipped: Sequence[Skipped]) -> str:
    """The first five of the rows left out with their reasons, and how many more there are."""
    reasons = " · ".join(f"{each.name}: {each.reason.rstrip('.')}" for each in skipped[:5])
    return f"{reasons}{f' · and {len(skipped) - 5} more' if len(skipped) > 5 else ''}."


def _text(path: Path, ending: str) -> tuple[str, tuple[str, ...]]:
    """The text of a file, and a note if its encoding was guessed."""
    try:
        if path.is_dir():
            raise QuestionsError(f"{path} is a folder. Name a file in it: {', '.join(READ)}.")
        if not path.exists():
            raise QuestionsError(f"There is no file {path}. Name an existing {', '.join(READ)} file.")
        if ending not in READ:
            raise QuestionsError(f"{path} is not read. Save it as one of {', '.join(READ)} (from Excel: CSV UTF-8).")
        if not path.is_file():
            raise QuestionsError(f"{path} is not a regular file. Name a {', '.join(READ)} file.")
        decoded = decode(path.read_bytes())
    except PermissionError as error:
        raise QuestionsError(f"{path} may not be read. Allow reading it, or name another file.") from error
    except NotTextError as error:
        raise QuestionsError(f"{path} cannot be read: {error}.") from error
    except (OSError, ValueError, RuntimeError) as error:
        raise QuestionsError(f"The file {str(path)!r} cannot be read ({error}). Name another file.") from error
    return decoded.text, (decoded.note,) if decoded.note else ()


def _json(path: Path, text: str) -> Table:
    """JSON or JSONL by what the text is, not by the file's ending."""
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if len(lines) > 1 and not text.lstrip().startswith("[") and _is_object(lines[0][1]):
        return _table([(f"line {number}", line) for number, line in lines], parse=True)
    try:
        value = parse_json(text)
    except ValueError as error:
        if path.suffix.lower() != ".json":
            return _table([(f"line {number}", line) for number, line in lines], parse=True)
        raise QuestionsError(
            f"{path} cannot be read: {error}. Mend it, or write one object a line (.jsonl)."
        ) from error
    entries = _entries(value)
    if entries is None:
        raise QuestionsError(f'{path} holds no list of objects. Write [{{"user_input": …}}, …].')
    place = "line" if len(lines) == 1 and isinstance(value, dict) else "entry"
    return _table([(f"{place} {number}", entry) for number, entry in enumerate(entries, 1)], parse=False)


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
        rows.append(Row(place, number, value))
    return Table(tuple(columns), tuple(rows), tuple(skipped))
