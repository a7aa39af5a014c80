"""Where a mean delta may lie, and how large it would have to be to be shown."""

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np

from rag_variants.evaluation.statistics.signflips import MIN_DIFFERING, TOLERANCE

UNSEEN = 0.05
"""How improbable it may be that no question of a kind was among those asked."""
_SHORT_OF_0 = 100  # an end that was widened past 0 stops at so small a part of the mean


def unseen_share(n: int) -> float:
    """The largest share that a kind of question may have though none of it is among n drawn, 0…1.

    1 − .05^(1 ÷ n), so that n misses in a row still have a chance of 5 %: 0.18 for 15, about 3 ÷ n for many ("rule of
    three": Hanley and Lippman-Hand 1983). 1 where nothing was drawn.
    """
    return 1 - UNSEEN ** (1 / n) if n else 1.0


def interval_around(
    values: Sequence[float], half: float | None, direction: int, span: float
) -> tuple[float, float] | None:
    """Where the mean delta may lie: mean ± half, within ±span, on the side of 0 that the verdict names.

    Where fewer than MIN_DIFFERING values differ from the most frequent one, the values say little about the spread:
    then a kind of question that was not met may have the unseen share, with a delta at either bound. `direction` is the
    sign of a shown delta, 0 where none is shown. None without a half and without such a spread.
    """
    mean = math.fsum(values) / len(values)
    ends = [] if half is None else [mean - half, mean + half]
    if len(values) - _most_alike(values) < MIN_DIFFERING and math.isfinite(span):
        unseen = unseen_share(len(values))
        ends += [mean - unseen * (mean + span), mean + unseen * (span - mean)]
    if direction and not ends:
        ends = [-span, span]  # shown beside metrics with larger |z|, and by itself it could be anything
    if not all(map(math.isfinite, ends or [math.inf])):
        return None
    low, high = max(min(ends), -span), min(max(ends), span)
    if direction > 0:
        return max(low, mean / _SHORT_OF_0), high
    if direction < 0:
        return low, min(high, mean / _SHORT_OF_0)
    return min(low, 0.0), max(high, 0.0)


def _most_alike(values: Sequence[float]) -> int:
    """How many values are equal to the most frequent one, within the tolerance."""
    ordered = np.sort(values)
    groups = np.split(ordered, np.flatnonzero(np.diff(ordered) >= TOLERANCE) + 1)
    return max(map(len, groups))


def t_half_width(values: Sequence[float], limit: float) -> float:
    """Half of the interval of a mean delta: Student's t at the tail of the normal limit, times the standard error.

    Its degrees of freedom are those of the deltas that differ: ties say nothing about how far the others spread.
    """
    from scipy.special import stdtrit

    n, mean = len(values), math.fsum(values) / len(values)
    squares = math.fsum((value - mean) ** 2 for value in values)
    freedom = sum(value != 0 for value in values) - 1
    return float(stdtrit(freedom, NormalDist().cdf(limit))) * math.sqrt(squares / (n * (n - 1)))


def half_width(values: Sequence[float], z: float, limit: float) -> float | None:
    """The |mean| that would just have been shown beside the given z and limit z_c, in the metric's unit.

    t_c·se with t_c = z_c √((n−1) ÷ (n − z_c²)); None if n ≤ z_c². As se = √Σd² ÷ n · √((n − z²) ÷ (n−1)), this is
    z_c·√Σd² ÷ n · √((n − z²) ÷ (n − z_c²)), beside which the |mean| is |z|·√Σd² ÷ n: in this form rounding cannot bring
    interval and verdict apart, not even at se = 0.
    """
    n = len(values)
    if n <= limit**2:
        return None
    unit = math.sqrt(math.fsum(value**2 for value in values)) / n
    return limit * unit * math.sqrt(max(n - z**2, 0.0) / (n - limit**2))
