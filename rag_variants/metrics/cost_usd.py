"""Cost: what the answer cost in US dollars."""

from rag_variants.metrics.cases import Cases, amount, make_metric, unscored
from rag_variants.metrics.metric import Subject
from rag_variants.types import Score


def _cost_usd(subject: Subject) -> Score:
    """US dollars that answer and query expansion cost, without the judge: 0 if embedded, not scored without a price."""
    answer, expansion = subject.record.answer, subject.record.expansion
    costs = [answer.cost_usd if answer else None, expansion.cost_usd if expansion else 0.0]
    cost = None if None in costs else sum(each for each in costs if each is not None)
    return unscored("the price of this model is not known") if cost is None else amount(cost)


METRIC = make_metric(
    "cost_usd",
    ("effort", "Effort"),
    (
        "Cost",
        "US dollars that the answer cost, without the judge. Embedded answers cost nothing.",
        "It does not see what embedding and reranking cost.",
    ),
    _cost_usd,
    Cases(frozenset({"answer"}), "answer", unanswerable=True),
    translations={
        "pl": (
            "koszt",
            "Ile kosztowała odpowiedź w dolarach, bez sędziego. Odpowiedzi wbudowane nic nie kosztują.",
            "Nie widzi kosztu wektorów i rerankingu.",
        ),
        "zh": (
            "费用",
            "回答花费的美元，不含裁判。内置的回答不花钱。",
            "它看不到向量计算和重排的花费。",
        ),
    },
    higher_is_better=False,
    unit="USD",
)
