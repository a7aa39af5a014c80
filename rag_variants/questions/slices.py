"""The written form of a part of a question set: `kind=stale`, `lesson=stale,language=pl|zh`, `id=en-001|en-004`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rag_variants.errors import QuestionsError
from rag_variants.text.as_read import as_read
from rag_variants.types import Question

ID = "id"  # the one name that is no tag


@dataclass(frozen=True, slots=True)
class Slice:
    """Questions that carry, for every name, one of its values; `id` stands for the question's own id."""

    wanted: tuple[tuple[str, tuple[str, ...]], ...]

    def holds(self, question: Question) -> bool:
        """Whether a question belongs to the slice."""
        return all(_value(question, name) in values for name, values in self.wanted)

    def missing(self, questions: Sequence[Question]) -> tuple[str, ...]:
        """The parts, such as `language=xx`, that no question carries."""
        carried = {(name, _value(question, name)) for name, _ in self.wanted for question in questions}
        return tuple(f"{name}={each}" for name, values in self.wanted for each in values if (name, each) not in carried)

    def __str__(self) -> str:
        return ",".join(f"{name}={'|'.join(values)}" for name, values in self.wanted)


def _value(question: Question, name: str) -> str | None:
    return question.id if name == ID else question.tag(name)


def make_slice(tags: Mapping[str, Iterable[str]], ids: Iterable[str] = ()) -> Slice:
    """The slice of the questions that carry the tags' values and, where ids are given, are among them."""
    wanted = [(name, tuple(values)) for name, values in tags.items()]
    listed = tuple(ids)
    return Slice(tuple(wanted + ([(ID, listed)] if listed else [])))


def read_slice(text: str, questions: Iterable[Question]) -> Slice:
    """The slice that a text writes. Raises QuestionsError for a text that is none.

    A tag whose value itself holds `,` or `|` is meant whole where a question carries it.
    """
    text = as_read(text)
    name, equals, value = (each.strip() for each in text.partition("="))
    if equals and any(question.tag(name) == value for question in questions):
        return Slice(((name, (value,)),))
    wanted = []
    for piece in text.split(","):
        name, equals, values = (each.strip() for each in piece.partition("="))
        if not (name and equals and values):
            raise QuestionsError(
                f"A slice is TAG=VALUE, such as language=pl, or kind=stale,language=pl|zh; {text[:80]!r} is none."
            )
        wanted.append((name, tuple(each.strip() for each in values.split("|"))))
    return Slice(tuple(wanted))
