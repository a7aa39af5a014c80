"""How far the measured error of a judge can carry a delta."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

from rag_variants.evaluation.judging.band import counts_of
from rag_variants.evaluation.statistics.signflips import MIN_DIFFERING
from rag_variants.types import Score

CENTRAL = 0.95


@dataclass(frozen=True, slots=True)
class JudgeError:
    """A judge whose verdicts would flip at `rate` (0…1), and the delta that people's verdicts would give.

    `low` … `high` hold that delta in 95 of 100 cases, under what `carry_judge_error` assumes.
    """

    rate: float
    low: float
    high: float


def carry_judge_error(pairs: Sequence[tuple[Score, Score]], accuracy: float) -> JudgeError | None:
    """What the delta of a share of verdicts could be in people's eyes, from the judge's `accuracy` (0…1) on labels.

    Assumes that each verdict is wrong with the same probability e = 1 − accuracy, whatever it says, wherever it stands,
    and independently of the others. A share s of m verdicts then is s(1 − 2e) + e on average, with variance
    e(1 − e) ÷ m; the delta is the mean over the n pairs of B − A, its variance Σ(e(1−e)÷m_A + e(1−e)÷m_B) ÷ n², and the
    range is mean ± 1.96 standard deviations, inside −1…1. A score without verdicts (nothing was retrieved) stays as it
    is. Where errors are alike on both sides, as they are for a chunk that both have, the range is narrower than this
    one. None below MIN_DIFFERING pairs, as for a verdict, and if no score has verdicts. Raises ValueError for an
    accuracy outside 0…1.
    """
    if not 0 <= accuracy <= 1:
        raise ValueError(f"an accuracy lies in 0…1, not at {accuracy}")
    rate = 1 - accuracy
    both = [pair for pair in pairs if pair[0].value is not None and pair[1].value is not None]
    if len(both) < MIN_DIFFERING or not any(counts_of(score)["total"] for pair in both for score in pair):
        return None
    sides = [(_expected(a, rate), _expected(b, rate)) for a, b in both]
    mean = math.fsum(b[0] - a[0] for a, b in sides) / len(sides)
    spread = math.sqrt(math.fsum(a[1] + b[1] for a, b in sides)) / len(sides)
    half = NormalDist().inv_cdf((1 + CENTRAL) / 2) * spread
    return JudgeError(rate, max(mean - half, -1.0), min(mean + half, 1.0))


def _expected(score: Score, rate: float) -> tuple[float, float]:
    """Mean and variance of a share whose verdicts flip at a rate."""
    value, verdicts = score.value or 0.0, counts_of(score)["total"]
    if not verdicts:
        return value, 0.0
    return value * (1 - 2 * rate) + rate, rate * (1 - rate) / verdicts
