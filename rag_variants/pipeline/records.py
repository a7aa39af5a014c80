"""One question through one variant: query → rank → rerank → select → answer → record."""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from rag_variants.errors import UserError
from rag_variants.llm.specs import is_chat_spec
from rag_variants.pipeline.answer import Answerer, AsyncAnswerer
from rag_variants.pipeline.answer.cached import KeptAnswerer
from rag_variants.pipeline.expand.rewriting import TASKS, Rewriter
from rag_variants.pipeline.query import Written, shown_expansion
from rag_variants.pipeline.rerank import OFF
from rag_variants.pipeline.select.select import select
from rag_variants.pipeline.spec import print_variant
from rag_variants.pipeline.stages import Bench
from rag_variants.pipeline.variant import Variant
from rag_variants.types import Answer, Expansion, Question, Record

T = TypeVar("T")


def retrieve_question(variant: Variant, question: Question, bench: Bench, written: Written | None = None) -> Record:
    """The record of one question up to its hits, without an answer. A mistake that a user can mend is its error.

    `written` is what a chat model wrote for it; where one has to and it is not given, it is asked and waited for. A
    kept ranking or reranking has the time that it took when it was made, so that variants that share it are not told
    apart by it.
    """
    timing: dict[str, float] = {}
    expansion: Expansion | None = None
    try:
        expanded = _timed("query", timing, lambda: bench.expand(variant, question.user_input, written))
        expansion, timing["query"] = shown_expansion(variant.expansion, expanded), expanded.milliseconds
        if expansion is None:
            del timing["query"]  # there is no such stage
        ranked = _timed("rank", timing, lambda: bench.rank(variant, question.user_input, expanded.query))
        ranking, timing["rank"] = ranked.hits, ranked.milliseconds
        if variant.reranker != OFF:
            reranked = _timed("rerank", timing, lambda: bench.rerank(variant, question.user_input, expanded.query))
            ranking, timing["rerank"] = reranked.hits, reranked.milliseconds
        chosen = _timed("select", timing, lambda: select(ranking, variant, bench))
    except UserError as error:
        return Record(question, timing_ms=timing, error=_sentence(variant, error), expansion=expansion)
    return Record(question, ranking, chosen.hits, timing_ms=timing, expansion=expansion, passed_over=chosen.passed_over)


async def write_expansion(variant: Variant, question: Question, rewriter: Rewriter, bench: Bench) -> Written | Record:
    """What a chat model writes for a question, or the record with the error that stood in the way.

    Texts that an encoder elsewhere has not seen are embedded while others work. Raises a UserError that `stops`.
    """
    begin = time.perf_counter()
    try:
        written = await rewriter.write(question.user_input)
        if is_chat_spec(spec := getattr(variant, "embeddings", "")):
            await bench.embeddings(spec).embed(TASKS[variant.expansion].role, written.texts)
        return written
    except UserError as error:
        timing = {"query": (time.perf_counter() - begin) * 1000}
        return Record(question, timing_ms=timing, error=_sentence(variant, error))


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
        if isinstance(answerer, KeptAnswerer):
            kept = answerer.answer_timed(record.question.user_input, record.hits)
            return replace(record, answer=kept.answer, timing_ms={**record.timing_ms, "answer": kept.milliseconds})
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
