"""nDCG: how well all gold chunks are ranked, against the best order there could be."""

import math
from collections.abc import Iterable, Sequence

from rag_variants.metrics.cases import Cases, make_metric, scored
from rag_variants.metrics.marked import NOT_CUT_HERE
from rag_variants.metrics.metric import Detail, Subject, Worked
from rag_variants.types import Score

_TERMS = 6  # terms of a sum that are written out


def _ndcg(subject: Subject) -> Score:
    """Σ 1/log₂(rank + 1) over gold hits ÷ the same sum with all gold chunks of the base on top, 0…1.

    Järvelin and Kekäläinen 2002, binary gain; the ideal has no cutoff: few hits cannot reach 1 if there is more gold.
    Not scored where it is not known how the documents were cut, so how much gold there is.
    """
    marked = subject.marked
    if marked.gold_in_knowledge is None:
        return Score(None, NOT_CUT_HERE, marked.detail)
    ideal = _gain(range(1, marked.gold_in_knowledge + 1))
    return scored(_gain(marked.gold_ranks) / ideal if ideal else 0.0, marked.reason, marked.detail)


def _gain(ranks: Iterable[int]) -> float:
    return sum(1.0 / math.log2(rank + 1) for rank in ranks)


def _work_out(detail: Detail) -> Worked:
    gold, ideal = detail["gold_ranks"], range(1, detail["gold_in_knowledge"] + 1)
    best = _gain(ideal)
    formula = "sum of 1/log₂(rank + 1) at the gold ranks / the same with all gold chunks of the documents on top"
    return Worked(formula, f"({_gain_words(gold)}) / ({_gain_words(ideal)})", _gain(gold) / best if best else 0.0)


def _gain_words(ranks: Sequence[int]) -> str:
    if len(ranks) > _TERMS:
        return f"{_gain(ranks):.4f}"
    return " + ".join(f"1/log₂({rank + 1})" for rank in ranks) or "0"


METRIC = make_metric(
    "ndcg",
    ("retrieval", "Ranked it?"),
    (
        "nDCG",
        "All gold chunks, each worth less the lower it stands, against the best order of all gold chunks there are.",
        "It does not see noise below the last one.",
    ),
    _ndcg,
    Cases(frozenset({"evidence"}), "hits", nothing_retrieved="zero"),
    translations={
        "pl": (
            "nDCG",
            "Wszystkie fragmenty z dowodem, tym mniej warte, im niżej stoją, w porównaniu z najlepszą możliwą "
            "kolejnością.",
            "Nie widzi szumu za ostatnim z nich.",
        ),
        "zh": (
            "nDCG",
            "把所有含证据的片段都算上，排得越低价值越小，再与最理想的顺序相比。",
            "它看不到最后一个之后的噪声。",
        ),
    },
    work_out=_work_out,
)
