"""Hit rate: is any of the retrieved chunks gold?"""

from rag_variants.metrics.cases import Cases, make_metric, scored
from rag_variants.metrics.metric import Detail, Subject, Worked
from rag_variants.types import Score


def _hit_rate(subject: Subject) -> Score:
    """1 if any hit is gold, else 0."""
    marked = subject.marked
    return scored(float(bool(marked.gold_ranks)), marked.reason, marked.detail)


def _work_out(detail: Detail) -> Worked:
    gold = len(detail["gold_ranks"])
    formula = "1 if a gold chunk was retrieved, else 0"
    return Worked(formula, f"{gold} of {detail['hits']} are gold", float(gold > 0), is_sum=False)


METRIC = make_metric(
    "hit_rate",
    ("retrieval", "Found it?"),
    (
        "Hit rate",
        "1 if at least one retrieved chunk holds evidence, else 0; the mean is the share of questions with a hit.",
        "It does not see the rank, nor what is missing.",
    ),
    _hit_rate,
    Cases(frozenset({"evidence"}), "hits", nothing_retrieved="zero"),
    translations={
        "pl": (
            "trafienia (hit rate)",
            "1, jeśli choć jeden wyszukany fragment zawiera dowód, inaczej 0; średnia to odsetek pytań z trafieniem.",
            "Nie widzi pozycji ani tego, czego brak.",
        ),
        "zh": (
            "命中率",
            "只要有一个检索到的片段含有证据就是 1，否则为 0；平均值就是命中的问题所占的比例。",
            "它看不到排名，也看不到缺了什么。",
        ),
    },
    work_out=_work_out,
)
