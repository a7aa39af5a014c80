"""The rules of thumb by which scores are read: one table of conditions, what they point at, what is worth trying.

A rule never says why something happened. Recall and precision cut the questions into four fields (thresholds 0.8 and
0.5), so that at most one of noise, coverage and both-low holds; the rest looks at the answer and at single facts. Of
the metrics of a measure, those that read gold marks come before a judge's.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Bound = Literal["at least", "below"]


@dataclass(frozen=True, slots=True)
class Measure:
    """A quantity of one side of a row: the first of `metrics` that has a score.

    Without metrics it is a fact of the record: 1 or 0 (answerable, declined), or a count of chunks (misleading).
    """

    label: str
    metrics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Condition:
    """A measure by name that is at least, or below, a threshold."""

    measure: str
    bound: Bound
    threshold: float

    def holds(self, value: float) -> bool:
        """Whether a value meets the condition."""
        return value >= self.threshold if self.bound == "at least" else value < self.threshold


@dataclass(frozen=True, slots=True)
class Rule:
    """A signal: it is shown where all conditions hold."""

    name: str
    title: str
    conditions: tuple[Condition, ...]
    points_at: str
    worth_trying: str


MEASURES: Mapping[str, Measure] = MappingProxyType(
    {
        "recall": Measure("recall", ("evidence_recall", "context_recall")),
        "precision": Measure("precision", ("context_precision_evidence", "mrr", "context_precision")),
        "faithfulness": Measure("faithfulness", ("faithfulness",)),
        "to the point": Measure("to the point", ("key_facts", "factual_correctness", "answer_relevancy")),
        "right": Measure("right", ("key_facts", "factual_correctness")),
        "answerable": Measure("answerable"),
        "declined": Measure("declined"),
        "misleading": Measure("chunks of stale or contradicting documents"),
    }
)

FOUND, NOT_FOUND = Condition("recall", "at least", 0.8), Condition("recall", "below", 0.8)
ON_TOP, BELOW_OTHERS = Condition("precision", "at least", 0.5), Condition("precision", "below", 0.5)

RULES: tuple[Rule, ...] = (
    Rule(
        "noise",
        "Found, among much else",
        (FOUND, BELOW_OTHERS),
        "The evidence was handed over, but chunks of no use stand above it. Points at the ranking.",
        "a smaller top_k; smaller chunks; another ranking (hybrid, its coverage vote, another encoder)",
    ),
    Rule(
        "coverage",
        "Useful on top, but not all of it",
        (NOT_FOUND, ON_TOP),
        "What comes first is useful, and part of the evidence is missing. Points at how much is handed over.",
        "a larger top_k; larger chunks or more overlap; mmr, so that other places come in",
    ),
    Rule(
        "both_low",
        "Search misses",
        (NOT_FOUND, BELOW_OTHERS),
        "Little of the evidence was found, and not on top. Points at the search: question and text do not meet.",
        "a larger top_k, if gold stands just below the cut; else another variant or encoder; "
        "tokens=language; the question's words beside the text's, on the Knowledge page",
    ),
    Rule(
        "unfaithful",
        "Evidence there, answer says more",
        (FOUND, Condition("faithfulness", "below", 0.8)),
        "The evidence was handed over, and the answer claims what the chunks do not hold. Points at answering, or at "
        "the judge.",
        "reading the refused claims first, as judges err; prompt=grounded, temperature 0, another answerer",
    ),
    Rule(
        "beside",
        "Faithful, beside the question",
        (Condition("faithfulness", "at least", 0.8), Condition("to the point", "below", 0.5)),
        "The answer keeps to the chunks, and does not say what was asked. Points at answering, or at chunks about "
        "something close by.",
        "a look at the chunk it cites: another ranking if that one is not gold, another answerer or prompt if it is",
    ),
    Rule(
        "misleading",
        "Stale or contradicting source",
        (Condition("misleading", "at least", 1),),
        "A document that the questions name as stale or contradicting was handed over. Points at what may be read.",
        "documents=current, with valid_until or supersedes in the documents; a smaller top_k",
    ),
    Rule(
        "undeclined",
        "Should have declined",
        (Condition("answerable", "below", 0.5), Condition("declined", "below", 0.5)),
        "The documents hold no answer, and one was given. Points at when the answerer declines.",
        "prompt=grounded; min_score, so that weak chunks are not handed over; another answerer",
    ),
    Rule(
        "declined",
        "Declined, though the evidence was there",
        (Condition("declined", "at least", 0.5), Condition("answerable", "at least", 0.5), FOUND),
        "The evidence was handed over, and no answer was given. Points at when the answerer declines.",
        "a ranking that brings the evidence to the top; larger chunks, if the quote is cut; another answerer or prompt",
    ),
    Rule(
        "lucky",
        "Right, although retrieval failed",
        (Condition("recall", "below", 0.5), Condition("right", "at least", 0.8)),
        "The answer holds the facts, and the evidence was not handed over. Points at knowledge from elsewhere, or at "
        "evidence that names too few places.",
        "reading the chunks: if they do hold the answer, add that place to the evidence; if not, prompt=grounded",
    ),
)  # fmt: skip
