"""Advice with proof: single changes that were tried, and what each did to one question and to all."""

import statistics as means
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from rag_variants.evaluation.advice.changes import LeftOut, SingleChange
from rag_variants.evaluation.advice.findings import EvidenceFound
from rag_variants.evaluation.statistics.paired import Delta, compare_paired
from rag_variants.evaluation.statistics.signflips import TOLERANCE
from rag_variants.metrics import all_metrics
from rag_variants.pipeline.variant import Variant


@dataclass(frozen=True, slots=True)
class Attempt:
    """A change that was run over every question; `findings` by question id."""

    change: SingleChange
    findings: Mapping[str, EvidenceFound]


@dataclass(frozen=True)
class Attempts:
    """A variant as it is, and every single change of it that was tried on the same questions.

    `waiting` is how many were left to try when the search was stopped.
    """

    variant: Variant
    metric: str
    present: Mapping[str, EvidenceFound]
    tried: tuple[Attempt, ...]
    left_out: tuple[LeftOut, ...]
    waiting: int
    seed: int = 0

    @cached_property
    def deltas(self) -> Mapping[str, Delta]:
        """What each change did to the metric over all questions, by its written form.

        All changes tried are one family of the joint test: verdicts and intervals hold for all of them together, so
        they stay true for whichever is picked afterwards.
        """
        found = {each.change.written: _moves(self.present, each.findings) for each in self.tried}
        span = dict.fromkeys(found, all_metrics()[self.metric].span)
        return compare_paired(found, dict.fromkeys(found, True), span=span, seed=self.seed)

    @property
    def scored(self) -> int:
        """How many questions have evidence that could be looked for."""
        return sum(finding.value is not None for finding in self.present.values())


@dataclass(frozen=True, slots=True)
class Advice:
    """A change with its proof.

    `before` and `after` are the findings of the question that advice is for, None if it is for all. `overall` is the
    delta over all questions, corrected for all changes tried; `gained` and `lost` name the questions behind it, in
    file order. `others` is the mean delta over the questions but that one. `text` is the characters handed over ÷
    those handed over now; None if nothing is handed over now.
    """

    change: SingleChange
    before: EvidenceFound | None
    after: EvidenceFound | None
    overall: Delta
    gained: tuple[str, ...]
    lost: tuple[str, ...]
    others: float | None
    text: float | None

    @property
    def hurts_others(self) -> bool:
        """Whether the mean over the other questions falls."""
        return self.others is not None and self.others < -TOLERANCE


def advise_question(attempts: Attempts, question: str) -> tuple[Advice, ...]:
    """The changes that helped one question, the best first; none if no change did, or its evidence is not known.

    Help is more evidence handed over; else more evidence groups; else the same, but higher up. Order: where gold stands
    in the ranking below the cut, first what only hands over more of that ranking and so reaches it; then by the gain on
    the question and the groups found; what hurts the others comes after what does not; by the rank; then by the mean
    over all, fewer lost, less text, and as tried.
    """
    present = attempts.present.get(question)
    if present is None:
        return ()
    helpful = [
        _advice(attempts, attempt, question)
        for attempt in attempts.tried
        if question in attempt.findings and helps(present, attempt.findings[question])
    ]
    return tuple(sorted(helpful, key=lambda each: (_question_order(each), *_overall_order(each))))


def advise_all(attempts: Attempts) -> tuple[Advice, ...]:
    """The changes whose mean over all questions rose, the best first; ties: fewer lost, less text, as tried."""
    found = (_advice(attempts, attempt, None) for attempt in attempts.tried)
    risen = [each for each in found if each.overall.mean is not None and each.overall.mean > TOLERANCE]
    return tuple(sorted(risen, key=_overall_order))


def every_outcome(attempts: Attempts, question: str | None) -> tuple[Advice, ...]:
    """Every change tried, helpful or not, in the order of trying."""
    return tuple(_advice(attempts, attempt, question) for attempt in attempts.tried)


def helps(before: EvidenceFound, after: EvidenceFound) -> bool:
    """Whether more of the question's evidence is handed over: by value, else by groups, else by rank."""
    if before.value is None or after.value is None:
        return False
    if abs(after.value - before.value) >= TOLERANCE:
        return after.value > before.value
    if after.found != before.found:
        return after.found > before.found
    return after.reach is not None and before.reach is not None and after.reach < before.reach


def _moves(present: Mapping[str, EvidenceFound], changed: Mapping[str, EvidenceFound]) -> dict[str, float]:
    """The deltas of the questions scored on both sides, ties as 0."""
    moves = {}
    for question, before in present.items():
        after = changed.get(question)
        if before.value is not None and after is not None and after.value is not None:
            delta = after.value - before.value
            moves[question] = 0.0 if abs(delta) < TOLERANCE else delta
    return moves


def _advice(attempts: Attempts, attempt: Attempt, question: str | None) -> Advice:
    moves = _moves(attempts.present, attempt.findings)
    others = [delta for each, delta in moves.items() if each != question]
    read = sum(attempts.present[each].characters for each in moves)
    return Advice(
        change=attempt.change,
        before=attempts.present.get(question) if question else None,
        after=attempt.findings.get(question) if question else None,
        overall=attempts.deltas[attempt.change.written],
        gained=tuple(each for each, delta in moves.items() if delta > 0),
        lost=tuple(each for each, delta in moves.items() if delta < 0),
        others=means.fmean(others) if others else None,
        text=sum(attempt.findings[each].characters for each in moves) / read if read else None,
    )


def _question_order(advice: Advice) -> tuple[bool, float, int, bool, float]:
    before, after = advice.before, advice.after
    if before is None or after is None or before.value is None or after.value is None:
        return (True, 0.0, 0, False, 0.0)
    gain, groups = round(before.value - after.value, 9), before.found - after.found
    reaches = advice.change.setting == "top_k" and after.found > before.found and after.handed > before.handed
    return (not reaches, gain, groups, advice.hurts_others, after.reach or float("inf"))


def _overall_order(advice: Advice) -> tuple[float, int, float]:
    return (-round(advice.overall.mean or 0.0, 9), len(advice.lost), advice.text or 0.0)
