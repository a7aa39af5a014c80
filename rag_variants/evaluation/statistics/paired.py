"""Is B better than A? One test and one interval for all quality metrics of a run.

Each question id has one sign per flip, used by every metric that has the pair; the largest |z| over the metrics, flip
by flip, says how large a |z| chance alone gives. Verdicts and intervals use the same critical value, so they cannot
contradict each other, and they hold together for all metrics (single-step maximum: Westfall and Young 1993).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from rag_variants.evaluation.statistics.signflips import (
    MIN_DIFFERING,
    TOLERANCE,
    Floats,
    Signs,
    directions,
    directions_without,
    draw_signs,
    flipped_totals,
    limit_of,
    p_value,
)

Verdict = Literal["better", "worse", "not shown", "too few"]


@dataclass(frozen=True, slots=True)
class Delta:
    """What changing from A to B did to one metric, in the metric's own unit (B − A).

    `n` pairs, of which B won, tied or lost `wins`, `ties`, `losses` in the metric's own direction. `ci95` is None if
    there is no finite interval. `p` is for this metric alone, `p_adjusted` for the family; `detectable` (≥ 0) is the
    |mean| that would just have been shown. `carried_by` names, in order, the questions whose leaving-out alone
    changes a better or worse; `fragile` says whether there is one. `limit` is z_c of the family (see `compare_paired`),
    None outside it.
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


@dataclass(frozen=True, slots=True)
class _Test:
    """A metric's part in the joint test; `direction` is the sign of a shown delta, 0 if it is not shown."""

    z: float
    limit: float
    p: float
    p_adjusted: float
    direction: int
    carried_by: tuple[str, ...]


def compare_paired(
    deltas: Mapping[str, Mapping[str, float]],
    higher_is_better: Mapping[str, bool],
    *,
    seed: int = 0,
    flips: int = 10_000,
) -> dict[str, Delta]:
    """What B did to each metric, tested jointly, in the order given.

    `deltas[metric][question id]` is B − A, for pairs scored on both sides; it holds the whole family, that is, every
    quality metric of the run. |delta| < 1e-9 is a tie and counts as 0. z = Σd ÷ √Σd²; better or worse iff |z| > z_c,
    the smallest value that the largest |z| of the family exceeds in at most 5 % of flips. Flips are exact up to 13
    questions, else `flips` seeded ones. A metric with fewer than six pairs that differ is outside the family and "too
    few" (so is one whose deltas are all 0): mean and p, no interval. The order of metrics and questions has no effect.
    Single-step maximum: Westfall and Young (1993), Resampling-Based Multiple Testing.
    """
    if flips < 1:
        raise ValueError(f"flips has to be at least 1, not {flips}.")
    pairs = {metric: _with_ties_at_zero(metric, deltas[metric]) for metric in sorted(deltas)}
    family = {metric: found for metric, found in pairs.items() if _differing(found) >= MIN_DIFFERING}
    tests = _test(family, seed=seed, flips=flips)
    return {metric: _delta(pairs[metric], higher_is_better[metric], tests.get(metric)) for metric in deltas}


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
    largest = flipped.max(axis=0)
    limit = limit_of(largest)
    shown = directions(z, limit)
    carriers = _carriers(questions, shown, matrix, signs, totals)
    return {
        metric: _Test(
            z=float(z[row]),
            limit=limit,
            p=p_value(flipped[row], float(z[row])),
            p_adjusted=p_value(largest, float(z[row])),
            direction=int(shown[row]),
            carried_by=carriers[row],
        )
        for row, metric in enumerate(family)
    }


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


def _delta(pairs: Mapping[str, float], higher_is_better: bool, test: _Test | None) -> Delta:
    """The numbers of one metric; `test` is None outside the family."""
    values = list(pairs.values())
    ups, downs = sum(value > 0 for value in values), sum(value < 0 for value in values)
    mean = math.fsum(values) / len(values) if values else None
    half = None if test is None else half_width(values, test.z, test.limit)
    return Delta(
        mean=mean,
        n=len(values),
        ci95=None if mean is None or half is None else (mean - half, mean + half),
        p=_p_alone(values) if test is None else test.p,
        p_adjusted=None if test is None else test.p_adjusted,
        wins=ups if higher_is_better else downs,
        ties=len(values) - ups - downs,
        losses=downs if higher_is_better else ups,
        verdict=_verdict(higher_is_better, test),
        detectable=half,
        fragile=test is not None and bool(test.carried_by),
        carried_by=() if test is None else test.carried_by,
        limit=None if test is None else test.limit,
    )


def _verdict(higher_is_better: bool, test: _Test | None) -> Verdict:
    if test is None:
        return "too few"
    if test.direction == 0:
        return "not shown"
    return "better" if (test.direction > 0) == higher_is_better else "worse"


def half_width(values: Sequence[float], z: float, limit: float) -> float | None:
    """Half of the interval of a mean delta whose test has the given z and limit z_c, in the metric's unit.

    t_c·se with t_c = z_c √((n−1) ÷ (n − z_c²)); None if n ≤ z_c². As se = √Σd² ÷ n · √((n − z²) ÷ (n−1)), this is
    z_c·√Σd² ÷ n · √((n − z²) ÷ (n − z_c²)), beside which the |mean| is |z|·√Σd² ÷ n: in this form rounding cannot bring
    interval and verdict apart, not even at se = 0.
    """
    n = len(values)
    if n <= limit**2:
        return None
    unit = math.sqrt(math.fsum(value**2 for value in values)) / n
    return limit * unit * math.sqrt(max(n - z**2, 0.0) / (n - limit**2))


def _p_alone(values: list[float]) -> float | None:
    """p over all flips of the (at most five) pairs that differ; 1 if all are 0, None without pairs."""
    differing = np.array([[value for value in values if value != 0]])
    if not differing.size:
        return 1.0 if values else None
    norm = math.sqrt(float((differing**2).sum()))
    flipped = np.abs(flipped_totals(differing, draw_signs(differing.size, seed=0, flips=1))[0]) / norm
    return p_value(flipped, float(differing.sum()) / norm)
