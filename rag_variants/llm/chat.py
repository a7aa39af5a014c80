"""Chat models: messages → one reply with what it took."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

from pydantic import BaseModel

from rag_variants.errors import CallError

__all__ = ["CallError", "ChatModel", "Message", "RecallingChat", "Reply"]


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


def _nothing_kept() -> None:
    """A reply that is kept nowhere."""


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply with what it took.

    `text` starts after the thinking, `parsed` is there if a schema was asked for. `seconds` is the time on the wire,
    None for a kept or shared reply (`reused`), whose tokens and cost are those of the call that made it. `cost_usd` is
    what the server said, else what the tokens cost, None if the price is not known. `notes` say what was sent otherwise
    than asked. `stands_in`: nobody wrote it, a forecast put it there. `forget` sees to it
    that the call is made again when it is asked next; another reply that was kept for it meanwhile stays.
    """

    text: str
    parsed: BaseModel | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    seconds: float | None = None
    reused: bool = False
    cost_usd: float | None = None
    notes: tuple[str, ...] = ()
    stands_in: bool = False
    forget: Callable[[], None] = field(default=_nothing_kept, repr=False, compare=False)


class ChatModel(Protocol):
    """Answers messages."""

    @property
    def spec(self) -> str:
        """The model spec, such as `openai:gpt-4o-mini`."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can change a reply: endpoint, model, temperature, …; never a key."""

    async def ask(
        self,
        messages: Sequence[Message],
        *,
        schema: type[BaseModel] | None = None,
        asked: int = 0,
        repeat: int = 0,
    ) -> Reply:
        """The reply, `parsed` as the schema if there is one.

        `asked`: how often the same prompt was asked before inside one score; `repeat`: which repeat of the run.
        Raises CallError.
        """


@runtime_checkable
class RecallingChat(ChatModel, Protocol):
    """A chat model that keeps replies and knows its price."""

    def recall(
        self, messages: Sequence[Message], *, schema: type[BaseModel] | None = None, asked: int = 0, repeat: int = 0
    ) -> tuple[bytes, Reply | None]:
        """What identifies a call, and its reply if that is kept; nothing is sent."""

    def cost(self, prompt_tokens: int | None, completion_tokens: int | None) -> float | None:
        """US dollars for so many tokens; None where they or the price are not known."""


def notes_of(chat: ChatModel) -> tuple[str, ...]:
    """What all replies of a model so far say together, such as that prompts were cut; () for one that adds none up."""
    return tuple(getattr(chat, "notes", ()))


@dataclass(frozen=True)
class AsksChat:
    """What asks a chat model and remembers what replies said about themselves, each thing once."""

    chat: ChatModel
    _notes: dict[str, None] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def notes(self) -> tuple[str, ...]:
        """What replies said so far, such as a parameter that the server refused, and what they say together."""
        return tuple(f"{self.chat.spec}: {note}" for note in (*self._notes, *notes_of(self.chat)))

    def hear(self, reply: Reply) -> None:
        """Remembers what a reply says about itself."""
        self._notes.update(dict.fromkeys(reply.notes))
