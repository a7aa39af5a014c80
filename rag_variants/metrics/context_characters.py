"""Text read: the characters of the retrieved chunks."""

from rag_variants.metrics.cases import Cases, amount, make_metric
from rag_variants.metrics.metric import Subject
from rag_variants.types import Score


def _context_characters(subject: Subject) -> Score:
    """Characters of the selected hits; text that two overlapping chunks share counts twice, as it is read twice."""
    return amount(float(sum(len(hit.chunk.text) for hit in subject.record.hits)))


METRIC = make_metric(
    "context_characters",
    ("effort", "Effort"),
    (
        "Text read",
        "Characters of the retrieved chunks. More text finds more and costs more: look here at every gain in recall.",
        "It does not see what the text is worth.",
    ),
    _context_characters,
    Cases(reads="hits", nothing_retrieved="zero", unanswerable=True),
    translations={
        "pl": (
            "przeczytany tekst",
            "Liczba znaków wyszukanych fragmentów. Więcej tekstu znajduje więcej i kosztuje więcej: zajrzyj tu przy "
            "każdym wzroście pełności.",
            "Nie widzi, ile jest wart.",
        ),
        "zh": (
            "阅读的文本",
            "检索到的片段共多少字符。文本越多，找到的越多，花费也越多：召回率一提高就该看看这里。",
            "它看不到文本有没有用。",
        ),
    },
    higher_is_better=False,
    unit="characters",
    term="context length",
    mechanical=True,
)
