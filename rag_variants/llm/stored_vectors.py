"""Vectors in files: in one that comes with the product, and in a database of the state folder."""

import hashlib
import sqlite3
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rag_variants.llm.embedding import EmbeddingModel, Vectors
from rag_variants.llm.specs import is_chat_spec
from rag_variants.llm.state_database import StateDatabase

Role = Literal["passage", "query"]
_TABLE = "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB, model TEXT) WITHOUT ROWID"
# Under which name each model answered that made the vectors.
_ANSWERING = "CREATE TABLE IF NOT EXISTS answering (model TEXT PRIMARY KEY, name TEXT NOT NULL)"
_COUNTS = "SELECT coalesce(model, ''), count(*) FROM vectors GROUP BY 1 ORDER BY 1"


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
        self._file = StateDatabase(home / "vectors.sqlite", folder, _TABLE, "it is made again", _upgrade)

    def read(self, keys: Sequence[bytes]) -> dict[bytes, NDArray[np.float16]]:
        """The vectors at hand among the keys."""
        return self._file.look(lambda database: _read(database, keys), {})

    def prepare(self) -> None:
        """Opens or makes the file, so that vectors that are asked for now are kept the moment they come."""
        self._file.open()

    def write(
        self, rows: dict[bytes, NDArray[np.float16]], model: str | None = None, answering: str | None = None
    ) -> None:
        """Keeps rows for later runs: those of a model (see `label_of`), which answered under a name."""
        values = [(key, vector.tobytes(), model) for key, vector in rows.items()]
        name = [(model, answering)] if model and answering else []
        self._file.do(lambda database: _write(database, values, name))

    def answering(self, model: str) -> str | None:
        """The name under which a model answered when it made the vectors that are kept; None if it is not known."""
        return self._file.look(lambda database: _answering(database, model), None)

    def counts(self) -> Mapping[str, int]:
        """How many vectors are kept, by model; under `""` those that an earlier version kept, of which nobody knows."""
        return self._file.look(lambda database: dict(database.execute(_COUNTS).fetchall()), {})

    def empty(self, models: Collection[str]) -> None:
        """Removes the vectors of models, and under which names these answered."""
        self._file.look(lambda database: _empty(database, models), None)


def label_of(model: EmbeddingModel) -> str:
    """How the vectors of a model are marked: its spec and its version, which is an endpoint's address."""
    return f"{model.name} {model.version}"


def of_endpoints(counts: Mapping[str, int]) -> Mapping[str, int]:
    """Of counts by model those that somebody else's computer made, and those of which it is not known."""
    return {label: count for label, count in counts.items() if not label or is_chat_spec(label.partition(" ")[0])}


def _upgrade(database: sqlite3.Connection) -> None:
    if all(column[1] != "model" for column in database.execute("PRAGMA table_info(vectors)").fetchall()):
        database.execute("ALTER TABLE vectors ADD COLUMN model TEXT")


def _knows_names(database: sqlite3.Connection) -> bool:
    """Whether a name was ever kept; the table is made with the first one."""
    return database.execute("SELECT 1 FROM sqlite_master WHERE name = 'answering'").fetchone() is not None


def _answering(database: sqlite3.Connection, model: str) -> str | None:
    if not _knows_names(database):
        return None
    row = database.execute("SELECT name FROM answering WHERE model = ?", (model,)).fetchone()
    return None if row is None else str(row[0])


def _empty(database: sqlite3.Connection, models: Collection[str]) -> None:
    for model in models:
        database.execute("DELETE FROM vectors WHERE coalesce(model, '') = ?", (model,))
        if _knows_names(database):
            database.execute("DELETE FROM answering WHERE model = ?", (model,))
    for step in ("VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"):
        database.execute(step).fetchall()


def _read(database: sqlite3.Connection, keys: Sequence[bytes]) -> dict[bytes, NDArray[np.float16]]:
    found: dict[bytes, NDArray[np.float16]] = {}
    for begin in range(0, len(keys), 500):
        some = keys[begin : begin + 500]
        rows = database.execute(f"SELECT key, vector FROM vectors WHERE key IN ({','.join('?' * len(some))})", some)
        found.update((key, np.frombuffer(vector, dtype=np.float16)) for key, vector in rows)
    return found


def _write(
    database: sqlite3.Connection, values: Sequence[tuple[bytes, bytes, str | None]], names: Sequence[tuple[str, str]]
) -> None:
    with database:  # one transaction
        database.execute("BEGIN")
        database.executemany("INSERT OR IGNORE INTO vectors (key, vector, model) VALUES (?, ?, ?)", values)
        if names:
            database.execute(_ANSWERING)
            database.executemany("INSERT OR REPLACE INTO answering VALUES (?, ?)", names)
