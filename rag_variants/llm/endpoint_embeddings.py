"""An embedding model behind an OpenAI-compatible endpoint."""

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import openai

from rag_variants.errors import CallError
from rag_variants.llm.batches import TooManyError
from rag_variants.llm.completion import AttemptError, answering_model, read_json
from rag_variants.llm.dispatcher import Dispatcher, dispatcher_of
from rag_variants.llm.embedding import Vectors
from rag_variants.llm.endpoint import Endpoint, find_endpoint
from rag_variants.llm.failures import Failure
from rag_variants.llm.flow import together
from rag_variants.llm.model_names import fuller_name, is_same_model
from rag_variants.llm.parameters import sendable
from rag_variants.llm.waiting import on_loop, wait_for
from rag_variants.settings import Settings

TEXTS_PER_CALL = 64


class EndpointEmbeddings:
    """`NAME:MODEL`. Questions and passages are embedded alike. Rows are of unit length.

    `answering` is the name under which the model answered whose vectors these are, None where none is known yet. What
    answers under another one is another model, and its vectors would be mixed with those.
    """

    calls_at_once = 8

    def __init__(self, endpoint: Endpoint, model: str, dispatcher: Dispatcher) -> None:
        self.name = f"{endpoint.name}:{model}"
        self.version = endpoint.url
        self.answering: str | None = None
        self._endpoint = endpoint
        self._model = model
        self._dispatcher = dispatcher
        self._batches = dispatcher.batches(model, "embeddings")
        self._dimensions: int | None = None

    @property
    def texts_per_call(self) -> int:
        """The most texts that are worth one call, or that the server takes."""
        return min(self._batches.most or TEXTS_PER_CALL, TEXTS_PER_CALL)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the server took otherwise than it was sent."""
        return (self._batches.note,) if self._batches.note else ()

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """One unit row per text. Raises CallError."""
        return wait_for(self.embed(texts))

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """One unit row per question. Raises CallError."""
        return wait_for(self.embed(texts))

    @on_loop
    async def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit row per text. Raises CallError, also for an answer that does not fit the texts."""
        given = [sendable(text).replace("\0", " ").strip() or "." for text in texts]  # servers refuse a blank text
        return await self._embed(given) if given else np.zeros((0, 0), np.float32)

    async def _embed(self, given: Sequence[str]) -> Vectors:
        """In one call, or in those that the server turns out to take."""
        parts = self._batches.split(given)
        if len(parts) > 1:
            return np.concatenate(await together(*map(self._embed, parts)))
        line = self._dispatcher.line(self._model, "embeddings")
        seed = hashlib.sha256("\0".join(given).encode()).hexdigest()
        try:
            return await self._dispatcher.run(line, lambda _: self._attempt(given), seed)
        except TooManyError:
            return await self._embed(given)

    async def _attempt(self, texts: Sequence[str]) -> Vectors:
        self._batches.check(len(texts))
        try:
            content, _ = await self._dispatcher.wire.post("/embeddings", {"model": self._model, "input": list(texts)})
        except openai.APIStatusError as error:
            if self._batches.learn(error, len(texts)):
                raise TooManyError from None
            raise
        body = read_json(content, self._endpoint)
        self._check_model(answering_model(body))
        rows = self._in_order(body.get("data"), len(texts))
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

    def _check_model(self, name: str | None) -> None:
        """Remembers the name under which the model answers. Raises AttemptError for one that is another model's."""
        if name is None:
            return
        if self.answering is not None and not is_same_model(name, self.answering):
            text = (
                f"{self.name} now answers as {_plain(name)}, and its vectors so far are of {_plain(self.answering)}: "
                "the two cannot be mixed. Forget the old ones (rag-variants replies --empty), or give the endpoint "
                "another name."
            )
            raise AttemptError(Failure(CallError(text, "embeddings", stops=True)))
        self.answering = name if self.answering is None else fuller_name(self.answering, name)

    def _in_order(self, data: Any, count: int) -> list[list[float]]:
        """The rows by their index. Without any index, or with 0 in each (Gemini), their order is all there is."""
        if not isinstance(data, list) or len(data) != count:
            got = len(data) if isinstance(data, list) else 0
            raise self._odd(f"{got} vectors for {count} texts")
        rows = [each.get("embedding") if isinstance(each, dict) else None for each in data]
        if not all(isinstance(row, list) and all(type(part) in (int, float) for part in row) for row in rows):
            raise self._odd("something that is no vector")
        places = [each.get("index") for each in data]
        if places in ([None] * count, [0] * count):
            places = list(range(count))
        elif places.count(None) == 1 and 0 not in places:
            places = [place or 0 for place in places]  # some leave out what is 0
        if any(type(place) is not int for place in places) or sorted(places) != list(range(count)):
            raise self._odd("vectors whose order is not clear")
        ordered = dict(zip(places, rows, strict=True))
        return [ordered[at] for at in range(count)]

    def _odd(self, what: str) -> AttemptError:
        text = f"{self.name} sent {what}. Use another embedding model, or `embedded`."
        return AttemptError(Failure(CallError(text, "embeddings")))


def _plain(name: str) -> str:
    """A name that a server gave, for a sentence."""
    return repr("".join(letter for letter in name if letter.isprintable())[:80])


def open_endpoint_embeddings(spec: str, settings: Settings) -> EndpointEmbeddings:
    """The embedding model of `openai:MODEL` or `NAME:MODEL`. Raises ModelError."""
    endpoint, model = find_endpoint(spec, settings)
    return EndpointEmbeddings(endpoint, model, dispatcher_of(endpoint))
