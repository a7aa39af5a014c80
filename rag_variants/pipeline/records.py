"""One question through a pipeline: expand → rank → rerank → select → answer → record."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from rag_variants.errors import UserError
from rag_variants.llm.flow import Aside
from rag_variants.llm.specs import is_chat_spec
from rag_variants.pipeline.answer import Answerer, AsyncAnswerer, open_answerer
from rag_variants.pipeline.answer.cached import CachedAnswerer
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.expand import find_expander
from rag_variants.pipeline.expand.rewriting import Rewriter, open_rewriter
from rag_variants.pipeline.query import Written, shown_expansion
from rag_variants.pipeline.rerank import OFF, open_reranker
from rag_variants.pipeline.select.select import select
from rag_variants.pipeline.spec import print_variant
from rag_variants.pipeline.stage_key import stage_key
from rag_variants.pipeline.stages import expand, rank, rerank
from rag_variants.pipeline.variant import Ranks, Variant
from rag_variants.types import Answer, Question, Record

T = TypeVar("T")


class PipelineRecorder:
    """A pipeline at work, all of its models opened. Raises ModelError for one that cannot be used."""

    def __init__(self, variant: Ranks, bench: Bench) -> None:
        self._variant, self._bench = variant, bench
        self._answerer = open_answerer(variant, bench)
        if variant.encoder is not None:
            bench.embeddings(variant.encoder)
        if (reranker := stage_key(variant, "rerank").reranker) != OFF:
            open_reranker(reranker, bench)
        self._rewriter = open_rewriter(variant, bench)

    @property
    def waits(self) -> bool:
        """Whether it waits for a chat model; a reranker elsewhere is asked before."""
        return self._rewriter is not None or isinstance(self._answerer, AsyncAnswerer)

    @property
    def notes(self) -> Sequence[str]:
        """What the models that wrote, embedded, reranked and answered said of themselves."""
        said: list[str] = list(self._rewriter.notes) if self._rewriter else []
        if self._variant.encoder is not None:
            said += self._bench.embeddings(self._variant.encoder).notes
        if (reranker := stage_key(self._variant, "rerank").reranker) != OFF:
            said += getattr(open_reranker(reranker, self._bench), "notes", ())
        return (*said, *getattr(self._answerer, "notes", ()))

    @property
    def versions(self) -> Mapping[str, str]:
        """Answerer, expander, embeddings and reranker, as far as there are any."""
        variant, bench = self._variant, self._bench
        found = {"answerer": _version(stage_key(variant, "answer").answerer, self._answerer)}
        if self._rewriter is not None:
            found["expander"] = self._rewriter.version
        if (encoder := variant.encoder) is not None:
            model = bench.embeddings(encoder).model
            found["embeddings"] = f"{model.name} {model.version}"
        if (reranker := stage_key(variant, "rerank").reranker) != OFF:
            found["reranker"] = _version(reranker, open_reranker(reranker, bench))
        return found

    async def retrieve(self, question: Question, aside: Aside) -> Record:
        """The record up to its hits. Raises a UserError that `stops`."""
        written = await write_question(self._variant, question, self._bench, self._rewriter)
        if isinstance(written, Record):
            return written
        found: Record = await aside(partial(retrieve_question, self._variant, question, self._bench, written))
        return found

    async def answer(self, record: Record, aside: Aside) -> Record:
        """The record with its answer. Raises a UserError that `stops`."""
        if isinstance(self._answerer, AsyncAnswerer):
            return await answer_record_async(self._variant, record, self._answerer)
        answered: Record = await aside(partial(answer_record, self._variant, record, self._answerer))
        return answered


def _version(spec: str, part: object) -> str:
    return " ".join(filter(None, (spec, getattr(part, "version", None))))


def retrieve_question(variant: Ranks, question: Question, bench: Bench, written: Written | None = None) -> Record:
    """The record of one question up to its hits, without an answer. A mistake that a user can mend is its error.

    `written` is what a chat model wrote for it; where one has to and it is not given, it is asked and waited for. A
    cached ranking or reranking has the time that it took when it was made, so that variants that share it are not told
    apart by it.
    """
    asked, timing = question.user_input, dict[str, float]()
    key = stage_key(variant, "select")
    expansion = None
    try:
        expanded = _timed("query", timing, lambda: expand(variant, asked, bench, written))
        timing["query"] = expanded.milliseconds
        kind = stage_key(variant, "query").expansion
        if find_expander(kind) is None:
            del timing["query"]  # there is no such stage
        else:
            expansion = shown_expansion(kind, expanded)
        found = _timed("rank", timing, lambda: rank(variant, expanded.query, bench))
        timing["rank"] = found.milliseconds
        if key.reranker != OFF:
            found = _timed("rerank", timing, lambda: rerank(variant, asked, expanded.query, bench))
            timing["rerank"] = found.milliseconds
        chosen = _timed("select", timing, lambda: select(found.value, key, bench))
    except UserError as error:
        return Record(question, timing_ms=timing, error=_sentence(variant, error), expansion=expansion)
    return Record(
        question, found.value, chosen.hits, timing_ms=timing, expansion=expansion, passed_over=chosen.passed_over
    )


async def write_question(
    variant: Ranks, question: Question, bench: Bench, rewriter: Rewriter | None
) -> Written | Record | None:
    """What a chat model writes for a question, or the record with the error that stood in the way; None without one.

    Texts that an encoder elsewhere has not seen are embedded while others work. Raises a UserError that `stops`.
    """
    if rewriter is None:
        return None
    begin = time.perf_counter()
    try:
        written = await rewriter.write(question.user_input)
        if (encoder := variant.encoder) is not None and is_chat_spec(encoder):
            await bench.embeddings(encoder).embed(rewriter.task.role, written.texts)
        return written
    except UserError as error:
        timing = {"query": (time.perf_counter() - begin) * 1000}
        return Record(question, timing_ms=timing, error=_sentence(variant, error))


def answer_question(variant: Ranks, question: Question, bench: Bench, answerer: Answerer) -> Record:
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
        if isinstance(answerer, CachedAnswerer):
            cached = answerer.answer_timed(record.question.user_input, record.hits)
            return replace(record, answer=cached.value, timing_ms={**record.timing_ms, "answer": cached.milliseconds})
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
