"""An embedding model behind an OpenAI-compatible endpoint."""

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from rag_variants.errors import CallError
from rag_variants.llm.completion import AttemptError, read_json
from rag_variants.llm.dispatcher import Dispatcher, dispatcher_of
from rag_variants.llm.embedding import Vectors
from rag_variants.llm.endpoint import Endpoint, find_endpoint
from rag_variants.llm.failures import Failure
from rag_variants.llm.parameters import sendable
from rag_variants.llm.waiting import on_loop, wait_for
from rag_variants.settings import Settings


class EndpointEmbeddings:
    """`NAME:MODEL`. Questions and passages are embedded alike. Rows are of unit length."""

    texts_per_call = 64
    calls_at_once = 8

    def __init__(self, endpoint: Endpoint, model: str, dispatcher: Dispatcher) -> None:
        self.name = f"{endpoint.name}:{model}"
        self.version = endpoint.url
        self._endpoint = endpoint
        self._model = model
        self._dispatcher = dispatcher
        self._dimensions: int | None = None

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """One unit row per text. Raises CallError."""
        return wait_for(self.embed(texts))

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """One unit row per question. Raises CallError."""
        return wait_for(self.embed(texts))

    @on_loop
    async def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit row per text, in one call. Raises CallError, also for an answer that does not fit the texts."""
        given = [sendable(text).replace("\0", " ").strip() or "." for text in texts]  # servers refuse a blank text
        if not given:
            return np.zeros((0, 0), np.float32)
        line = self._dispatcher.line(self._model, "embeddings")
        seed = hashlib.sha256("\0".join(given).encode()).hexdigest()
        return await self._dispatcher.run(line, lambda _: self._attempt(given), seed)

    async def _attempt(self, texts: list[str]) -> Vectors:
        content, _ = await self._dispatcher.wire.post("/embeddings", {"model": self._model, "input": texts})
        rows = self._in_order(read_json(content, self._endpoint).get("data"), len(texts))
        if len({len(row) for row in rows}) > 1 or not rows[0]:
            raise self._odd("vectors of unlike length in one answer")
        vectors = np.asarray(rows, dtype=np.float64)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not np.isfinite(vectors).all() or not lengths.all():
            raise self._odd("a vector without direction")
        if self._dimensions is None:
            self._dimensions = vectors.shape[1]
        if vectors.shape[1] != self._dimensions:
            raise self._odd(f"vectors of {vectors.shape[1]} numbers after some of {self._dimensions}")
        return np.asarray(vectors / lengths, dtype=np.float32)

    def _in_order(self, data: Any, count: int) -> list[list[float]]:
        """The rows by their index. Without any index, the order of the answer is all there is."""
        if not isinstance(data, list) or len(data) != count:
            got = len(data) if isinstance(data, list) else 0
            raise self._odd(f"{got} vectors for {count} texts")
        rows = [each.get("embedding") if isinstance(each, dict) else None for each in data]
        if not all(isinstance(row, list) and all(type(part) in (int, float) for part in row) for row in rows):
            raise self._odd("something that is no vector")
        places = [each.get("index") for each in data]
        if all(place is None for place in places):
            places = list(range(count))
        if any(type(place) is not int for place in places) or sorted(places) != list(range(count)):
            raise self._odd("vectors whose order is not clear")
        ordered = dict(zip(places, rows, strict=True))
        return [ordered[at] for at in range(count)]

    def _odd(self, what: str) -> AttemptError:
        text = f"{self.name} sent {what}. Use another embedding model, or `embedded`."
        return AttemptError(Failure(CallError(text, "embeddings")))


def open_endpoint_embeddings(spec: str, settings: Settings) -> EndpointEmbeddings:
    """The embedding model of `openai:MODEL` or `NAME:MODEL`. Raises ModelError."""
    endpoint, model = find_endpoint(spec, settings)
    return EndpointEmbeddings(endpoint, model, dispatcher_of(endpoint))
