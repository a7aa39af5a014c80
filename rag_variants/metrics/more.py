"""Further metrics: three of ragas', and ragas' context precision on evidence in place of verdicts."""

from rag_variants.metrics.base import Metric, Subject
from rag_variants.metrics.cases import Cases, make_metric, scored
from rag_variants.metrics.core import answer_of, ask_ragas, context_texts, precision_score
from rag_variants.metrics.details import average_precision, claim_entries
from rag_variants.types import Score


async def _context_utilization(subject: Subject) -> Score:
    """Average precision of the chunks that helped to arrive at the answer given."""
    record = subject.record
    asked = await ask_ragas(
        "context_utilization",
        subject,
        user_input=record.question.user_input,
        response=answer_of(record).text,
        retrieved_contexts=context_texts(record),
    )
    return precision_score(asked, record)


def _context_precision_evidence(subject: Subject) -> Score:
    """ragas' average precision with "holds evidence" as the verdict on each rank, 0…1."""
    chunks = [hit.chunk for hit in subject.record.hits]
    marks = [int(bool(subject.gold.mark(chunk).gold)) for chunk in chunks]
    verdicts = [
        {"rank": rank, "chunk_id": chunk.id, "verdict": mark}
        for rank, (chunk, mark) in enumerate(zip(chunks, marks, strict=True), start=1)
    ]
    reason = None if any(marks) else "no chunk holds evidence"
    return scored(average_precision(marks), reason, {"verdicts": verdicts})


async def _factual_correctness(subject: Subject) -> Score:
    """F1 of the claims that answer and reference share, 0…1, to two digits (ragas rounds it)."""
    reference = subject.record.question.reference
    asked = await ask_ragas(
        "factual_correctness", subject, response=answer_of(subject.record).text, reference=reference
    )
    sides: dict[str, list[object]] = {"claims": [], "reference_claims": []}
    for exchange in asked.exchanges:
        if hasattr(exchange.output, "statements"):
            side = "claims" if getattr(exchange.input, "context", None) == reference else "reference_claims"
            sides[side] += claim_entries(exchange.output.statements)
    if not sides["claims"]:
        return scored(0.0, "the answer makes no claims", sides)
    return scored(asked.value, None, sides)


async def _semantic_similarity(subject: Subject) -> Score:
    """Cosine −1…1 of answer and reference as whole texts, by the judge's embeddings."""
    asked = await ask_ragas(
        "semantic_similarity",
        subject,
        reference=subject.record.question.reference,
        response=answer_of(subject.record).text,
    )
    return scored(asked.value, None, None, low=-1.0)


MORE: tuple[Metric, ...] = (
    make_metric(
        "context_utilization",
        ("more", "Ranked it?"),
        (
            "Context utilization",
            "Context precision against the answer given in place of a reference: whether the chunks the answer rests "
            "on stand on top. Right or wrong makes no difference.",
        ),
        _context_utilization,
        Cases(frozenset({"answer", "judge"}), "both", nothing_retrieved="unscored", declined="unscored"),
    ),
    make_metric(
        "context_precision_evidence",
        ("more", "Ranked it?"),
        (
            "Context precision by evidence",
            "Context precision with quoted evidence in place of a judge: where the two differ, look at the judge. "
            "Noise after the last gold chunk does not lower it.",
        ),
        _context_precision_evidence,
        Cases(frozenset({"evidence"}), "hits", nothing_retrieved="unscored"),
    ),
    make_metric(
        "factual_correctness",
        ("more", "Answered it?"),
        (
            "Factual correctness",
            "Claims that answer and reference share, against those that only one of them makes (F1). It needs a chat "
            "model as the judge.",
        ),
        _factual_correctness,
        Cases(frozenset({"reference", "answer", "judge"}), "answer", declined="zero"),
    ),
    make_metric(
        "semantic_similarity",
        ("more", "Answered it?"),
        (
            "Semantic similarity",
            "How close the whole answer is to the whole reference in meaning. A changed number hardly lowers it.",
        ),
        _semantic_similarity,
        Cases(frozenset({"reference", "answer", "embeddings"}), "answer", declined="zero"),
    ),
)
