"""Is B better than A? One test and one interval for each metric of a family.

Each question has one sign per flip, used by every metric that has the pair; the largest |z| over the metrics, flip by
flip, says how large a |z| chance alone gives. Verdicts step down from the largest |z| (Westfall and Young 1993, 2.6),
intervals use the critical value of the whole family and stop short of 0 where a verdict is shown: so they cannot
contradict each other, and they hold together for all metrics.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from rag_variants.evaluation.statistics.intervals import half_width, interval_around, t_half_width
from rag_variants.evaluation.statistics.signflips import (
    MIN_DIFFERING,
    TOLERANCE,
    Floats,
    Signs,
    directions_without,
    draw_signs,
    flipped_totals,
    limit_of,
    p_value,
    step_down,
)

Verdict = Literal["better", "worse", "more", "less", "not shown", "too few"]

_NORMAL_DRAWS = 20_000


@dataclass(frozen=True, slots=True)
class Delta:
    """What changing from A to B did to one metric, in the metric's own unit (B − A).

    `n` pairs, of which B won, tied or lost `wins`, `ties`, `losses` in the metric's own direction. `ci95` is None if
    there is no finite interval, and lies within what the metric's bounds allow. `p` is for this metric alone,
    `p_adjusted` for the family; `detectable` (≥ 0) is the |mean| that would just have been shown.
    `carried_by` names, in order, the questions whose leaving-out alone changes a better or worse; `fragile` says
    whether there is one. `limit` is z_c of the family (see `compare_paired`), None outside it.
    """

    mean: float | None
    n: int
    ci95: tuple[float, float] | None
    p: float | None
    p_adjusted: float | None
    wins: int
    ties: int
    losses: int
    verdict: Verdict
    detectable: float | None
    fragile: bool
    carried_by: tuple[str, ...]
    limit: float | None = None

    @property
    def shown(self) -> bool:
        """Whether there is a difference beyond chance; of what was read it is more or less."""
        return self.verdict not in ("not shown", "too few")

    @property
    def differing(self) -> int:
        """How many pairs differ."""
        return self.wins + self.losses


@dataclass(frozen=True, slots=True)
class _Test:
    """A metric's part in the joint test; `direction` is the sign of a shown delta, 0 if it is not shown.

    `limit` is z_c of the flips, `wide` the one that intervals are made with.
    """

    z: float
    limit: float
    wide: float
    p: float
    p_adjusted: float
    direction: int
    carried_by: tuple[str, ...]


def compare_paired(
    deltas: Mapping[str, Mapping[str, float]],
    higher_is_better: Mapping[str, bool],
    *,
    span: Mapping[str, float] | None = None,
    seed: int = 0,
    flips: int = 10_000,
) -> dict[str, Delta]:
    """What B did to each metric, tested jointly, in the order given.

    `deltas[metric][question]` is B − A, for pairs scored on both sides; it holds the whole family. |delta| < 1e-9 is a
    tie and counts as 0. `span[metric]` is the largest |delta| that there can be, without bounds where it is not given.
    z = Σd ÷ √Σd²; z_c is the smallest value that the largest |z| of the family exceeds in at most one of 60 flips. From
    the largest |z| down, a metric is better or worse iff |z| exceeds the z_c of those that are left (`step_down`).
    Flips are exact up to 13 questions, else `flips` seeded ones. A metric with fewer than MIN_DIFFERING (7) pairs that
    differ is outside the family and "too few" (so is one whose deltas are all 0): mean and p, no interval. The order of
    metrics and questions has no effect.
    """
    if flips < 1:
        raise ValueError(f"flips has to be at least 1, not {flips}.")
    pairs = {metric: _with_ties_at_zero(metric, deltas[metric]) for metric in sorted(deltas)}
    family = {metric: found for metric, found in pairs.items() if _differing(found) >= MIN_DIFFERING}
    tests = _test(family, seed=seed, flips=flips)
    spans = span or {}
    return {
        metric: _delta(pairs[metric], higher_is_better[metric], tests.get(metric), spans.get(metric, math.inf))
        for metric in deltas
    }


def _with_ties_at_zero(metric: str, pairs: Mapping[str, float]) -> dict[str, float]:
    """The pairs by question id, in order, ties as exactly 0."""
    for question, delta in pairs.items():
        if not math.isfinite(delta):
            raise ValueError(f"The delta of {metric!r} for question {question!r} is {delta}; leave unscored pairs out.")
    return {question: 0.0 if abs(pairs[question]) < TOLERANCE else float(pairs[question]) for question in sorted(pairs)}


def _differing(pairs: Mapping[str, float]) -> int:
    return sum(delta != 0 for delta in pairs.values())


def _test(family: Mapping[str, Mapping[str, float]], *, seed: int, flips: int) -> dict[str, _Test]:
    """The joint test of the metrics that have enough pairs that differ."""
    if not family:
        return {}
    questions = sorted({question for pairs in family.values() for question in pairs})
    matrix = np.array([[pairs.get(question, 0.0) for question in questions] for pairs in family.values()])
    signs = draw_signs(len(questions), seed=seed, flips=flips)
    totals = flipped_totals(matrix, signs)
    norms = np.sqrt((matrix**2).sum(axis=1))
    z = matrix.sum(axis=1) / norms
    flipped = np.abs(totals) / norms[:, None]
    limit = limit_of(flipped.max(axis=0))
    wide = _interval_limit(family, questions)
    shown, p_adjusted = step_down(z, flipped)
    carriers = _carriers(questions, shown, matrix, signs, totals)
    return {
        metric: _Test(
            z=float(z[row]),
            limit=limit,
            wide=wide,
            p=p_value(flipped[row], float(z[row])),
            p_adjusted=float(p_adjusted[row]),
            direction=int(shown[row]),
            carried_by=carriers[row],
        )
        for row, metric in enumerate(family)
    }


def _interval_limit(family: Mapping[str, Mapping[str, float]], questions: Sequence[str]) -> float:
    """What the largest |z| of the family exceeds in one of 60 cases if every z is normal, correlated as the deltas are.

    Flips alone would be too few where most deltas are ties: they say how large |z| gets if nothing differs, and where
    something does no pair is a tie.
    """
    rows = np.array([[pairs.get(each, math.nan) for each in questions] for pairs in family.values()])
    rows = np.nan_to_num(rows - np.nanmean(rows, axis=1, keepdims=True))
    norms = np.sqrt((rows**2).sum(axis=1, keepdims=True))
    rows = np.divide(rows, norms, out=np.zeros_like(rows), where=norms > TOLERANCE)
    own = np.diag(np.sqrt(np.maximum(1 - (rows**2).sum(axis=1), 0)))  # of deltas without a spread: independent
    mixed = np.hstack([rows, own])
    values, vectors = np.linalg.eigh(mixed @ mixed.T)
    drawn = np.random.Generator(np.random.PCG64(0)).standard_normal((len(rows), _NORMAL_DRAWS))
    return limit_of(np.abs((vectors * np.sqrt(np.maximum(values, 0))) @ drawn).max(axis=0))


def _carriers(
    questions: list[str], shown: Signs, matrix: Floats, signs: Signs, totals: Floats
) -> list[tuple[str, ...]]:
    """For each metric, the questions whose leaving-out changes a shown delta; nothing to do where none is shown."""
    if not shown.any():
        return [()] * len(shown)
    changes = directions_without(matrix, signs, totals) != shown[:, None]
    return [
        tuple(question for question, changed in zip(questions, row, strict=True) if changed) if direction else ()
        for direction, row in zip(shown, changes, strict=True)
    ]


def _delta(pairs: Mapping[str, float], higher_is_better: bool, test: _Test | None, span: float) -> Delta:
    """The numbers of one metric; `test` is None outside the family."""
    values = list(pairs.values())
    ups, downs = sum(value > 0 for value in values), sum(value < 0 for value in values)
    outside = Delta(
        mean=math.fsum(values) / len(values) if values else None,
        n=len(values),
        ci95=None,
        p=None,
        p_adjusted=None,
        wins=ups if higher_is_better else downs,
        ties=len(values) - ups - downs,
        losses=downs if higher_is_better else ups,
        verdict=_verdict(higher_is_better, test),
        detectable=None,
        fragile=False,
        carried_by=(),
    )
    if test is None:
        return replace(outside, p=_p_alone(values))
    return replace(
        outside,
        ci95=interval_around(values, t_half_width(values, test.wide), test.direction, span),
        p=test.p,
        p_adjusted=test.p_adjusted,
        detectable=half_width(values, test.z, test.limit),
        fragile=bool(test.carried_by),
        carried_by=test.carried_by,
        limit=test.limit,
    )


def _verdict(higher_is_better: bool, test: _Test | None) -> Verdict:
    if test is None:
        return "too few"
    if test.direction == 0:
        return "not shown"
    return "better" if (test.direction > 0) == higher_is_better else "worse"


def _p_alone(values: list[float]) -> float | None:
    """p over all flips of the few pairs that differ; 1 if all are 0, None without pairs."""
    differing = np.array([[value for value in values if value != 0]])
    if not differing.size:
        return 1.0 if values else None
    norm = math.sqrt(float((differing**2).sum()))
    flipped = np.abs(flipped_totals(differing, draw_signs(differing.size, seed=0, flips=1))[0]) / norm
    return p_value(flipped, float(differing.sum()) / norm)
