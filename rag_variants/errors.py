"""Mistakes that a user can mend. Every message ends with what to do."""

import difflib
from collections.abc import Iterable
from typing import Literal

CallFault = Literal[
    "key", "model", "url", "network", "certificate", "credit", "filtered", "rate", "server", "timeout", "dropped",
    "unreadable", "cut", "empty", "embeddings", "rerank",
]  # fmt: skip
# No other call to the same model can succeed before somebody has mended it.
STOPPING: frozenset[CallFault] = frozenset({"key", "model", "url", "certificate", "credit"})


class UserError(Exception):
    """Something the user can mend: one sentence that names the thing, one that names the way out.

    `stops`: until it is mended, whatever else is tried fails alike, so a run ends with it.
    """

    stops: bool = False


class KnowledgeError(UserError):
    """The folder of documents cannot be used."""


class QuestionsError(UserError):
    """The question file cannot be used."""


class LessonsError(UserError):
    """The lesson file, or one of its lessons, cannot be used."""


class VariantError(UserError):
    """A variant or one of its settings is unknown or out of bounds. `mended_by` are settings that have to be given."""

    def __init__(self, message: str, mended_by: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.mended_by = mended_by


class ModelError(UserError):
    """A model cannot be used or did not answer."""


class CallError(UserError):
    """One call to a model failed for good. `kind` names the fault; `stops`: others fail alike until it is mended.

    `stops` follows from the kind unless it is given. `reply` is what came in place of a readable reply; it may quote a
    document, so it is part of no message.
    """

    def __init__(self, message: str, kind: CallFault, stops: bool | None = None, reply: str | None = None) -> None:
        super().__init__(message)
        self.reply = reply
        self.kind: CallFault = kind
        self.stops = kind in STOPPING if stops is None else stops

    def __reduce__(self) -> tuple[type["CallError"], tuple[str, CallFault, bool, str | None]]:
        return CallError, (str(self), self.kind, self.stops, self.reply)


class StateError(UserError):
    """The state folder cannot be read or written."""


class VectorStoreError(UserError):
    """The server that keeps vectors cannot be used; no question can be searched until it is mended."""

    stops = True


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """A sentence that says a name is unknown, the nearest known one, and all known ones."""
    names = list(known)
    near = difflib.get_close_matches(name, names, n=1)
    hint = f"Did you mean {near[0]}? " if near else ""
    return f"There is no {kind} called {name!r}. {hint}Known: {', '.join(names)}."
