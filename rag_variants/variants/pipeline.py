"""One question through one variant: rank → select → answer → record."""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from rag_variants.errors import UserError
from rag_variants.types import Question, Record
from rag_variants.variants.answering import Answerer
from rag_variants.variants.base import Variant
from rag_variants.variants.select import select_hits
from rag_variants.variants.spec import print_variant
from rag_variants.variants.stages import Bench

T = TypeVar("T")


def retrieve_question(variant: Variant, question: Question, bench: Bench) -> Record:
    """The record of one question up to its hits, without an answer. A mistake that a user can mend is its error."""
    timing: dict[str, float] = {}
    try:
        ranking = _timed("rank", timing, lambda: tuple(variant.rank(question.user_input, bench)))
        hits = _timed("select", timing, lambda: select_hits(ranking, variant))
    except UserError as error:
        return Record(question, timing_ms=timing, error=_sentence(variant, error))
    return Record(question, ranking, hits, timing_ms=timing)


def answer_question(variant: Variant, question: Question, bench: Bench, answerer: Answerer) -> Record:
    """The record of one question. A mistake that a user can mend becomes the record's error, no answer.

    What was found before the mistake stays in the record.
    """
    record = retrieve_question(variant, question, bench)
    if record.error is not None:
        return record
    timing = dict(record.timing_ms)
    try:
        answer = _timed("answer", timing, lambda: answerer.answer(question.user_input, record.hits))
    except UserError as error:
        return replace(record, timing_ms=timing, error=_sentence(variant, error))
    return replace(record, answer=answer, timing_ms=timing)


def _sentence(variant: Variant, error: UserError) -> str:
    return f"{print_variant(variant)}: {error}"


def _timed(stage: str, timing: dict[str, float], step: Callable[[], T]) -> T:
    begin = time.perf_counter()
    try:
        return step()
    finally:
        timing[stage] = (time.perf_counter() - begin) * 1000
