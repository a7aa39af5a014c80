"""Vectors kept by content: in memory, in files that come with the product, and on disk."""

import asyncio
import hashlib
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rag_variants.errors import CallError
from rag_variants.models.embedding import EmbeddingModel, RemoteEmbeddingModel, Vectors
from rag_variants.models.in_flight import InFlight
from rag_variants.models.kept_file import KeptFile
from rag_variants.models.waiting import wait_for

Role = Literal["passage", "query"]
BATCH, AT_ONCE = 16, 2  # of an encoder on this computer, which lets other threads run while it works
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
        self._file = KeptFile(home / "vectors.sqlite", folder, _TABLE, "it is made again")

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


class KeptEmbeddings:
    """An embedding model that embeds each text once, ever."""

    def __init__(self, model: EmbeddingModel, packed: PackedVectors | None, stored: StoredVectors | None) -> None:
        self.model = model
        self._sources = [source for source in (packed, stored) if source is not None]
        self._stored = stored
        self._memory: dict[tuple[Role, str], NDArray[np.float16]] = {}
        self._dimensions: int | None = None
        self._in_flight: InFlight[None] = InFlight()
        self._batch, self._at_once = BATCH, AT_ONCE
        if isinstance(model, RemoteEmbeddingModel):
            self._batch, self._at_once = model.texts_per_call, model.calls_at_once

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """One unit row per text, (len(texts), dimensions)."""
        return self._embed("passage", texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """One unit row per question, (len(texts), dimensions)."""
        return self._embed("query", texts)

    async def embed(self, role: Role, texts: Sequence[str]) -> Vectors:
        """As the two above, without holding up the event loop; what is being embedded already is waited for."""
        new = any((role, text) not in self._memory for text in texts)
        if new and (missing := self.missing(role, texts)):
            key = b"".join(content_key(self.model, role, text) for text in missing)
            await self._in_flight.once(key, lambda: self._fetch(role, missing))
        return self._rows(role, texts) if texts else np.zeros((0, 0), np.float32)

    async def _fetch(self, role: Role, missing: Sequence[str]) -> None:
        if not isinstance(self.model, RemoteEmbeddingModel):
            await asyncio.to_thread(self._embed, role, missing)
            return
        await asyncio.gather(*(self._ask(self.model, role, batch) for batch in self._batches(missing)))

    async def _ask(self, model: RemoteEmbeddingModel, role: Role, batch: Sequence[str]) -> None:
        if self._stored is not None:
            self._stored.prepare()
        self._remember(role, batch, halve(await model.embed(batch)))  # here and now: what was paid outlives a kill

    def fill(self, role: Role, texts: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Embeds what is not kept yet, batch by batch; yields (done, of) after each batch, so that it can be stopped.

        Nothing is yielded if everything is at hand. What was done is kept.
        """
        missing = self.missing(role, texts)
        if not missing:
            return
        batches = self._batches(missing)
        done = 0
        with ThreadPoolExecutor(max_workers=self._at_once) as pool:
            for begin in range(0, len(batches), self._at_once):
                some = batches[begin : begin + self._at_once]
                done += sum(pool.map(lambda texts: self._encode(role, texts), some))
                yield done, len(missing)

    def _batches(self, texts: Sequence[str]) -> list[Sequence[str]]:
        return [texts[at : at + self._batch] for at in range(0, len(texts), self._batch)]

    def missing(self, role: Role, texts: Sequence[str]) -> list[str]:
        """The texts that have no vector yet, in order, once each; kept vectors of the others come to memory."""
        missing = [text for text in dict.fromkeys(texts) if (role, text) not in self._memory]
        for source in self._sources:
            keys = {content_key(self.model, role, text): text for text in missing}
            for key, vector in source.read(list(keys)).items():
                self._take_in(role, keys[key], vector)
            missing = [text for text in missing if (role, text) not in self._memory]
        return missing

    def rows(self) -> dict[bytes, NDArray[np.float16]]:
        """Every vector in memory as it is kept, by its key."""
        return {content_key(self.model, role, text): row for (role, text), row in self._memory.items()}

    def _embed(self, role: Role, texts: Sequence[str]) -> Vectors:
        if any((role, text) not in self._memory for text in texts):
            for _ in self.fill(role, texts):
                pass
        if not texts:
            return np.zeros((0, 0), np.float32)
        return self._rows(role, texts)

    def _rows(self, role: Role, texts: Sequence[str]) -> Vectors:
        return restore(np.stack([self._memory[role, text] for text in texts]))

    def _encode(self, role: Role, texts: Sequence[str]) -> int:
        """Embeds and keeps the texts; how many they were."""
        if isinstance(self.model, RemoteEmbeddingModel):
            wait_for(self._ask(self.model, role, texts))
        else:
            rows = self.model.embed_passages(texts) if role == "passage" else self.model.embed_queries(texts)
            self._remember(role, texts, halve(rows))
        return len(texts)

    def _remember(self, role: Role, texts: Sequence[str], rows: NDArray[np.float16]) -> None:
        for text, row in zip(texts, rows, strict=True):
            self._take_in(role, text, row)
        if self._stored is not None:
            keys = [content_key(self.model, role, text) for text in texts]
            self._stored.write(dict(zip(keys, rows, strict=True)))

    def _take_in(self, role: Role, text: str, row: NDArray[np.float16]) -> None:
        """Remembers a vector. Raises CallError if it is of another length than those of the model so far."""
        self._dimensions = self._dimensions or len(row)
        if len(row) != self._dimensions:
            sizes = sorted((len(row), self._dimensions))
            raise CallError(
                f"Vectors of {sizes[0]} and {sizes[1]} numbers are kept under {self.model.name}: another model answers "
                "under that name now. Give the model another name.",
                "embeddings",
            )
        self._memory[role, text] = row
