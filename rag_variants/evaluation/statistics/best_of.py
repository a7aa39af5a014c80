"""The best of several settings: which of the others cannot be told from it, and how good luck alone would look.

`values` are a metric's scores by setting and question id, scored questions only. The best is picked by the same
questions that it is then tested on, so both answers take all settings into account, not the best alone.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rag_variants.evaluation.statistics.intervals import interval_around, t_half_width
from rag_variants.evaluation.statistics.signflips import (
    MIN_DIFFERING,
    TOLERANCE,
    Floats,
    Signs,
    draw_signs,
    flipped_totals,
    limit_of,
)

Values = Mapping[str, Mapping[str, float]]

MOST_FLIPS = 10_000
LEAST_FLIPS = 400
_PRODUCTS = 20_000_000_000  # signed deltas summed in one test: some seconds


@dataclass(frozen=True, slots=True)
class Gap:
    """A setting's mean minus the best one's, over the `n` questions scored with both; `told_apart`: it is worse.

    `ci95` is None where there is no finite interval.
    """

    mean: float | None
    n: int
    ci95: tuple[float, float] | None
    told_apart: bool


def flips_for(comparisons: int, questions: int) -> int:
    """How many sign flips a test of so many comparisons takes: 10,000, fewer where that would take minutes."""
    affordable = _PRODUCTS // max(1, comparisons * questions)
    return max(LEAST_FLIPS, min(MOST_FLIPS, affordable))


def compare_with_best(
    values: Values, best: str, *, higher_is_better: bool = True, span: float = math.inf, seed: int = 0
) -> dict[str, Gap]:
    """Every setting's gap to the best one, in the order given; `span` is the largest |gap| that there can be.

    As the best is picked by these questions, every setting could have been it: the critical value is the one that the
    largest |z| over all pairs of settings exceeds in at most one of 60 flips (Tukey's all pairs, by sign flips as in
    `compare_paired`). Verdicts and intervals hold together for all settings. A pair with fewer than MIN_DIFFERING
    questions that differ is never told apart.
    """
    names = list(values)
    scores = _matrix(values, names)
    limit = _limit_of_all_pairs(scores, seed)
    base = scores[names.index(best)]
    return {name: _gap(row - base, limit, higher_is_better, span) for name, row in zip(names, scores, strict=True)}


def luck_of_best(
    values: Values, start: str, tried: int, *, higher_is_better: bool = True, seed: int = 0
) -> float | None:
    """The advantage over `start` that the best of `tried` settings would have on average if all were equal; ≥ 0.

    Were they equal, each question's deltas to the start would be as likely to have the opposite signs. Every flip s
    gives g(s) = max(0, max_p Σ_q s_q·d_pq ÷ n_p) over the settings p at hand, so that settings that go together on the
    same questions count for less than unrelated ones. Settings tried before are taken as r = (tried − 1) ÷ (settings at
    hand) such groups in all: the mean of the largest of r draws is Σ_i g_(i)·((i ÷ F)^r − ((i − 1) ÷ F)^r) over the F
    values in rising order. None if there is nothing to compare with the start.
    """
    names = [name for name in values if name != start]
    scores = _matrix(values, [start, *names])
    deltas = (scores[1:] - scores[0]) * (1 if higher_is_better else -1)
    counts = np.isfinite(deltas).sum(axis=1)
    deltas, counts = _without_ties(deltas[counts > 0]), counts[counts > 0]
    if not len(deltas):
        return None
    signs = _draw(scores.shape[1], len(deltas), seed)
    largest = np.zeros(signs.shape[1])
    for rows in _blocks(len(deltas)):
        means = flipped_totals(deltas[rows], signs) / counts[rows, None]
        largest = np.maximum(largest, means.max(axis=0))
    groups = max(1.0, (tried - 1) / len(deltas))
    share = (np.arange(len(largest) + 1) / len(largest)) ** groups
    return float(np.sort(largest) @ np.diff(share))


def _matrix(values: Values, names: Sequence[str]) -> Floats:
    """(settings, questions), NaN where a setting has no score."""
    questions = sorted({question for name in names for question in values[name]})
    return np.array([[values[name].get(question, math.nan) for question in questions] for name in names])


def _without_ties(deltas: Floats) -> Floats:
    """Deltas with 0 for ties and for questions without a score on both sides."""
    return np.where(np.isfinite(deltas) & (np.abs(deltas) >= TOLERANCE), deltas, 0.0)


def _draw(questions: int, comparisons: int, seed: int) -> Signs:
    return draw_signs(questions, seed=seed, flips=flips_for(comparisons, questions))


def _blocks(count: int, size: int = 256) -> Iterator[slice]:
    return (slice(begin, begin + size) for begin in range(0, count, size))


def _limit_of_all_pairs(scores: Floats, seed: int) -> float | None:
    """z_c over all pairs of unlike settings; None if no pair has MIN_DIFFERING questions that differ."""
    unlike = np.unique(np.nan_to_num(scores, nan=np.inf), axis=0)  # equal settings make no pair of their own
    signs = _draw(scores.shape[1], len(unlike) * (len(unlike) - 1) // 2, seed)
    largest: Floats | None = None
    for at in range(len(unlike) - 1):
        with np.errstate(invalid="ignore"):
            deltas = _without_ties(unlike[at + 1 :] - unlike[at])
        deltas = deltas[(deltas != 0).sum(axis=1) >= MIN_DIFFERING]
        for rows in _blocks(len(deltas)):
            norms = np.sqrt((deltas[rows] ** 2).sum(axis=1, keepdims=True))
            found = (np.abs(flipped_totals(deltas[rows], signs)) / norms).max(axis=0)
            largest = found if largest is None else np.maximum(largest, found)
    return None if largest is None else limit_of(largest)


def _gap(found: Floats, limit: float | None, higher_is_better: bool, span: float) -> Gap:
    scored = np.isfinite(found)
    deltas = [float(each) for each in _without_ties(found)[scored]]
    mean = math.fsum(deltas) / len(deltas) if deltas else None
    if mean is None or limit is None or sum(each != 0 for each in deltas) < MIN_DIFFERING:
        return Gap(mean, len(deltas), None, told_apart=False)
    z = math.fsum(deltas) / math.sqrt(math.fsum(each**2 for each in deltas))
    shown = abs(z) > limit
    ends = interval_around(deltas, t_half_width(deltas, limit), int(math.copysign(shown, z)), span)
    return Gap(mean, len(deltas), ends, shown and (z < 0) == higher_is_better)
