"""Does a comparison meet a requirement? Met, not met, or undecided, with what that rests on."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Literal

from rag_variants.evaluation.compare import ComparisonError, compare_runs
from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.gates.requirements import Level, NotWorse, Requirement
from rag_variants.evaluation.runs import Run, ScoredRecord
from rag_variants.evaluation.statistics.paired import Delta
from rag_variants.evaluation.statistics.signflips import MIN_DIFFERING, TOLERANCE
from rag_variants.metrics import all_metrics
from rag_variants.questions.slices import read_slice

Outcome = Literal["met", "not met", "undecided"]
Reason = Literal[
    "level", "none worse", "better", "worse", "not shown", "not lower", "inside margin", "beyond margin",
    "across margin", "no interval", "few differ", "few scored", "not scored", "failed", "stopped",
]  # fmt: skip
# More failures than one question in so many, and what was scored says too little to pass.
FAILURES_ALLOWED = 20


@dataclass(frozen=True, slots=True)
class JudgedRequirement:
    """A requirement with its outcome and the numbers behind it.

    `mean` is the side's mean (a level) or B − A, over `n` of `of` questions; `failed` of them could not be answered or
    judged. `delta` is None for a level.
    """

    requirement: Requirement
    outcome: Outcome
    reason: Reason
    mean: float | None
    n: int
    of: int
    failed: int
    delta: Delta | None = None


def judge_requirements(requirements: Sequence[Requirement], comparison: Comparison) -> tuple[JudgedRequirement, ...]:
    """What holds, in the order given. A slice is compared for itself, with a family of tests of its own."""
    return tuple(_judge(each, comparison) for each in requirements)


def overall(findings: Sequence[JudgedRequirement]) -> Outcome:
    """`not met` if one is not met, else `undecided` if one is undecided, else `met`."""
    outcomes = {each.outcome for each in findings}
    if "not met" in outcomes:
        return "not met"
    return "undecided" if "undecided" in outcomes else "met"


def _judge(requirement: Requirement, comparison: Comparison) -> JudgedRequirement:
    wanted = requirement.wanted
    if isinstance(wanted, Level):
        finding = _judge_level(requirement, wanted, comparison)
    else:
        finding = _judge_change(requirement, wanted, comparison)
    if finding.outcome != "met":
        return finding
    if finding.failed * FAILURES_ALLOWED > finding.of:
        return replace(finding, outcome="undecided", reason="failed")
    if not (comparison.a.complete and comparison.b.complete):
        return replace(finding, outcome="undecided", reason="stopped")
    return finding


def _judge_level(requirement: Requirement, wanted: Level, comparison: Comparison) -> JudgedRequirement:
    run = _restricted(comparison.a if wanted.side == "A" else comparison.b, requirement.part)
    values = [value for row in run.rows if (value := _value(row, requirement.metric)) is not None]
    mean = fmean(values) if values else None
    failed = sum(_has_failed(row, requirement.metric) for row in run.rows)
    if mean is None:
        return JudgedRequirement(requirement, "undecided", "not scored", None, 0, len(run.rows), failed)
    holds = {
        ">=": mean >= wanted.bound - TOLERANCE,
        "<=": mean <= wanted.bound + TOLERANCE,
        ">": mean > wanted.bound + TOLERANCE,
        "<": mean < wanted.bound - TOLERANCE,
    }[wanted.operator]
    outcome: Outcome = "met" if holds else "not met"
    return JudgedRequirement(requirement, outcome, "level", mean, len(values), len(run.rows), failed)


def _judge_change(requirement: Requirement, wanted: NotWorse, comparison: Comparison) -> JudgedRequirement:
    name = requirement.metric
    try:
        found = _compared_in(comparison, requirement.part)
    except ComparisonError:  # the runs share no question of the slice
        return JudgedRequirement(requirement, "undecided", "not scored", None, 0, 0, 0)
    delta = found.metrics[name].delta
    failed = sum(_has_failed(left, name) or _has_failed(right, name) for left, right in found.counted)
    sign = 1 if all_metrics()[name].higher_is_better else -1
    outcome, reason = _decide(delta, sign) if wanted.margin is None else _decide_within(delta, sign, wanted.margin)
    return JudgedRequirement(requirement, outcome, reason, delta.mean, delta.n, len(found.counted), failed, delta)


def _decide(delta: Delta, sign: int) -> tuple[Outcome, Reason]:
    """Not shown to be worse, by a test that could have shown it."""
    early = _decide_early(delta)
    if early:
        return early
    up = sign * (delta.mean or 0.0)
    if delta.shown:
        return ("met", "better") if up > 0 else ("not met", "worse")
    if up >= -TOLERANCE:
        return "met", "not lower"
    if delta.verdict == "too few":
        return "undecided", "few differ"
    return ("met", "not shown") if delta.ci95 else ("undecided", "no interval")


def _decide_within(delta: Delta, sign: int, margin: float) -> tuple[Outcome, Reason]:
    """Shown to be worse by no more than the margin: where the interval lies, in the metric's own direction."""
    early = _decide_early(delta)
    if early:
        return early
    if delta.ci95 is None:
        return "undecided", "few differ" if delta.verdict == "too few" else "no interval"
    low, high = sorted(sign * end for end in delta.ci95)
    if low >= -margin - TOLERANCE:
        return "met", "inside margin"
    return ("not met", "beyond margin") if high < -margin - TOLERANCE else ("undecided", "across margin")


def _decide_early(delta: Delta) -> tuple[Outcome, Reason] | None:
    """What needs no test: too few scores for any, or no question on which B is worse."""
    if delta.n == 0:
        return "undecided", "not scored"
    if delta.n < MIN_DIFFERING:
        return "undecided", "few scored"
    return ("met", "none worse") if delta.losses == 0 else None


def _compared_in(comparison: Comparison, part: str) -> Comparison:
    if not part:
        return comparison
    return compare_runs(_restricted(comparison.a, part), _restricted(comparison.b, part), anyway=True)


def _restricted(run: Run, part: str) -> Run:
    if not part:
        return run
    wanted = read_slice(part, [row.record.question for row in run.rows])
    return replace(run, rows=tuple(row for row in run.rows if wanted.holds(row.record.question)))


def _value(row: ScoredRecord, name: str) -> float | None:
    score = row.scores.get(name)
    return score.value if score else None


def _has_failed(row: ScoredRecord, name: str) -> bool:
    """Whether a question has no score because answering or judging it failed, not because the metric does not apply."""
    score = row.scores.get(name)
    return _value(row, name) is None and bool(row.record.error or (score and score.error))
