"""A folder → a knowledge base."""

import os
import posixpath
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from rag_variants.corpus.decoding import clean
from rag_variants.corpus.fences import find_fences
from rag_variants.corpus.knowledge import KnowledgeBase, Skipped
from rag_variants.corpus.loaders import LOADERS, Loaded, Loader
from rag_variants.errors import KnowledgeError
from rag_variants.text.as_read import as_read, has_words
from rag_variants.text.language import as_language, detect_language
from rag_variants.types import Document

_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(?P<title>[^\n]*)$", re.MULTILINE)
_DETECTED_FROM = 5_000  # characters that tell the language
_REASONS_SHOWN = 5


class _File(NamedTuple):
    path: str
    document: Document | None
    skipped: tuple[Skipped, ...] = ()
    notes: tuple[str, ...] = ()


def load_knowledge(folder: Path, name: str | None = None) -> KnowledgeBase:
    """The documents below a folder, in the order of their paths, with what was left out and why.

    One bad file takes no other down. Raises KnowledgeError if the folder cannot be read or nothing in it can.
    """
    folder = Path(folder)
    _check(folder)
    files = sorted(_files(folder), key=lambda file: file.path)
    files = _without_twins(files)
    documents = tuple(file.document for file in files if file.document)
    skipped = [entry for file in files for entry in file.skipped]
    if not documents:
        raise KnowledgeError(_nothing_read(folder, skipped))
    documents, unknown = _with_known_paths(documents)
    notes = tuple(f"{file.path}: {note}" for file in files for note in file.notes)
    return KnowledgeBase(name or folder.resolve().name or str(folder), documents, (*skipped, *unknown), notes)


def _without_twins(files: list[_File]) -> list[_File]:
    """The files, of those whose names differ only in how accents are composed the first alone."""
    kept: dict[str, _File] = {}
    twins = []
    for file in files:
        if file.document and file.path in kept:
            twins.append(
                _left_out(file.path, "another file has this name, with its accents composed otherwise; rename it")
            )
        else:
            kept[file.path] = file
    return [*kept.values(), *twins]


def _check(folder: Path) -> None:
    try:
        if not folder.exists():
            raise KnowledgeError(
                f"There is no folder {folder}. Name an existing folder of {' and '.join(LOADERS.endings)} files."
            )
        if not folder.is_dir():
            raise KnowledgeError(f"{folder} is a file, not a folder. Name the folder that it is in.")
        os.scandir(folder).close()
    except PermissionError as error:
        raise KnowledgeError(f"The folder {folder} may not be read. Allow reading it, or name another.") from error
    except (OSError, ValueError) as error:
        raise KnowledgeError(f"The folder {str(folder)!r} cannot be read ({error}). Name another.") from error


def _nothing_read(folder: Path, skipped: list[Skipped]) -> str:
    remedy = f"Put {' or '.join(LOADERS.endings)} files with text into it, or name another folder."
    if not skipped:
        return f"The folder {folder} holds no files. {remedy}"
    reasons = "; ".join(f"{entry.name}: {entry.reason}" for entry in skipped[:_REASONS_SHOWN])
    more = f"; and {len(skipped) - _REASONS_SHOWN} more" if len(skipped) > _REASONS_SHOWN else ""
    return f"Nothing in the folder {folder} could be read ({reasons}{more}). {remedy}"


def _files(folder: Path) -> Iterator[_File]:
    """Every file below the folder, read or with the reason why not. Hidden ones are no part of it."""
    unreadable: list[OSError] = []
    for place, folders, names in os.walk(folder, onerror=unreadable.append):
        folders[:] = [each for each in folders if not each.startswith(".")]
        linked = [each for each in folders if Path(place, each).is_symlink()]
        for each in sorted([*linked, *(each for each in names if not each.startswith("."))]):
            whole = Path(place, each)
            path = as_read(whole.relative_to(folder).as_posix())
            try:
                yield _read(folder, whole, path)
            except PermissionError:
                yield _left_out(path, "it may not be read; allow reading it")
            except (OSError, RuntimeError) as error:
                yield _left_out(path, f"it cannot be read ({error})")
    for failure in unreadable:
        path = Path(failure.filename).relative_to(folder).as_posix()
        yield _left_out(path, "the folder may not be read; allow reading it")


def _left_out(path: str, reason: str) -> _File:
    return _File(path, None, (Skipped(_printable(path), reason),))


def _printable(path: str) -> str:
    return path.encode("utf-8", "replace").decode("utf-8")


def _read(folder: Path, whole: Path, path: str) -> _File:
    if whole.is_symlink():
        if not whole.exists():
            return _left_out(path, "a link that leads nowhere; remove it")
        if not whole.resolve().is_relative_to(folder.resolve()):
            return _left_out(path, "a link that leads outside the folder; copy the file into it")
        if whole.is_dir():
            return _left_out(path, "a link to a folder that is read where it is")
    if path != _printable(path):
        return _left_out(path, "its name is not UTF-8; rename it")
    loader = LOADERS.of(whole.suffix)
    if loader is None:
        remedy = f"save it as {' or '.join(LOADERS.endings)}"
        return _left_out(path, f"files {whole.suffix or 'without an ending'} are not read; {remedy}")
    if not whole.is_file():
        return _left_out(path, "not a regular file; remove it")
    return _load(loader, path, whole.read_bytes())


def _load(loader: Loader, path: str, data: bytes) -> _File:
    try:
        loaded = loader.read(data, path)
        if not isinstance(loaded, Loaded):
            raise TypeError(f"it gave {str(loaded)[:60]!r}, which is nothing loaded")
        return _document(path, loaded)
    except ValueError as error:
        return _left_out(path, str(error) or "it cannot be read")
    except Exception as error:  # a loader may come from any package
        return _left_out(path, f"it cannot be read as {loader.name} ({type(error).__name__}: {error})")


def _document(path: str, loaded: Loaded) -> _File:
    said, text = loaded.said, as_read(clean(loaded.text).replace("\r\n", "\n").replace("\r", "\n"))
    if not has_words(text):
        return _left_out(path, "no text" if not text.strip() else "no letter or digit in it; write text into it")
    notes = [*loaded.notes, *said.notes]
    language = as_language(said.language) or detect_language(text[:_DETECTED_FROM])
    if said.language and as_language(said.language) is None:
        notes.append(f"language {said.language!r} is not one of en, pl, zh; read as {language}")
    document = Document(
        path=path,
        text=text,
        title=said.title or _first_heading(text) or posixpath.splitext(posixpath.basename(path))[0],
        language=language,
        version=said.version,
        valid_from=said.valid_from,
        valid_until=said.valid_until,
        supersedes=said.supersedes,
    )
    return _File(path, document, (), tuple(notes))


def _first_heading(text: str) -> str | None:
    fences = find_fences(text)
    headings = (
        match for match in _HEADING.finditer(text) if not any(start <= match.start() < end for start, end in fences)
    )
    found = (_without_closing_marks(match["title"].strip()) for match in headings)
    return next((title for title in found if title), None)


def _without_closing_marks(title: str) -> str:
    rest = title.rstrip("#")
    return title if rest and not rest[-1].isspace() else rest.strip()


def _with_known_paths(documents: tuple[Document, ...]) -> tuple[tuple[Document, ...], list[Skipped]]:
    """The documents with `supersedes` as paths of the base; paths may also be given from the document's own folder."""
    known = {document.path for document in documents}
    unknown: list[Skipped] = []
    mended = []
    for document in documents:
        found = []
        for given in document.supersedes:
            beside = posixpath.normpath(posixpath.join(posixpath.dirname(document.path), given))
            path = next((each for each in (posixpath.normpath(given), beside) if each in known), given)
            if path == document.path:
                unknown.append(Skipped(document.path, "supersedes itself; name the older document"))
                continue
            if path not in known:
                unknown.append(Skipped(document.path, f"supersedes {given[:120]!r}, which is not in the folder"))
            found.append(path)
        mended.append(replace(document, supersedes=tuple(found)))
    return tuple(mended), unknown
