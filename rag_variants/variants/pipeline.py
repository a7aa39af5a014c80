"""One question through one variant: rank → select → answer → record."""

import time
from collections.abc import Callable
from typing import TypeVar

from rag_variants.errors import UserError
from rag_variants.types import Question, Record
from rag_variants.variants.answering import Answerer
from rag_variants.variants.base import Variant
from rag_variants.variants.select import select_hits
from rag_variants.variants.spec import print_variant
from rag_variants.variants.stages import Bench

T = TypeVar("T")


def answer_question(variant: Variant, question: Question, bench: Bench, answerer: Answerer) -> Record:
    """The record of one question. A mistake that a user can mend becomes the record's error, no answer."""
    timing: dict[str, float] = {}
    try:
        ranking = _timed("rank", timing, lambda: tuple(variant.rank(question.user_input, bench)))
        hits = _timed("select", timing, lambda: select_hits(ranking, variant))
        answer = _timed("answer", timing, lambda: answerer.answer(question.user_input, hits))
    except UserError as error:
        return Record(question, timing_ms=timing, error=f"{print_variant(variant)}: {error}")
    return Record(question, ranking, hits, answer, timing)


def _timed(stage: str, timing: dict[str, float], step: Callable[[], T]) -> T:
    begin = time.perf_counter()
    try:
        return step()
    finally:
        timing[stage] = (time.perf_counter() - begin) * 1000
