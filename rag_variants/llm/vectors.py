"""Vectors kept by content: in memory, in files that come with the product, and on disk."""

import asyncio
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rag_variants.errors import CallError
from rag_variants.llm.embedding import EmbeddingModel, RemoteEmbeddingModel, Vectors
from rag_variants.llm.flow import side_by_side
from rag_variants.llm.in_flight import InFlight
from rag_variants.llm.stored_vectors import PackedVectors, Role, StoredVectors, content_key, halve, label_of, restore
from rag_variants.llm.waiting import is_inside, on_loop

# Of an encoder on this computer. It lets other threads run while it works and takes all cores for a batch by itself;
# the second batch takes those that the end of the first one leaves idle.
BATCH, AT_ONCE = 16, 2
# For whoever embeds at the same time on this computer: a question does not wait for the batches of another page.
THREADS = 32


class CachedEmbeddings:
    """An embedding model that embeds each text once, ever."""

    def __init__(self, model: EmbeddingModel, packed: PackedVectors | None, stored: StoredVectors | None) -> None:
        self.model = model
        self._sources = [source for source in (packed, stored) if source is not None]
        self._stored = stored
        self._memory: dict[tuple[Role, str], NDArray[np.float16]] = {}
        self._dimensions: int | None = None
        self._in_flight: InFlight[tuple[Role, str], None] = InFlight()
        self._at_once = model.calls_at_once if isinstance(model, RemoteEmbeddingModel) else AT_ONCE

    @property
    def notes(self) -> tuple[str, ...]:
        """What the model says of how its server took the texts."""
        return tuple(f"{self.model.name}: {note}" for note in getattr(self.model, "notes", ()))

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """One unit row per text, (len(texts), dimensions)."""
        return self._embed("passage", texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """One unit row per question, (len(texts), dimensions)."""
        return self._embed("query", texts)

    async def embed(self, role: Role, texts: Sequence[str]) -> Vectors:
        """As the two above, without holding up the event loop; what is being embedded already is waited for."""
        if any((role, text) not in self._memory for text in texts):
            await self._make_all(role, texts)
        return self._rows(role, texts)

    @on_loop
    async def _make_all(self, role: Role, texts: Sequence[str]) -> None:
        works = (self._make(role, batch) for batch in self._batches(self.missing(role, texts)))
        for error in await asyncio.gather(*works, return_exceptions=True):  # one batch does not stop another
            if error is not None:
                raise error

    def fill(self, role: Role, texts: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Embeds what is not kept yet, batch by batch; yields (done, of) after each batch, so that it can be stopped.

        Nothing is yielded if everything is at hand. What was done is kept.
        """
        missing = self.missing(role, texts)
        batches = self._batches(missing)
        done: dict[int, None] = {}
        for _ in side_by_side(lambda at: self._make(role, batches[at]), len(batches), self._at_once, done):
            yield sum(len(batches[at]) for at in done), len(missing)

    async def _make(self, role: Role, texts: Sequence[str]) -> None:
        """Returns when the texts have been embedded and kept, here or for somebody else."""

        async def make(mine: Sequence[tuple[Role, str]]) -> None:
            new = [text for _, text in mine if (role, text) not in self._memory]
            if not new:
                return
            if isinstance(self.model, RemoteEmbeddingModel):
                await self._ask(self.model, role, new)
            else:
                await asyncio.get_running_loop().run_in_executor(self._pool, self._encode, role, new)

        await self._in_flight.all([(role, text) for text in texts], make)

    async def _ask(self, model: RemoteEmbeddingModel, role: Role, texts: Sequence[str]) -> None:
        if self._stored is not None:
            self._stored.prepare()
            if model.answering is None:
                model.answering = self._stored.answering(label_of(model))
        self._remember(role, texts, halve(await model.embed(texts)))  # here and now: what was paid outlives a kill

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(THREADS, "rag-variants embedding")

    def _batches(self, texts: Sequence[str]) -> list[Sequence[str]]:
        most = self.model.texts_per_call if isinstance(self.model, RemoteEmbeddingModel) else BATCH
        return [texts[at : at + most] for at in range(0, len(texts), most)]

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
            if is_inside():  # a judge of another package that computes where calls wait
                self._encode(role, self.missing(role, texts))
            for _ in self.fill(role, texts):
                pass
        return self._rows(role, texts)

    def _rows(self, role: Role, texts: Sequence[str]) -> Vectors:
        if not texts:
            return np.zeros((0, 0), np.float32)
        return restore(np.stack([self._memory[role, text] for text in texts]))

    def _encode(self, role: Role, texts: Sequence[str]) -> None:
        rows = self.model.embed_passages(texts) if role == "passage" else self.model.embed_queries(texts)
        self._remember(role, texts, halve(rows))

    def _remember(self, role: Role, texts: Sequence[str], rows: NDArray[np.float16]) -> None:
        for text, row in zip(texts, rows, strict=True):
            self._take_in(role, text, row)
        if self._stored is not None:
            keys = [content_key(self.model, role, text) for text in texts]
            answering = getattr(self.model, "answering", None)
            self._stored.write(dict(zip(keys, rows, strict=True)), label_of(self.model), answering)

    def _take_in(self, role: Role, text: str, row: NDArray[np.float16]) -> None:
        """Remembers a vector. Raises CallError if it is of another length than those of the model so far."""
        self._dimensions = self._dimensions or len(row)
        if len(row) != self._dimensions:
            sizes = sorted((len(row), self._dimensions))
            raise CallError(
                f"Vectors of {sizes[0]} and {sizes[1]} numbers are kept under {self.model.name}: another model answers "
                "under that name now. Give the model another name. Or forget the old ones with "
                "rag-variants replies --empty.",
                "embeddings",
            )
        self._memory[role, text] = row
