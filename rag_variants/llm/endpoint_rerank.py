"""A reranking model behind an endpoint that serves /rerank.

In the form of Cohere, Jina, vLLM and llama.cpp, or in that of text-embeddings-inference, whichever the server takes.
"""

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

import openai

from rag_variants.errors import CallError
from rag_variants.llm.batches import TooManyError
from rag_variants.llm.cached_replies import open_cached_replies
from rag_variants.llm.completion import AttemptError, Completion, read_json
from rag_variants.llm.dispatcher import Dispatcher, RefusedError, dispatcher_of
from rag_variants.llm.endpoint import Endpoint, find_endpoint
from rag_variants.llm.endpoint_chat import Desk, desk_of
from rag_variants.llm.failures import Failure, read_failure
from rag_variants.llm.flow import together
from rag_variants.llm.parameters import sendable
from rag_variants.llm.prices import Price, find_price, read_prices
from rag_variants.llm.reranking import RerankReply
from rag_variants.llm.waiting import on_loop
from rag_variants.settings import Settings

_FORM = "rerank/1"  # of what is kept; another form is another key


class EndpointRerank:
    """`NAME:MODEL`. Every call needed is made once; its reply is kept beside those of chat models."""

    def __init__(
        self, endpoint: Endpoint, model: str, dispatcher: Dispatcher, desk: Desk, prices: Mapping[str, Price]
    ) -> None:
        self.name = f"{endpoint.name}:{model}"
        self.version = endpoint.url
        self._endpoint, self._model = endpoint, model
        self._dispatcher, self._desk = dispatcher, desk
        self._prices = prices
        self._batches = dispatcher.batches(model, "rerank")
        self._form = dispatcher.rerank_form(model)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the server took otherwise than it was sent."""
        return tuple(f"{self.name}: {note}" for note in (*self._form.notes, self._batches.note) if note)

    @on_loop
    async def rerank(self, query: str, documents: Sequence[str]) -> RerankReply:
        """A relevance for each document: kept, shared with whoever asks the same now, or new. Raises CallError."""
        if not documents:
            return RerankReply((), 0.0)
        key = self._key(query, documents)

        async def make() -> tuple[Completion, bool]:
            if self._desk.kept:
                if (kept := self._desk.kept.read(key)) is not None:
                    return kept, True
                self._desk.kept.prepare()
            new = await self._ask(query, documents)
            if self._desk.kept:
                self._desk.kept.write(key, new)
            return new, False

        # Whoever has another key waits for a call of its own: this one's may be refused.
        (made, kept), shared = await self._desk.in_flight.once((key, self._endpoint.key), make)
        return self._reply(made, reused=kept or shared)

    def recall(self, query: str, documents: Sequence[str]) -> tuple[bytes, RerankReply | None]:
        """What identifies a call, and its reply if that is kept; nothing is sent."""
        key = self._key(query, documents)
        kept = self._desk.kept.read(key) if self._desk.kept else None
        return key, None if kept is None else self._reply(kept, reused=True)

    def cost(self, tokens: int | None) -> float | None:
        """US dollars for so many tokens read; None where they or the price are not known."""
        price = find_price(self._endpoint, self._model, self._prices)
        return None if tokens is None or price is None else price.cost(tokens, 0)

    async def _ask(self, query: str, documents: Sequence[str]) -> Completion:
        """In one call, or in those that the server turns out to take: a text is scored beside no other."""
        parts = self._batches.split(documents)
        if len(parts) > 1:
            return _joined(await together(*(self._ask(query, part) for part in parts)))
        line = self._dispatcher.line(self._model, "rerank")
        seed = self._key(query, documents).hex()
        try:
            return await self._dispatcher.run(line, lambda _: self._attempt(query, documents), seed)
        except TooManyError:
            return await self._ask(query, documents)

    async def _attempt(self, query: str, documents: Sequence[str]) -> Completion:
        self._batches.check(len(documents))
        body, path = self._form.body(self._body(query, documents)), self._form.path(self._endpoint)
        try:
            content, seconds = await self._dispatcher.wire.post(path, body)
        except openai.APIStatusError as error:
            if self._batches.learn(error, len(documents)):
                raise TooManyError from None
            elsewhere = read_failure(error, self._endpoint, self._model).error.kind == "url"
            if self._form.learn(error, body, self._endpoint, elsewhere):
                raise RefusedError from None
            if error.status_code != 404 or not elsewhere:
                raise
            text = (
                f"{self._endpoint.url} has no /rerank (HTTP 404): it serves no reranking models, or "
                f"{self._endpoint.place('base_url')} is not its whole address. Try another endpoint."
            )
            raise AttemptError(Failure(CallError(text, "url"))) from None
        read = read_json(content, self._endpoint, bare="results")
        scores = self._scores(read, len(documents))
        return Completion(json.dumps({"scores": scores, "seconds": seconds}), _tokens(read), None, None)

    def _scores(self, body: Mapping[str, Any], count: int) -> list[float]:
        """The scores by the index of their document. Raises AttemptError for a list that does not fit the documents."""
        results = body.get("results", body.get("data"))
        if not isinstance(results, list) or len(results) != count:
            got = len(results) if isinstance(results, list) else 0
            raise self._odd(f"{got} scores for {count} chunks")
        found: dict[int, float] = {}
        for each in results:
            at, score = (each.get("index"), _score_of(each)) if isinstance(each, dict) else (None, None)
            if type(at) is not int or not 0 <= at < count or at in found:
                raise self._odd("scores that do not say which chunk they are for")
            if not isinstance(score, int | float) or isinstance(score, bool) or not math.isfinite(score):
                raise self._odd("a score that is no number")
            found[at] = float(score)
        return [found[at] for at in range(count)]

    def _odd(self, what: str) -> AttemptError:
        text = f"{self.name} sent {what}. Use another reranking model, or reranker=embedded."
        return AttemptError(Failure(CallError(text, "rerank")))

    def _reply(self, made: Completion, reused: bool) -> RerankReply:
        kept = json.loads(made.text)
        cost = self.cost(made.prompt_tokens)
        return RerankReply(tuple(kept["scores"]), kept["seconds"], reused, made.prompt_tokens, cost)

    def _body(self, query: str, documents: Sequence[str]) -> dict[str, Any]:
        texts = [sendable(each) for each in documents]
        return {"model": self._model, "query": sendable(query), "documents": texts, "top_n": len(texts)}

    def _key(self, query: str, documents: Sequence[str]) -> bytes:
        deciding = [_FORM, self._endpoint.url, dict(self._endpoint.query), self._body(query, documents)]
        return hashlib.sha256(json.dumps(deciding, sort_keys=True).encode()).digest()


def _score_of(item: Mapping[str, Any]) -> Any:
    """`relevance_score` of Cohere, Jina, vLLM and llama.cpp; `score` of text-embeddings-inference."""
    return item["relevance_score"] if "relevance_score" in item else item.get("score")


def _joined(parts: Sequence[Completion]) -> Completion:
    """The scores of several calls as those of one, with their time and tokens added up."""
    read = [json.loads(part.text) for part in parts]
    scores = [score for each in read for score in each["scores"]]
    tokens = [part.prompt_tokens for part in parts]
    counted = None if None in tokens else sum(each for each in tokens if each is not None)
    seconds = sum(each["seconds"] for each in read)
    return Completion(json.dumps({"scores": scores, "seconds": seconds}), counted, None, None)


def open_endpoint_rerank(spec: str, settings: Settings) -> EndpointRerank:
    """The reranking model of `openai:MODEL` or `NAME:MODEL`. Raises ModelError."""
    endpoint, model = find_endpoint(spec, settings)
    desk = desk_of(open_cached_replies(settings))
    return EndpointRerank(endpoint, model, dispatcher_of(endpoint), desk, read_prices(settings))


def _tokens(body: Mapping[str, Any]) -> int | None:
    """What the server says it read: `usage` of vLLM, Jina and llama.cpp, `meta` of Cohere; None if it says nothing."""
    meta = body.get("meta")
    for place in (body.get("usage"), meta.get("tokens") if isinstance(meta, dict) else None):
        for name in ("prompt_tokens", "total_tokens", "input_tokens"):
            value = place.get(name) if isinstance(place, dict) else None
            if type(value) is int and value >= 0:
                return value
    return None
