"""Answers cached by value: the same hits to the same question are answered once."""

from collections.abc import Sequence
from dataclasses import dataclass

from rag_variants.pipeline.answer.answerer import Answerer
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.cache import Timed, timed
from rag_variants.pipeline.stage_key import StageKey
from rag_variants.types import Answer, Hit

ANSWERS_HELD = 5_000


@dataclass(frozen=True)
class CachedAnswerer:
    """An answerer that is a function of question and hits alone, with its answers cached on the bench."""

    answerer: Answerer
    key: StageKey
    bench: Bench

    def answer(self, question: str, hits: Sequence[Hit]) -> Answer:
        """The answer, made now or before."""
        return self.answer_timed(question, hits).value

    def answer_timed(self, question: str, hits: Sequence[Hit]) -> Timed[Answer]:
        """The answer with the time it took when it was made, so that those who share it are not told apart by it."""
        return self.bench.cached(
            "answer",
            self.key,
            lambda _: timed(lambda: self.answerer.answer(question, hits)),
            question,
            tuple((hit.rank, hit.chunk.order) for hit in hits),
            limit=ANSWERS_HELD,
        )
