"""Arrays kept in a folder of files, for what takes longer to make than to read."""

import os
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rag_variants.errors import StateError

ROOM = 500_000_000  # bytes of all files together


class CachedArrays:
    """Named arrays by key, one file a key: written whole, shared by processes, read without running anything.

    Nothing is lost with a file: what is missing, damaged or cannot be written is made again by whoever needs it. Beyond
    `room` bytes the least recently used files go. `prepare` is called before the folder is made.
    """

    def __init__(self, folder: Path, prepare: Callable[[], Path], room: int = ROOM) -> None:
        self._folder = folder
        self._prepare = prepare
        self._room = room

    def read(self, key: str) -> Mapping[str, NDArray[Any]] | None:
        """The arrays of a key, or None if there is no whole file of it."""
        path = self._path(key)
        try:
            with zipfile.ZipFile(path) as archive:
                if archive.testzip() is not None:  # before a damaged header asks for a petabyte
                    return None
            with np.load(path, allow_pickle=False) as kept:
                arrays = {name: kept[name] for name in kept.files}
            os.utime(path)
        except (OSError, ValueError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error):
            return None
        return arrays

    def write(self, key: str, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Keeps the arrays of a key, if they can be kept: a full disk is no reason to stop a search."""
        if sum(array.nbytes for array in arrays.values()) > self._room:
            return
        try:
            self._prepare()
            self._folder.mkdir(exist_ok=True)
            self._write_whole(self._path(key), arrays)
            self._drop_least_used()
        except (OSError, StateError):
            return

    def _path(self, key: str) -> Path:
        return self._folder / f"{key}.npz"

    def _write_whole(self, path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
        # A name of its own: another process may be writing the same arrays at this moment.
        with tempfile.NamedTemporaryFile(dir=self._folder, suffix=".part", delete=False) as draft:
            try:
                np.savez(draft, allow_pickle=False, **arrays)
                draft.close()
                os.replace(draft.name, path)
            except BaseException:
                draft.close()
                Path(draft.name).unlink(missing_ok=True)
                raise

    def _drop_least_used(self) -> None:
        """Drafts that a crash left behind are files like the others, and go when their turn comes."""
        files = [(stat.st_mtime_ns, stat.st_size, path) for path in self._folder.iterdir() for stat in [path.stat()]]
        taken = sum(size for _, size, _ in files)
        for _, size, path in sorted(files):
            if taken <= self._room:
                return
            path.unlink(missing_ok=True)
            taken -= size
