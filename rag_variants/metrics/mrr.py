"""Reciprocal rank: how far up the first gold chunk stands."""

from rag_variants.metrics.cases import Cases, make_metric, scored
from rag_variants.metrics.metric import Detail, Subject, Worked
from rag_variants.types import Score


def _mrr(subject: Subject) -> Score:
    """1 ÷ rank of the first gold hit, 0 if there is none (reciprocal rank; Voorhees 1999)."""
    marked = subject.marked
    return scored(1.0 / marked.gold_ranks[0] if marked.gold_ranks else 0.0, marked.reason, marked.detail)


def _work_out(detail: Detail) -> Worked:
    first = next(iter(detail["gold_ranks"]), None)
    formula = "1 / rank of the first gold chunk (0 without one)"
    return Worked(formula, f"1 / {first}" if first else "0", 1 / first if first else 0.0)


METRIC = make_metric(
    "mrr",
    ("retrieval", "Ranked it?"),
    (
        "Reciprocal rank",
        "1 for a gold chunk at rank 1, 1/2 at rank 2, 1/3 at rank 3.",
        "It does not see later gold chunks.",
    ),
    _mrr,
    Cases(frozenset({"evidence"}), "hits", nothing_retrieved="zero"),
    translations={
        "pl": (
            "odwrotność pozycji (MRR)",
            "1, gdy fragment z dowodem jest na 1. miejscu, 1/2 na 2., 1/3 na 3.",
            "Kolejnych takich fragmentów nie widzi.",
        ),
        "zh": (
            "倒数排名（MRR）",
            "含证据的片段排第 1 得 1，排第 2 得 1/2，排第 3 得 1/3。",
            "它看不到后面的此类片段。",
        ),
    },
    term="MRR",
    work_out=_work_out,
)
