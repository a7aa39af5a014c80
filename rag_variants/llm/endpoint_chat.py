"""A chat model behind an OpenAI-compatible endpoint: every call needed is made once."""

import hashlib
import json
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache, partial
from typing import Any

import openai
from pydantic import BaseModel

from rag_variants.errors import CallError
from rag_variants.llm.cached_replies import CachedReplies, open_cached_replies
from rag_variants.llm.chat import Message, Reply
from rag_variants.llm.completion import AttemptError, Completion, read_completion
from rag_variants.llm.dispatcher import Dispatcher, RefusedError, dispatcher_of
from rag_variants.llm.endpoint import Endpoint, find_endpoint
from rag_variants.llm.failures import Failure
from rag_variants.llm.in_flight import InFlight
from rag_variants.llm.model_names import is_same_model
from rag_variants.llm.parameters import plain, sendable
from rag_variants.llm.prices import Price, find_price, read_prices
from rag_variants.llm.prompts_read import PromptsRead
from rag_variants.llm.structured import read_structured
from rag_variants.llm.thinking import after_thinking
from rag_variants.llm.waiting import on_loop
from rag_variants.settings import Settings

_FORM = 1  # of what is kept; another number is another key
_PATIENCE = 5  # unreadable replies in a row, after which a call asks for its form less formally


class EndpointChat:
    """`NAME:MODEL`. Models of the same dispatcher share its limits; those of the same store share replies."""

    def __init__(
        self,
        spec: str,
        endpoint: Endpoint,
        model: str,
        dispatcher: Dispatcher,
        desk: "Desk",
        prices: Mapping[str, Price] | None = None,
    ) -> None:
        self.spec = spec
        self._prices = prices or {}
        self._endpoint = endpoint
        self._model = model
        self._dispatcher = dispatcher
        self._desk = desk
        self._parameters = dispatcher.parameters(model)
        self._prompts = PromptsRead()
        self._answering: list[str] = []

    @property
    def notes(self) -> tuple[str, ...]:
        """What the replies so far say together: prompts that were cut, models that took turns."""
        names = tuple(self._answering)
        turns = (f"it answered as {', then as '.join(names)}: the replies are of more than one model",)
        return (*filter(None, (self._prompts.note,)), *(turns if len(names) > 1 else ()))

    @cached_property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can change a reply; never a key."""
        return {"endpoint": self._endpoint.url, "model": self._model, **dict(self._endpoint.query), **self._wished}

    @on_loop
    async def ask(
        self,
        messages: Sequence[Message],
        *,
        schema: type[BaseModel] | None = None,
        asked: int = 0,
        repeat: int = 0,
    ) -> Reply:
        """The reply: kept, shared with whoever asks the same now, or new. Raises CallError."""
        key = self._key(messages, schema, asked, repeat)
        seconds: list[float] = []

        async def make() -> tuple[Completion, bool]:
            if self._desk.kept:
                if (kept := self._desk.kept.read(key)) is not None:
                    return kept, True
                self._desk.kept.prepare()
            line = self._dispatcher.line(self._model, "text" if schema is None else "structured")
            new, took = await self._dispatcher.run(
                line, lambda unreadable: self._attempt(messages, schema, unreadable), key.hex()
            )
            seconds.append(took)
            if self._desk.kept:
                self._desk.kept.write(key, new)
            return new, False

        # Whoever has another key waits for a call of its own: this one's may be refused.
        (completion, kept), shared = await self._desk.in_flight.once((key, self._endpoint.key), make)
        self._hear(messages, completion)
        return self._reply(key, completion, schema, None if kept or shared else seconds[0])

    def recall(
        self, messages: Sequence[Message], *, schema: type[BaseModel] | None = None, asked: int = 0, repeat: int = 0
    ) -> tuple[bytes, Reply | None]:
        """What identifies a call, and its reply if that is kept; nothing is sent."""
        key = self._key(messages, schema, asked, repeat)
        kept = self._desk.kept.read(key) if self._desk.kept else None
        return key, None if kept is None else self._reply(key, kept, schema, None)

    def cost(self, prompt_tokens: int | None, completion_tokens: int | None) -> float | None:
        """US dollars for so many tokens; None where they or the model's price are not known."""
        if prompt_tokens is None or completion_tokens is None or self._price is None:
            return None
        return self._price.cost(prompt_tokens, completion_tokens)

    @cached_property
    def _price(self) -> Price | None:
        return find_price(self._endpoint, self._model, self._prices)

    def _reply(
        self, key: bytes, completion: Completion, schema: type[BaseModel] | None, seconds: float | None
    ) -> Reply:
        said = completion.cost_usd
        return Reply(
            completion.text if schema is not None else after_thinking(completion.text) or "",
            None if schema is None else read_structured(completion.text, schema),
            completion.prompt_tokens,
            completion.completion_tokens,
            seconds,
            seconds is None,
            self.cost(completion.prompt_tokens, completion.completion_tokens) if said is None else said,
            completion.notes,
            forget=partial(self._forget, key, completion.text),
        )

    def _forget(self, key: bytes, text: str) -> None:
        if self._desk.kept:
            self._desk.kept.drop(key, text)

    @cached_property
    def _wished(self) -> Mapping[str, Any]:
        wished = {"temperature": self._endpoint.temperature, "max_tokens": self._endpoint.max_tokens}
        return {name: value for name, value in wished.items() if value is not None}

    async def _attempt(
        self, messages: Sequence[Message], schema: type[BaseModel] | None, unreadable: int
    ) -> tuple[Completion, float]:
        body = self._parameters.body(self._model, messages, self._wished, schema, unreadable // _PATIENCE)
        try:
            content, seconds = await self._dispatcher.wire.post("/chat/completions", body)
        except openai.APIStatusError as error:
            if self._parameters.learn(error, body):
                raise RefusedError from None
            raise
        read = read_completion(content, self._endpoint)
        self._check(messages, read, schema)
        return replace(read, notes=(*self._parameters.notes(schema is not None, messages), *read.notes)), seconds

    def _hear(self, messages: Sequence[Message], read: Completion) -> bool:
        """Remembers what a reply says of its prompt and its model; whether the prompt was certainly cut."""
        if read.model and not any(is_same_model(read.model, known) for known in self._answering):
            self._answering.append(read.model)
        return self._prompts.hear(_text(messages), read.prompt_tokens)

    def _check(self, messages: Sequence[Message], read: Completion, schema: type[BaseModel] | None) -> None:
        if self._hear(messages, read):
            text = f"{self.spec} read {read.prompt_tokens} tokens of a prompt of {len(_text(messages))} characters"
            remedy = "Raise its context length (Ollama: num_ctx), or use fewer or smaller chunks."
            raise AttemptError(Failure(CallError(f"{text}, a part of it. {remedy}", "cut")))
        if schema is not None and read_structured(read.text, schema) is None:
            text = f"{self.spec} sent a reply that is not readable as {schema.__name__}. Try another model."
            raise AttemptError(Failure(CallError(text, "unreadable", reply=read.text), True))
        if schema is None and not after_thinking(read.text):
            text = f"{self.spec} thought and gave no reply. Raise max_tokens, or use another model."
            raise AttemptError(Failure(CallError(text, "empty", reply=read.text), True))

    def _key(self, messages: Sequence[Message], schema: type[BaseModel] | None, asked: int, repeat: int) -> bytes:
        turns = [(each.role, sendable(each.content)) for each in messages]
        form = None if schema is None else (schema.__name__, plain(schema))
        deciding = [_FORM, dict(self.settings), turns, form, asked, repeat]
        return hashlib.sha256(json.dumps(deciding, sort_keys=True).encode()).digest()


def _text(messages: Sequence[Message]) -> str:
    return "".join(each.content for each in messages)


class Desk:
    """The kept replies of one state folder (None: nothing is kept), and the calls that are being made for it."""

    def __init__(self, kept: CachedReplies | None) -> None:
        self.kept = kept
        self.in_flight: InFlight[Hashable, tuple[Completion, bool]] = InFlight()


@lru_cache(maxsize=64)
def desk_of(kept: CachedReplies) -> Desk:
    """The process's one desk for the replies of a state folder."""
    return Desk(kept)


def open_endpoint_chat(spec: str, settings: Settings, temperature: float | None = None) -> EndpointChat:
    """The chat model of a spec, with the process's dispatcher and kept replies. Raises ModelError."""
    endpoint, model = find_endpoint(spec, settings)
    if temperature is not None:
        endpoint = replace(endpoint, temperature=float(temperature))  # 0 and 0.0 are one call
    return EndpointChat(
        f"{endpoint.name}:{model}",
        endpoint,
        model,
        dispatcher_of(endpoint),
        desk_of(open_cached_replies(settings)),
        read_prices(settings),
    )
