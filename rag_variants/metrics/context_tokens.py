"""Tokens read: what reading the retrieved chunks costs a chat model, about."""

from rag_variants.metrics.cases import Cases, amount, make_metric
from rag_variants.metrics.lengths import estimate_tokens
from rag_variants.metrics.metric import Subject
from rag_variants.types import Score


def _context_tokens(subject: Subject) -> Score:
    """Estimated tokens of the selected hits."""
    return amount(float(sum(estimate_tokens(hit.chunk.text) for hit in subject.record.hits)))


METRIC = make_metric(
    "context_tokens",
    ("effort", "Effort"),
    (
        "Tokens read (estimate)",
        "An estimate of what a chat model would be charged for reading: 4 letters, or 1 Chinese character, a token.",
        "It does not know the model's own tokenizer.",
    ),
    _context_tokens,
    Cases(reads="hits", nothing_retrieved="zero", unanswerable=True),
    translations={
        "pl": (
            "przeczytane tokeny (szacunek)",
            "Szacunek, ile model policzyłby za czytanie: token to 4 litery albo 1 znak chiński.",
            "Nie zna tokenizera samego modelu.",
        ),
        "zh": (
            "阅读的词元（估计）",
            "估计对话模型会按多少词元收取阅读费用：4 个字母或 1 个汉字算一个词元。",
            "它不了解模型自己的分词器。",
        ),
    },
    higher_is_better=False,
    unit="≈ tokens",
    mechanical=True,
)
