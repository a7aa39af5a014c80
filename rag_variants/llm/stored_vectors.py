"""Vectors in files: in one that comes with the product, and in a database of the state folder."""

import hashlib
import sqlite3
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rag_variants.llm.embedding import EmbeddingModel, Vectors
from rag_variants.llm.state_database import StateDatabase

Role = Literal["passage", "query"]
_TABLE = "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB) WITHOUT ROWID"


def content_key(model: EmbeddingModel, role: Role, text: str) -> bytes:
    """16 bytes that identify a vector by everything that decides it."""
    content = "\0".join((model.name, model.version, role, text)).encode("utf-8", "surrogatepass")
    return hashlib.sha256(content).digest()[:16]


def halve(rows: Vectors) -> NDArray[np.float16]:
    """Vectors as they are kept. Fresh ones pass through here too, so that kept and fresh ones are equal."""
    return rows.astype(np.float16)


def restore(rows: NDArray[np.float16]) -> Vectors:
    """Unit vectors from kept ones."""
    full = rows.astype(np.float32)
    return np.asarray(full / np.maximum(np.linalg.norm(full, axis=-1, keepdims=True), 1e-12), dtype=np.float32)


# A packed file holds two arrays for every number of dimensions, such as keys384 and vectors384.
_KEYS, _VECTORS = "keys", "vectors"


class PackedVectors:
    """Vectors in one read-only file that comes with the product."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @cached_property
    def _rows(self) -> dict[bytes, NDArray[np.float16]]:
        if not self._path.exists():
            return {}
        rows: dict[bytes, NDArray[np.float16]] = {}
        with np.load(self._path, allow_pickle=False) as packed:
            for name in packed.files:
                if name.startswith(_KEYS):
                    vectors = packed[_VECTORS + name.removeprefix(_KEYS)]
                    rows.update({key.tobytes(): row for key, row in zip(packed[name], vectors, strict=True)})
        return rows

    def read(self, keys: Sequence[bytes]) -> dict[bytes, NDArray[np.float16]]:
        """The vectors at hand among the keys."""
        return {key: self._rows[key] for key in keys if key in self._rows}

    @staticmethod
    def write(path: Path, rows: dict[bytes, NDArray[np.float16]]) -> None:
        """One file of all rows, the same bytes for the same rows; models of unlike dimensions stand side by side."""
        arrays: dict[str, NDArray[Any]] = {}
        for size in sorted({len(row) for row in rows.values()}):
            keys = sorted(key for key, row in rows.items() if len(row) == size)
            arrays[f"{_KEYS}{size}"] = np.frombuffer(b"".join(keys), dtype=np.uint8).reshape(len(keys), 16)
            arrays[f"{_VECTORS}{size}"] = np.stack([rows[key] for key in keys])
        with path.open("wb") as file:
            np.savez(file, allow_pickle=False, **arrays)


class StoredVectors:
    """Vectors in a database in the state folder, safe against crashes and shared by processes.

    `folder` is called when there is something to write, so that reading needs no folder at all. Every method raises
    StateError for a file that cannot be read or written.
    """

    def __init__(self, home: Path, folder: Callable[[], Path]) -> None:
        self._file = StateDatabase(home / "vectors.sqlite", folder, _TABLE, "it is made again")

    def read(self, keys: Sequence[bytes]) -> dict[bytes, NDArray[np.float16]]:
        """The vectors at hand among the keys."""
        return self._file.look(lambda database: _read(database, keys), {})

    def prepare(self) -> None:
        """Opens or makes the file, so that vectors that are asked for now are kept the moment they come."""
        self._file.open()

    def write(self, rows: dict[bytes, NDArray[np.float16]]) -> None:
        """Keeps rows for later runs."""
        values = [(key, vector.tobytes()) for key, vector in rows.items()]
        self._file.do(lambda database: _write(database, values))


def _read(database: sqlite3.Connection, keys: Sequence[bytes]) -> dict[bytes, NDArray[np.float16]]:
    found: dict[bytes, NDArray[np.float16]] = {}
    for begin in range(0, len(keys), 500):
        some = keys[begin : begin + 500]
        rows = database.execute(f"SELECT key, vector FROM vectors WHERE key IN ({','.join('?' * len(some))})", some)
        found.update((key, np.frombuffer(vector, dtype=np.float16)) for key, vector in rows)
    return found


def _write(database: sqlite3.Connection, values: Sequence[tuple[bytes, bytes]]) -> None:
    with database:  # one transaction
        database.execute("BEGIN")
        database.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", values)
