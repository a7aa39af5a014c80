"""Vectors kept by content: in memory, in files that come with the product, and on disk."""

import asyncio
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from rag_variants.errors import CallError
from rag_variants.llm.claims import Claims
from rag_variants.llm.embedding import EmbeddingModel, RemoteEmbeddingModel, Vectors
from rag_variants.llm.in_flight import InFlight
from rag_variants.llm.stored_vectors import PackedVectors, Role, StoredVectors, content_key, halve, restore
from rag_variants.llm.waiting import wait_for

# Of an encoder on this computer. It lets other threads run while it works and takes all cores for a batch by itself;
# the second batch takes those that the end of the first one leaves idle.
BATCH, AT_ONCE = 16, 2


class KeptEmbeddings:
    """An embedding model that embeds each text once, ever."""

    def __init__(self, model: EmbeddingModel, packed: PackedVectors | None, stored: StoredVectors | None) -> None:
        self.model = model
        self._sources = [source for source in (packed, stored) if source is not None]
        self._stored = stored
        self._memory: dict[tuple[Role, str], NDArray[np.float16]] = {}
        self._dimensions: int | None = None
        self._in_flight: InFlight[None] = InFlight()
        self._claims: Claims[tuple[Role, str]] = Claims()
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
        batches = iter(self._batches(missing))
        running: set[Future[int]] = set()
        done = 0
        with ThreadPoolExecutor(max_workers=self._at_once) as pool:
            try:
                while True:  # twice as many wait or run as can run, so that none idles while the caller looks at it
                    some = islice(batches, 2 * self._at_once - len(running))
                    running |= {pool.submit(self._encode, role, batch) for batch in some}
                    if not running:
                        return
                    finished, running = wait(running, return_when=FIRST_COMPLETED)
                    done += sum(future.result() for future in finished)
                    yield done, len(missing)
            finally:
                for future in running:
                    future.cancel()

    def _batches(self, texts: Sequence[str]) -> list[Sequence[str]]:
        return [texts[at : at + self._batch] for at in range(0, len(texts), self._batch)]

    def missing(self, role: Role, texts: Sequence[str]) -> list[str]:
        """The texts that have no vector yet, in order, once each; kept vectors of the others come to memory."""
        new = [text for text in dict.fromkeys(texts) if (role, text) not in self._memory]
        keys = {content_key(self.model, role, text): text for text in new}
        for source in self._sources:
            for key, vector in source.read(list(keys)).items():
                self._take_in(role, keys.pop(key), vector)
        return list(keys.values())

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
        """Returns when the texts have been embedded and kept, here or by another thread; how many they were."""
        self._claims.make(
            [(role, text) for text in texts],
            self._memory.__contains__,
            lambda mine: self._encode_here(role, [text for _, text in mine]),
        )
        return len(texts)

    def _encode_here(self, role: Role, texts: Sequence[str]) -> None:
        if isinstance(self.model, RemoteEmbeddingModel):
            wait_for(self._ask(self.model, role, texts))
        else:
            rows = self.model.embed_passages(texts) if role == "passage" else self.model.embed_queries(texts)
            self._remember(role, texts, halve(rows))

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
