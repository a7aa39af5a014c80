"""One question through one variant: rank → select → answer → record."""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from rag_variants.errors import UserError
from rag_variants.types import Answer, Question, Record
from rag_variants.variants.answering import Answerer, AsyncAnswerer
from rag_variants.variants.base import Variant
from rag_variants.variants.select import select
from rag_variants.variants.spec import print_variant
from rag_variants.variants.stages import Bench

T = TypeVar("T")


def retrieve_question(variant: Variant, question: Question, bench: Bench) -> Record:
    """The record of one question up to its hits, without an answer. A mistake that a user can mend is its error.

    A kept ranking has the time that it took when it was made, so that variants that share it are not told apart by it.
    """
    timing: dict[str, float] = {}
    try:
        ranked = _timed("rank", timing, lambda: bench.rank(variant, question.user_input))
        ranking, timing["rank"] = ranked.hits, ranked.milliseconds
        chosen = _timed("select", timing, lambda: select(ranking, variant, bench))
    except UserError as error:
        return Record(question, timing_ms=timing, error=_sentence(variant, error))
    return Record(question, ranking, chosen.hits, timing_ms=timing, passed_over=chosen.passed_over)


def answer_question(variant: Variant, question: Question, bench: Bench, answerer: Answerer) -> Record:
    """The record of one question. A mistake that a user can mend becomes the record's error, no answer.

    What was found before the mistake stays in the record. Raises a UserError that `stops`.
    """
    return answer_record(variant, retrieve_question(variant, question, bench), answerer)


def answer_record(variant: Variant, record: Record, answerer: Answerer) -> Record:
    """A retrieved record with its answer, or with the error that stood in the way; one with an error stays as it is."""
    if record.error is not None:
        return record
    begin = time.perf_counter()
    try:
        answer = answerer.answer(record.question.user_input, record.hits)
    except UserError as error:
        return _after(record, begin, error=_sentence(variant, error))
    return _after(record, begin, answer=answer)


async def answer_record_async(variant: Variant, record: Record, answerer: AsyncAnswerer) -> Record:
    """As `answer_record`, by an answerer that lets others work while it waits.

    The time of the answer is its time on the wire, without the wait for a turn; a reply from memory has none.
    """
    if record.error is not None:
        return record
    begin = time.perf_counter()
    try:
        answer = await answerer.answer_async(record.question.user_input, record.hits)
    except UserError as error:
        return _after(record, begin, error=_sentence(variant, error))
    took = {} if answer.seconds is None else {"answer": answer.seconds * 1000}
    return replace(record, answer=answer, timing_ms={**record.timing_ms, **took})


def _after(record: Record, begin: float, answer: Answer | None = None, error: str | None = None) -> Record:
    timing = {**record.timing_ms, "answer": (time.perf_counter() - begin) * 1000}
    return replace(record, answer=answer, error=error, timing_ms=timing)


def _sentence(variant: Variant, error: UserError) -> str:
    """The error as a record keeps it. Raises one that stops the run."""
    if error.stops:
        raise error
    return f"{print_variant(variant)}: {error}"


def _timed(stage: str, timing: dict[str, float], step: Callable[[], T]) -> T:
    begin = time.perf_counter()
    try:
        return step()
    finally:
        timing[stage] = (time.perf_counter() - begin) * 1000
