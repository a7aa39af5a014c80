"""Answers kept by value: the same hits to the same question are answered once."""

import time
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rag_variants.types import Answer, Hit

if TYPE_CHECKING:
    from rag_variants.pipeline.answer.answerer import Answerer
    from rag_variants.pipeline.stages import Bench

ANSWERS_KEPT = 5_000


@dataclass(frozen=True, slots=True)
class TimedAnswer:
    """An answer and the milliseconds it took when it was made."""

    answer: Answer
    milliseconds: float


@dataclass(frozen=True)
class KeptAnswerer:
    """An answerer that is a function of question and hits alone, with its answers kept on the bench.

    `part` is what decides an answer besides: the style with the settings that it reads.
    """

    answerer: "Answerer"
    part: Hashable
    bench: "Bench"

    def answer(self, question: str, hits: Sequence[Hit]) -> Answer:
        """The answer, made now or before."""
        return self.answer_timed(question, hits).answer

    def answer_timed(self, question: str, hits: Sequence[Hit]) -> TimedAnswer:
        """The answer with the time it took when it was made, so that those who share it are not told apart by it."""
        key = (self.bench.knowledge, self.part, question, tuple((hit.rank, hit.chunk.order) for hit in hits))
        return self.bench.stages.keep("answer", key, lambda: self._make(question, hits), ANSWERS_KEPT)

    def _make(self, question: str, hits: Sequence[Hit]) -> TimedAnswer:
        begin = time.perf_counter()
        answer = self.answerer.answer(question, hits)
        return TimedAnswer(answer, (time.perf_counter() - begin) * 1000)
