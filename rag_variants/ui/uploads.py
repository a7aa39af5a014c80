"""Files that a visitor sends: kept in the state folder under a name made from their content."""

import hashlib
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Protocol

from rag_variants.errors import StateError
from rag_variants.settings import Settings


class Uploaded(Protocol):
    """A file that was sent: its name and bytes."""

    @property
    def name(self) -> str:
        """The name that the sender gave."""

    def getvalue(self) -> bytes:
        """The content."""


def save_uploads(files: Sequence[Uploaded]) -> Path:
    """The folder that holds exactly these files; the same files give the same folder. Raises StateError."""
    named = sorted((safe_name(file.name), file.getvalue()) for file in files)
    digest = hashlib.sha256()
    for name, content in named:
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    folder = Settings().state_folder() / "uploads" / digest.hexdigest()[:16]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in named:
            (folder / name).write_bytes(content)
    except OSError as error:
        raise StateError(
            f"The files sent cannot be kept in {folder} ({error.strerror}). Free some space, or set RAG_VARIANTS_HOME."
        ) from error
    return folder


def is_upload(path: str) -> bool:
    """Whether a path is a folder that `keep_uploads` made."""
    return Path(path).parent == Settings().home / "uploads"


def safe_name(name: str) -> str:
    """The last part of a name, without what would leave the folder or hide the file."""
    last = PurePosixPath(name.replace("\\", "/")).name
    return "".join(each for each in last if each.isprintable()).lstrip(".") or "file"
