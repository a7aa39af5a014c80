"""What a result costs: text read, words written, time and money. Described, never tested."""

import math
import re

from rag_variants.metrics.base import Metric, Subject
from rag_variants.metrics.cases import Cases, Compute, make_metric, scored, unscored
from rag_variants.text.citations import strip_citations
from rag_variants.text.terms import CJK
from rag_variants.types import Score

_CJK_CHARACTER = re.compile(f"[{CJK}]")
# A run of letters and digits with the marks that hold a word together: don't, ERR-4031, 3.5, name@host.
_LATIN_WORD = re.compile(rf"[^\W{CJK}]+(?:[-'’./:@,+][^\W{CJK}]+)*")
_CHARACTERS_A_TOKEN = 4


def estimate_tokens(text: str) -> int:
    """About how many tokens a chat model reads: one per CJK character, one per 4 other characters, rounded up.

    An estimate: tokenizers differ, and the real tables would have to be downloaded. Polish takes more than it says.
    """
    cjk = len(_CJK_CHARACTER.findall(text))
    return cjk + math.ceil((len(text) - cjk) / _CHARACTERS_A_TOKEN)


def count_words(text: str) -> int:
    """Words as word processors count them: each Chinese character is one, else runs of letters and digits."""
    return len(_CJK_CHARACTER.findall(text)) + len(_LATIN_WORD.findall(text))


def _amount(value: float, reason: str | None = None) -> Score:
    return scored(value, reason, high=math.inf)


def _context_characters(subject: Subject) -> Score:
    """Characters of the selected hits; text that two overlapping chunks share counts twice, as it is read twice."""
    return _amount(float(sum(len(hit.chunk.text) for hit in subject.record.hits)))


def _context_tokens(subject: Subject) -> Score:
    """Estimated tokens of the selected hits."""
    return _amount(float(sum(estimate_tokens(hit.chunk.text) for hit in subject.record.hits)))


def _answer_words(subject: Subject) -> Score:
    """Words of the answer without its citations."""
    answer = subject.record.answer
    return _amount(float(count_words(strip_citations(answer.text if answer else ""))))


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
    return _amount(timing["total"] if "total" in timing else sum(timing.values()))


def _cost_usd(subject: Subject) -> Score:
    """US dollars that answer and query expansion cost, without the judge: 0 if embedded, not scored without a price."""
    answer, expansion = subject.record.answer, subject.record.expansion
    costs = [answer.cost_usd if answer else None, expansion.cost_usd if expansion else 0.0]
    cost = None if None in costs else sum(each for each in costs if each is not None)
    return unscored("the price of this model is not known") if cost is None else _amount(cost)


def _metric(name: str, compute: Compute, cases: Cases, unit: str, label: str, text: str) -> Metric:
    return make_metric(name, ("effort", "Effort"), (label, text), compute, cases, higher_is_better=False, unit=unit)


_READING = Cases(reads="hits", nothing_retrieved="zero", unanswerable=True)
_ANSWERING = Cases(frozenset({"answer"}), "answer", unanswerable=True)

EFFORT: tuple[Metric, ...] = (
    _metric(
        "context_characters",
        _context_characters,
        _READING,
        "characters",
        "Text read",
        "Characters of the retrieved chunks. More text finds more and costs more: look here at every gain in recall.",
    ),
    _metric(
        "context_tokens",
        _context_tokens,
        _READING,
        "≈ tokens",
        "Tokens read (estimate)",
        "An estimate of what a chat model would be charged for reading: 4 letters, or 1 Chinese character, a token.",
    ),
    _metric(
        "answer_words",
        _answer_words,
        _ANSWERING,
        "words",
        "Words written",
        "Length of the answer without citations; each Chinese character counts as a word, as in word processors.",
    ),
    _metric(
        "latency_ms",
        _latency_ms,
        Cases(unanswerable=True),
        "ms",
        "Time",
        "Milliseconds from the question to the answer on this machine; what was kept from an earlier run is quicker.",
    ),
    _metric(
        "cost_usd",
        _cost_usd,
        _ANSWERING,
        "USD",
        "Cost",
        "US dollars that the answer cost, without the judge. Embedded answers cost nothing.",
    ),
)
