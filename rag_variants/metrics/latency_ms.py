"""Time: from the question to the answer."""

from rag_variants.metrics.cases import Cases, amount, make_metric, unscored
from rag_variants.metrics.metric import Subject
from rag_variants.types import Score


def _latency_ms(subject: Subject) -> Score:
    """Milliseconds from question to answer: `total` where it was taken, else the sum of the stages."""
    timing = subject.record.timing_ms
    if not timing:
        return unscored("no time was taken")
    expansion = subject.record.expansion
    if expansion is not None and expansion.texts and expansion.seconds is None:
        return unscored("what was searched besides the question came from memory: no time of its own")
    if subject.record.answer is not None and not timing.keys() & {"answer", "total"}:
        return unscored("the answer came from memory: no time of its own")
    return amount(timing["total"] if "total" in timing else sum(timing.values()))


METRIC = make_metric(
    "latency_ms",
    ("effort", "Effort"),
    (
        "Time",
        "Milliseconds from the question to the answer on this machine; what was kept from an earlier run is quicker.",
        "It does not see what else ran meanwhile.",
    ),
    _latency_ms,
    Cases(unanswerable=True),
    translations={
        "pl": (
            "czas",
            "Milisekundy od pytania do odpowiedzi na tym komputerze; co zachowano z wcześniejszego przebiegu, idzie "
            "szybciej.",
            "Nie widzi, co działało obok.",
        ),
        "zh": (
            "耗时",
            "在这台机器上从提问到回答的毫秒数；之前运行留存的部分会更快。",
            "它看不到同时还在运行什么。",
        ),
    },
    higher_is_better=False,
    unit="ms",
    term="latency",
    typical="median",
)
