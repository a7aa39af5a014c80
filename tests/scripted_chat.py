"""A chat model that replies what a test wrote down; it needs no server and keeps what it was asked."""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ValidationError

from rag_variants.llm.chat import CallError, Message, Reply


@dataclass(frozen=True)
class Asked:
    """One call: the text of the last message, all messages, the schema, `asked` and `repeat`."""

    text: str
    messages: tuple[Message, ...]
    schema: type[BaseModel] | None
    number: int
    repeat: int = 0


Script = Callable[[Asked], "Mapping[str, Any] | str"]


@dataclass
class ScriptedChat:
    """Replies with what `script` gives for a call: fields of the schema, or a text; an exception is raised.

    `most` is the largest number of calls that were open at the same time.
    """

    script: Script
    spec: str = "openai:scripted"
    settings: Mapping[str, Any] = field(default_factory=lambda: {"endpoint": "http://stub/v1", "temperature": 0.0})
    more: Mapping[str, Any] = field(default_factory=dict)
    calls: list[Asked] = field(default_factory=list)
    open: int = 0
    most: int = 0

    async def ask(
        self, messages: Sequence[Message], *, schema: type[BaseModel] | None = None, asked: int = 0, repeat: int = 0
    ) -> Reply:
        call = Asked(messages[-1].content, tuple(messages), schema, asked, repeat)
        self.calls.append(call)
        self.open += 1
        self.most = max(self.most, self.open)
        for _ in range(5):  # lets every other call that is ready begin
            await asyncio.sleep(0)
        self.open -= 1
        return make_reply(self.script(call), schema, **self.more)


def make_reply(given: "Mapping[str, Any] | str", schema: type[BaseModel] | None = None, **more: Any) -> Reply:
    """A reply of a text, or of a schema's fields; fields that do not fit are unreadable."""
    parsed = None
    if schema is not None:
        try:
            parsed = schema.model_validate_json(json.dumps(given), strict=True)
        except ValidationError as error:
            raise CallError("The reply does not fit.", kind="unreadable", reply=json.dumps(given)) from error
    unknown: dict[str, Any] = {"prompt_tokens": None, "completion_tokens": None, "seconds": None, "cost_usd": None}
    rest = {"reused": False, "notes": (), **unknown, **more}
    return Reply(text=given if isinstance(given, str) else "", parsed=parsed, **rest)
