"""A set of questions with one identity."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from rag_variants.corpus.knowledge import Skipped
from rag_variants.errors import QuestionsError
from rag_variants.questions.slices import Slice, read_slice
from rag_variants.types import Question


@dataclass(frozen=True, eq=False)
class QuestionSet:
    """Questions in file order. `skipped` are rows left out with the reason, `notes` say how columns were read."""

    name: str
    questions: tuple[Question, ...]
    skipped: tuple[Skipped, ...] = ()
    notes: tuple[str, ...] = ()

    @cached_property
    def fingerprint(self) -> str:
        """16 hex digits of the questions and all that is known about their answers."""
        return hashlib.sha256(repr(self.questions).encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def tag_values(self) -> dict[str, tuple[str, ...]]:
        """Every tag with its values, both sorted."""
        found: dict[str, set[str]] = {}
        for question in self.questions:
            for name, value in question.tags:
                found.setdefault(name, set()).add(value)
        return {name: tuple(sorted(found[name])) for name in sorted(found)}

    def restricted(self, wanted: str | Slice) -> "QuestionSet":
        """The questions of a slice such as `kind=stale`.

        Raises QuestionsError if it is no slice, holds no question, or names a value that no question carries.
        """
        part = wanted if isinstance(wanted, Slice) else read_slice(wanted, self.questions)
        kept = tuple(question for question in self.questions if part.holds(question))
        missing = ", ".join(part.missing(self.questions)) or ("" if kept else str(part))
        if missing:
            known = [f"{name}={each}" for name, values in self.tag_values().items() for each in values]
            raise QuestionsError(f"No question of {self.name} has {missing}. Use: {', '.join(known) or '(no tags)'}.")
        return replace(self, questions=kept)

    def chosen(self, questions: Iterable[Question]) -> "QuestionSet":
        """The same set with these of its questions."""
        return replace(self, questions=tuple(questions))

    def first(self, count: int) -> "QuestionSet":
        """The first `count` questions in file order."""
        return replace(self, questions=self.questions[:count])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, QuestionSet) and other.fingerprint == self.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)
