"""Faithfulness, answer relevancy, context precision and context recall, computed by ragas itself."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rag_variants.metrics.ahead import QUESTIONS, Kind, independent_parts
from rag_variants.metrics.base import Metric, Subject
from rag_variants.metrics.cases import (
    Cases,
    UnreadableReplyError,
    make_metric,
    scored,
    unscored,
)
from rag_variants.metrics.details import check_replies, claim_entries, precision_ends, rank_entries, share_ends
from rag_variants.types import Answer, Record, Score

if TYPE_CHECKING:
    from rag_variants.judges.prompting import Texts
    from rag_variants.judges.ragas_llm import (
        BaseRagasEmbedding,
        Exchange,
        InstructorBaseRagasLLM,
        RecordingEmbeddings,
    )


@dataclass(frozen=True, slots=True)
class Asked:
    """ragas' value (NaN where it has none), what passed through the judge, and the embeddings that were used."""

    value: float
    exchanges: Sequence["Exchange"]
    embeddings: "RecordingEmbeddings"


async def ask_ragas(kind: Kind, subject: Subject, **inputs: Any) -> Asked:
    """The value of one of ragas' collections metrics for a subject, with checked replies.

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
    if kind == "semantic_similarity":
        await embeddings.aembed_texts([inputs["reference"], inputs["response"]])
    if hasattr(judge, "ahead"):
        await _ask_ahead(kind, judge.ahead(), texts, inputs)
    llm = RecordingLLM(judge)
    metric = _build(kind, llm, embeddings)
    carry_data(metric, llm, texts)
    result = await metric.ascore(**inputs)
    check_replies(llm.exchanges)
    return Asked(float(result.value), tuple(llm.exchanges), embeddings)


async def _ask_ahead(kind: Kind, llm: "InstructorBaseRagasLLM", texts: "Texts", inputs: Mapping[str, Any]) -> None:
    """Lets ragas score the independent parts of a metric at the same time, so that the judge has their replies.

    What a part comes to is not used, and a part that fails fails again when the whole metric asks.
    """
    from rag_variants.judges.prompting import carry_data
    from rag_variants.judges.ragas_llm import UnitEmbeddings

    parts = independent_parts(kind, inputs)
    if len(parts) > 1:
        metrics = [_build(kind, llm, UnitEmbeddings(), single=True) for _ in parts]
        for metric in metrics:
            carry_data(metric, llm, texts)
        scores = (metric.ascore(**part) for metric, part in zip(metrics, parts, strict=True))
        await asyncio.gather(*scores, return_exceptions=True)


def _build(kind: Kind, llm: "InstructorBaseRagasLLM", embeddings: "BaseRagasEmbedding", *, single: bool = False) -> Any:
    """ragas' metric; with `single` it asks what one of its independent parts needs."""
    from ragas.metrics import collections

    match kind:
        case "faithfulness":
            return collections.Faithfulness(llm=llm)
        case "answer_relevancy":
            # A judge that cannot generate questions hands back the same text each time: once is enough.
            generates = getattr(llm, "generates_questions", True)
            times = QUESTIONS if generates and not single else 1
            return collections.AnswerRelevancy(llm=llm, embeddings=embeddings, strictness=times)
        case "context_precision":
            return collections.ContextPrecision(llm=llm)
        case "context_recall":
            return collections.ContextRecall(llm=llm)
        case "context_utilization":
            return collections.ContextUtilization(llm=llm)
        case "factual_correctness":
            # F1 is made of two precisions, each of one text's claims against the other text.
            return collections.FactualCorrectness(llm=llm, mode="precision" if single else "f1")
        case "semantic_similarity":
            return collections.SemanticSimilarity(embeddings=embeddings)


def context_texts(record: Record) -> list[str]:
    """The texts of the selected hits, by rank."""
    return [hit.chunk.text for hit in record.hits]


def answer_of(record: Record) -> Answer:
    """The record's answer. Raises ValueError if there is none, which the case table rules out."""
    if record.answer is None:
        raise ValueError("there is no answer")
    return record.answer


async def _faithfulness(subject: Subject) -> Score:
    """Supported claims ÷ claims. An answer out of nothing is judged against an empty context: ragas refuses none."""
    record = subject.record
    asked = await ask_ragas(
        "faithfulness",
        subject,
        user_input=record.question.user_input,
        response=answer_of(record).text,
        retrieved_contexts=context_texts(record) or [""],
    )
    if len(asked.exchanges) < 2:
        return unscored("no claims to check", {"claims": []})
    claims = claim_entries(getattr(asked.exchanges[1].output, "statements", ()))
    if not claims:
        return unscored("no claims to check", {"claims": []})
    reason = None if record.hits else "nothing was retrieved that could support the answer"
    return scored(asked.value, reason, {"claims": claims, **share_ends(claims)})


async def _answer_relevancy(subject: Subject) -> Score:
    """Mean cosine of the question and the questions that the judge reads out of the answer; 0 if noncommittal."""
    question = subject.record.question.user_input
    asked = await ask_ragas("answer_relevancy", subject, user_input=question, response=answer_of(subject.record).text)
    outputs = [exchange.output for exchange in asked.exchanges]
    questions = [
        {
            "question": text,
            "noncommittal": int(getattr(output, "noncommittal", 0)),
            "similarity": asked.embeddings.similarity(question, text),
        }
        for output in outputs
        for text in [str(getattr(output, "question", ""))]
        if text
    ]
    if not questions:
        raise UnreadableReplyError("no question was generated", [output.model_dump(mode="json") for output in outputs])
    evasive = all(each["noncommittal"] for each in questions)
    reason = "the judge finds that the answer does not commit itself" if evasive else None
    return scored(asked.value, reason, {"questions": questions}, low=-1.0)


async def _context_precision(subject: Subject) -> Score:
    """Average precision of the chunks that helped to arrive at the reference."""
    record = subject.record
    asked = await ask_ragas(
        "context_precision",
        subject,
        user_input=record.question.user_input,
        reference=record.question.reference,
        retrieved_contexts=context_texts(record),
    )
    return precision_score(asked, record)


def precision_score(asked: Asked, record: Record) -> Score:
    """The score of an average precision with its verdict per rank."""
    verdicts = rank_entries(asked.exchanges, [hit.chunk.id for hit in record.hits])
    reason = None if any(entry["verdict"] for entry in verdicts) else "no chunk was found useful"
    return scored(asked.value, reason, {"verdicts": verdicts, **precision_ends(verdicts)})


async def _context_recall(subject: Subject) -> Score:
    """Statements of the reference found in the hits ÷ statements of the reference."""
    record = subject.record
    asked = await ask_ragas(
        "context_recall",
        subject,
        user_input=record.question.user_input,
        retrieved_contexts=context_texts(record),
        reference=record.question.reference,
    )
    statements = claim_entries(getattr(asked.exchanges[0].output, "classifications", ()))
    if not statements:
        return unscored("the judge found no statement in the reference", {"statements": []})
    return scored(asked.value, None, {"statements": statements, **share_ends(statements)})


CORE: tuple[Metric, ...] = (
    make_metric(
        "faithfulness",
        ("core", "Answered it?"),
        (
            "Faithfulness",
            "The share of the answer's claims that the retrieved text supports. Not whether it is right or to the "
            "point: faithfully retelling the wrong page scores 1.",
        ),
        _faithfulness,
        Cases(frozenset({"answer", "judge"}), "both", declined="unscored", unanswerable=True),
    ),
    make_metric(
        "answer_relevancy",
        ("core", "Answered it?"),
        (
            "Answer relevancy",
            "How close the answer is to the question: the judge guesses the question from the answer, and guesses are "
            "compared with it. Wrong but on topic scores high.",
        ),
        _answer_relevancy,
        Cases(frozenset({"answer", "judge", "embeddings"}), "answer", declined="zero"),
        keyless_label="Topic closeness",
    ),
    make_metric(
        "context_precision",
        ("core", "Ranked it?"),
        (
            "Context precision",
            "Whether useful chunks stand above useless ones. Divided by the useful chunks retrieved: noise after the "
            "last costs nothing, one never found is not missed.",
        ),
        _context_precision,
        Cases(frozenset({"reference", "judge"}), "hits", nothing_retrieved="unscored"),
    ),
    make_metric(
        "context_recall",
        ("core", "Found it?"),
        (
            "Context recall",
            "The share of the reference answer's statements that stand in the retrieved text. "
            "Noise does not lower it, so more chunks never hurt it.",
        ),
        _context_recall,
        Cases(frozenset({"reference", "judge"}), "hits", nothing_retrieved="zero"),
    ),
)
