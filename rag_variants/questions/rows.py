"""A file → its rows, whatever its format."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rag_variants.corpus.knowledge import Skipped
from rag_variants.errors import QuestionsError
from rag_variants.questions.importers import IMPORTERS, Importer
from rag_variants.questions.table import Table
from rag_variants.text.as_read import as_read


def read_rows(path: Path) -> Table:
    """The rows of a JSONL, JSON, CSV or TSV file, or one of an installed package's formats, in order.

    Raises QuestionsError if there is none.
    """
    path = Path(path)
    importer, data = _open(path)
    try:
        table = importer.read(data, path)
        if not isinstance(table, Table):
            raise TypeError(f"it gave {str(table)[:60]!r}, which is no Table")
    except QuestionsError:
        raise
    except Exception as error:  # an importer may come from any package
        reason = str(error).rstrip(".") if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
        raise QuestionsError(
            f"{path} cannot be read as {importer.name}: {reason}. Mend it, or save it as .jsonl or .csv."
        ) from error
    if not table.rows:
        raise QuestionsError(nothing_read(path, table.skipped, table.columns))
    return _as_read(table)


def _as_read(table: Table) -> Table:
    rows = tuple(replace(row, values=_composed(row.values)) for row in table.rows)
    return replace(table, columns=tuple(map(as_read, table.columns)), rows=rows)


def _composed(value: Any) -> Any:
    """A value with every text in it, names of fields too, in one form; what is no plain text stays."""
    if type(value) is str:
        return as_read(value)
    if isinstance(value, list):
        return [_composed(each) for each in value]
    if isinstance(value, dict):
        return {as_read(key) if isinstance(key, str) else key: _composed(each) for key, each in value.items()}
    return value


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


def _open(path: Path) -> tuple[Importer, bytes]:
    """Who reads a file, and its bytes."""
    known = ", ".join(IMPORTERS.endings)
    importer = IMPORTERS.of(path.suffix)
    try:
        if path.is_dir():
            raise QuestionsError(f"{path} is a folder. Name a file in it: {known}.")
        if not path.exists():
            raise QuestionsError(f"There is no file {path}. Name an existing {known} file.")
        if importer is None:
            raise QuestionsError(f"{path} is not read. Save it as one of {known} (from Excel: CSV UTF-8).")
        if not path.is_file():
            raise QuestionsError(f"{path} is not a regular file. Name a {known} file.")
        return importer, path.read_bytes()
    except PermissionError as error:
        raise QuestionsError(f"{path} may not be read. Allow reading it, or name another file.") from error
    except (OSError, ValueError, RuntimeError) as error:
        raise QuestionsError(f"The file {str(path)!r} cannot be read ({error}). Name another file.") from error
