"""Work that takes a while: done step by step, stopped between steps, with what was finished kept."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, Protocol, TypeVar

from rag_variants.llm.calls import Calls

Step = Literal["embedding", "reranking", "questions", "answers", "settings", "forecast", "repeats", "labels"]
STEP_WORDS: dict[Step, str] = {
    "embedding": "new passages embedded",
    "reranking": "questions reranked",
    "questions": "questions answered and scored",
    "answers": "questions done, each once per setting",
    "settings": "settings tried",
    "forecast": "questions looked through for calls",
    "repeats": "records judged again",
    "labels": "labels judged",
}

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a step is: `done` of `of` passages, questions, records or labels; `calls` to chat models, if any."""

    step: Step
    done: int
    of: int
    calls: Calls | None = None

    @property
    def answering(self) -> bool:
        """Whether questions are being answered, on one setting or on many."""
        return self.step in ("questions", "answers")


class Work(Protocol[T_co]):
    """What can be followed and stopped: a caller that stops reading `steps` stops the work."""

    def steps(self) -> Iterator[Progress]:
        """Does the work, a step at a time. Raises UserError if it cannot start."""

    def result(self) -> T_co | None:
        """What the finished steps give; None if that is nothing."""

    @property
    def complete(self) -> bool:
        """Whether no step is missing."""
