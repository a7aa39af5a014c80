"""Context precision by evidence: ragas' formula with gold marks in place of a judge's verdicts."""

from rag_variants.metrics.cases import Cases, make_metric, scored
from rag_variants.metrics.metric import Detail, Subject, Verdicts, Worked
from rag_variants.metrics.verdicts import average_precision, work_out_precision
from rag_variants.types import Score


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


_VERDICTS = Verdicts("verdicts", "chunk")


def _work_out(detail: Detail) -> Worked:
    return work_out_precision(_VERDICTS.marks(detail), "gold")


METRIC = make_metric(
    "context_precision_evidence",
    ("more", "Ranked it?"),
    (
        "Context precision by evidence",
        "Context precision with quoted evidence in place of a judge: where the two differ, look at the judge.",
        "Noise after the last gold chunk does not lower it.",
    ),
    _context_precision_evidence,
    Cases(frozenset({"evidence"}), "hits", nothing_retrieved="unscored"),
    translations={
        "pl": (
            "precyzja kontekstu według dowodów",
            "Precyzja kontekstu z cytowanymi dowodami zamiast sędziego: gdzie się różnią, sprawdź sędziego.",
            "Szum za ostatnim fragmentem z dowodem jej nie obniża.",
        ),
        "zh": (
            "按证据的上下文精确率",
            "用引文证据代替裁判判定的上下文精确率：两者不一致时，要检查裁判。",
            "最后一个含证据的片段之后的噪声不会拉低它。",
        ),
    },
    verdicts=_VERDICTS,
    work_out=_work_out,
)
