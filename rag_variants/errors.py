"""Mistakes that a user can mend. Every message ends with what to do."""

import difflib
from collections.abc import Iterable


class UserError(Exception):
    """Something the user can mend: one sentence that names the thing, one that names the way out."""


class KnowledgeError(UserError):
    """The folder of documents cannot be used."""


class QuestionsError(UserError):
    """The question file cannot be used."""


class LessonsError(UserError):
    """The lesson file, or one of its lessons, cannot be used."""


class VariantError(UserError):
    """A variant or one of its settings is unknown or out of bounds."""


class ModelError(UserError):
    """A model cannot be used or did not answer."""


class StateError(UserError):
    """The state folder cannot be read or written."""


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """A sentence that says a name is unknown, the nearest known one, and all known ones."""
    names = list(known)
    near = difflib.get_close_matches(name, names, n=1)
    hint = f"Did you mean {near[0]}? " if near else ""
    return f"There is no {kind} called {name!r}. {hint}Known: {', '.join(names)}."
