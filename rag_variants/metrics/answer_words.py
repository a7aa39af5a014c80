"""Words written: how long the answer is."""

from rag_variants.metrics.cases import Cases, amount, make_metric
from rag_variants.metrics.lengths import count_words
from rag_variants.metrics.metric import Subject
from rag_variants.text.citations import strip_citations
from rag_variants.types import Score


def _answer_words(subject: Subject) -> Score:
    """Words of the answer without its citations."""
    answer = subject.record.answer
    return amount(float(count_words(strip_citations(answer.text if answer else ""))))


METRIC = make_metric(
    "answer_words",
    ("effort", "Effort"),
    (
        "Words written",
        "Length of the answer without citations; each Chinese character counts as a word, as in word processors.",
        "It does not see whether they are needed.",
    ),
    _answer_words,
    Cases(frozenset({"answer"}), "answer", unanswerable=True),
    translations={
        "pl": (
            "napisane słowa",
            "Długość odpowiedzi bez przypisów; każdy znak chiński liczy się jako słowo, jak w edytorach tekstu.",
            "Nie widzi, czy są potrzebne.",
        ),
        "zh": (
            "写出的字词",
            "答案的长度，不含引用标注；每个汉字算一个词，与文字处理软件相同。",
            "它看不到这些字词是否必要。",
        ),
    },
    higher_is_better=False,
    unit="words",
    term="answer length",
)
