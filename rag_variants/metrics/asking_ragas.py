"""ragas is asked: the value of one of its metrics for a subject, with what passed through the judge."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from rag_variants.metrics.cases import scored
from rag_variants.metrics.metric import Subject
from rag_variants.metrics.verdicts import check_replies, precision_ends, rank_entries
from rag_variants.types import Answer, Record, Score

if TYPE_CHECKING:
    from rag_variants.judges.prompting import Texts
    from rag_variants.judges.ragas_llm import (
        BaseRagasEmbedding,
        Exchange,
        InstructorBaseRagasLLM,
        RecordingEmbeddings,
    )

Inputs = Mapping[str, Any]


class Build(Protocol):
    """Makes one of ragas' metrics out of `ragas.metrics.collections`, a judge and embeddings.

    With `single` it asks what one of the metric's independent parts needs.
    """

    def __call__(
        self, collections: Any, llm: "InstructorBaseRagasLLM", embeddings: "BaseRagasEmbedding", *, single: bool
    ) -> Any:
        """The metric."""


def whole(inputs: Inputs) -> list[dict[str, Any]]:
    """One part, the metric itself: it is one call, or a chain in which each call needs the reply before it."""
    return [dict(inputs)]


def by_chunk(inputs: Inputs) -> list[dict[str, Any]]:
    """A part per chunk."""
    return [{**inputs, "retrieved_contexts": [text]} for text in inputs["retrieved_contexts"]]


@dataclass(frozen=True, slots=True)
class RagasMetric:
    """One of ragas' collections metrics: how it is made, and what inside it can be asked at the same time.

    ragas (0.4.3) asks one thing after the other: a verdict per chunk, three questions from the answer, the claims of
    two texts against each other. `parts` gives the inputs of each part that needs no reply to another.
    `embedded` names the inputs whose vectors have to be there before it begins.
    """

    build: Build
    parts: Callable[[Inputs], list[dict[str, Any]]] = whole
    embedded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """ragas' value (NaN where it has none), what passed through the judge, and the embeddings that were used."""

    value: float
    exchanges: Sequence["Exchange"]
    embeddings: "RecordingEmbeddings"


async def ask_ragas(kind: RagasMetric, subject: Subject, **inputs: Any) -> Asked:
    """The value of one of ragas' metrics for a subject, with checked replies.

    Raises UnreadableReplyError for a verdict that is none, else what JUDGE_FAILURES lists. A metric object is built per
    score (6 µs), so that what is recorded belongs to this score alone.
    """
    from rag_variants.judges.prompting import carry_data
    from rag_variants.judges.ragas_llm import RecordingEmbeddings, RecordingLLM

    if subject.judge is None:
        raise ValueError("no judge is chosen")
    judge = subject.judge.open(subject.record)
    embeddings = RecordingEmbeddings(subject.judge.embeddings)
    texts: Texts = {}
    if kind.embedded:
        await embeddings.aembed_texts([inputs[name] for name in kind.embedded])
    if hasattr(judge, "ahead"):
        await _ask_ahead(kind, judge.ahead(), texts, inputs)
    llm = RecordingLLM(judge)
    metric = kind.build(_collections(), llm, embeddings, single=False)
    carry_data(metric, llm, texts)
    result = await metric.ascore(**inputs)
    check_replies(llm.exchanges)
    return Asked(float(result.value), tuple(llm.exchanges), embeddings)


async def _ask_ahead(kind: RagasMetric, llm: "InstructorBaseRagasLLM", texts: "Texts", inputs: Inputs) -> None:
    """Lets ragas score the independent parts of a metric at the same time, so that the judge has their replies.

    What a part comes to is not used, and a part that fails fails again when the whole metric asks.
    """
    from rag_variants.judges.prompting import carry_data
    from rag_variants.judges.ragas_llm import UnitEmbeddings

    parts = kind.parts(inputs)
    if len(parts) > 1:
        metrics = [kind.build(_collections(), llm, UnitEmbeddings(), single=True) for _ in parts]
        for metric in metrics:
            carry_data(metric, llm, texts)
        scores = (metric.ascore(**part) for metric, part in zip(metrics, parts, strict=True))
        await asyncio.gather(*scores, return_exceptions=True)


def _collections() -> Any:
    """ragas' metrics, imported after `judges.ragas_llm`, which says what ragas reads at its import."""
    from ragas.metrics import collections

    return collections


def context_texts(record: Record) -> list[str]:
    """The texts of the selected hits, by rank."""
    return [hit.chunk.text for hit in record.hits]


def answer_of(record: Record) -> Answer:
    """The record's answer. Raises ValueError if there is none, which the case table rules out."""
    if record.answer is None:
        raise ValueError("there is no answer")
    return record.answer


def score_precision(asked: Asked, record: Record) -> Score:
    """The score of an average precision with its verdict per rank."""
    verdicts = rank_entries(asked.exchanges, [hit.chunk.id for hit in record.hits])
    reason = None if any(entry["verdict"] for entry in verdicts) else "no chunk was found useful"
    return scored(asked.value, reason, {"verdicts": verdicts, **precision_ends(verdicts)})
