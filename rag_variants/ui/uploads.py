"""Files that a visitor sends: kept in the state folder, apart by their content."""

import hashlib
import unicodedata
from collections import Counter
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Protocol

from rag_variants.errors import StateError, UserError
from rag_variants.settings import Settings

_NAMED = 2  # files that a folder is called by
_LONGEST = 30  # characters of each; two of three bytes a character stay below the 255 that a folder's name may have


class Uploaded(Protocol):
    """A file that was sent: its name and bytes."""

    @property
    def name(self) -> str:
        """The name that the sender gave."""

    def getvalue(self) -> bytes:
        """The content."""


def save_uploads(files: Sequence[Uploaded]) -> Path:
    """The folder that holds exactly these files, in the folders they were sent with; the same files give the same one.

    It is called by what was sent. Raises StateError if it cannot be kept, UserError if two files have one name.
    """
    named = sorted((safe_path(file.name), file.getvalue()) for file in files)
    names = [name for name, _ in named]
    _refuse_equal_names(names)
    top = _one_folder(names)
    named = [(name.removeprefix(f"{top}/"), content) for name, content in named] if top else named
    digest = hashlib.sha256()
    for name, content in named:
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    folder = Settings().state_folder() / "uploads" / digest.hexdigest()[:16] / _cut(top or _title(names))
    try:
        for name, content in named:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
    except OSError as error:
        raise StateError(
            f"The files sent cannot be kept in {folder} ({error.strerror}). Free some space, or set RAG_VARIANTS_HOME."
        ) from error
    return folder


def is_upload(path: str) -> bool:
    """Whether a path is a folder that `save_uploads` made."""
    uploads = Settings().home / "uploads"
    return uploads in (Path(path).parent, Path(path).parent.parent)


def safe_name(name: str) -> str:
    """The last part of a name, without what would leave the folder or hide the file."""
    return PurePosixPath(safe_path(name)).name


def safe_path(name: str) -> str:
    """A name with the folders it was sent with; no part leaves the folder or hides the file."""
    parts = ["".join(each for each in part if each.isprintable()) for part in name.replace("\\", "/").split("/")]
    kept = [each for each in (part.strip().lstrip(".").replace(":", "_") for part in parts) if each]
    return "/".join(kept) or "file"


def _refuse_equal_names(names: Sequence[str]) -> None:
    """Names equal but for case or Unicode form are one file on many disks."""
    counts = Counter(unicodedata.normalize("NFC", name).casefold() for name in names)
    twice = [name for name in names if counts[unicodedata.normalize("NFC", name).casefold()] > 1]
    if twice:
        raise UserError(
            f"{len(twice)} files share a name, and none was kept: {', '.join(each[:60] for each in twice[:6])}. "
            "Send their folder, so that each keeps its path, or rename them."
        )


def _one_folder(names: Sequence[str]) -> str:
    """The folder that all were sent in, which evidence is written without; "" if there is none."""
    tops = {name.partition("/")[0] for name in names if "/" in name}
    return tops.pop() if len(tops) == 1 and all("/" in name for name in names) else ""


def _title(names: Sequence[str]) -> str:
    lasts = [_cut(PurePosixPath(name).name) for name in names]
    more = f" and {len(lasts) - _NAMED} more" if len(lasts) > _NAMED else ""
    return ", ".join(lasts[:_NAMED]) + more


def _cut(name: str) -> str:
    return name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"
