"""How many calls were made to chat and reranking models, and what they took."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from rag_variants.errors import CallError
from rag_variants.llm.chat import ChatModel, Message, Reply, notes_of
from rag_variants.llm.reranking import OpenRerank, RerankModel, RerankReply

OpenChat = Callable[[str, float | None], ChatModel]


@dataclass(frozen=True, slots=True)
class Calls:
    """Calls by how they ended: issued over the network, reused (kept, or shared with the same call), failed for good.

    Tokens and US dollars are those of the issued ones. `cost_usd` is None if the price of one of them is not known.
    """

    issued: int = 0
    reused: int = 0
    failed: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = 0.0

    def __add__(self, other: "Calls") -> "Calls":
        known = self.cost_usd is not None and other.cost_usd is not None
        return Calls(
            self.issued + other.issued,
            self.reused + other.reused,
            self.failed + other.failed,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            (self.cost_usd or 0.0) + (other.cost_usd or 0.0) if known else None,
        )

    def __bool__(self) -> bool:
        """Whether anything was asked at all."""
        return self.issued + self.reused + self.failed > 0


def issued(reply: Reply) -> Calls:
    """What one reply adds up to."""
    if reply.reused:
        return Calls(reused=1)
    return Calls(1, 0, 0, reply.prompt_tokens or 0, reply.completion_tokens or 0, reply.cost_usd)


class CallCounter:
    """Adds up the calls of every model that is opened through it. Safe in threads."""

    def __init__(self) -> None:
        self._calls = Calls()
        self._guard = threading.Lock()

    @property
    def calls(self) -> Calls:
        """What was counted so far."""
        return self._calls

    def add(self, calls: Calls) -> None:
        """Counts some more."""
        with self._guard:
            self._calls += calls

    def counting(self, open_chat: OpenChat) -> OpenChat:
        """Opens the same models, counted here."""
        return lambda spec, temperature: CountedChat(open_chat(spec, temperature), self)

    def counting_rerank(self, open_rerank: OpenRerank) -> OpenRerank:
        """Opens the same reranking models, counted here."""
        return lambda spec: CountedRerank(open_rerank(spec), self)


class CountedRerank:
    """A reranking model whose calls are counted."""

    def __init__(self, model: RerankModel, counter: CallCounter) -> None:
        self._model = model
        self._counter = counter

    @property
    def version(self) -> str:
        """What decides the model's scores besides its spec."""
        return self._model.version

    @property
    def notes(self) -> tuple[str, ...]:
        """What the model's server took otherwise than it was sent."""
        return tuple(getattr(self._model, "notes", ()))

    async def rerank(self, query: str, documents: Sequence[str]) -> RerankReply:
        """A relevance for each document. Raises CallError."""
        try:
            reply = await self._model.rerank(query, documents)
        except CallError:
            self._counter.add(Calls(failed=1))
            raise
        self._counter.add(Calls(reused=1) if reply.reused else Calls(1, 0, 0, reply.tokens or 0, 0, reply.cost_usd))
        return reply

    def recall(self, query: str, documents: Sequence[str]) -> tuple[bytes, RerankReply | None]:
        """What identifies a call, and its reply if that is kept; nothing is sent or counted."""
        return self._model.recall(query, documents)

    def cost(self, tokens: int | None) -> float | None:
        """US dollars for so many tokens read; None where they or the price are not known."""
        return self._model.cost(tokens)


class CountedChat:
    """A chat model whose calls are counted."""

    def __init__(self, chat: ChatModel, counter: CallCounter) -> None:
        self._chat = chat
        self._counter = counter

    @property
    def spec(self) -> str:
        """The model's spec."""
        return self._chat.spec

    @property
    def settings(self) -> Mapping[str, Any]:
        """The model's settings."""
        return self._chat.settings

    @property
    def notes(self) -> tuple[str, ...]:
        """What the model says of its replies together."""
        return notes_of(self._chat)

    async def ask(
        self,
        messages: Sequence[Message],
        *,
        schema: type[BaseModel] | None = None,
        asked: int = 0,
        repeat: int = 0,
    ) -> Reply:
        """The model's reply. Raises CallError."""
        try:
            reply = await self._chat.ask(messages, schema=schema, asked=asked, repeat=repeat)
        except CallError:
            self._counter.add(Calls(failed=1))
            raise
        self._counter.add(issued(reply))
        return reply


def total(calls: Sequence[Calls]) -> Calls:
    """All of them together."""
    return sum(calls, Calls())
