"""How many questions would show a change of a chosen size, from the spread at hand."""

import math
import statistics as means
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

from rag_variants.evaluation.compare import paired_deltas
from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.statistics.signflips import MIN_DIFFERING

POWER = 0.8


@dataclass(frozen=True, slots=True)
class Need:
    """How many questions would show a change of `change` in a metric with probability `power`.

    `pairs` have to be scored on both sides, of `questions` asked, at the share of `scored` ÷ `asked` at hand. `spread`
    is the standard deviation of the deltas at hand, in the metric's unit.
    """

    metric: str
    change: float
    power: float
    spread: float
    pairs: int
    questions: int
    scored: int
    asked: int


def pairs_needed(change: float, spread: float, limit: float, *, power: float = POWER) -> int:
    """The least n with change·√n ÷ spread ≥ t_c(n) + z_power, t_c = z_c √((n−1) ÷ (n − z_c²)), `limit` being z_c.

    The normal approximation n = ((z_{1−α/2} + z_power)·σ ÷ δ)² of a paired comparison (Cohen 1988, Statistical Power
    Analysis, ch. 2; Chow, Shao and Wang, Sample Size Calculations in Clinical Research, 3.1), with the critical value
    of the joint test in place of z_{1−α/2}. MIN_DIFFERING at least. Raises ValueError unless change, spread and limit
    are above 0 and power lies between 0 and 1.
    """
    if min(change, spread, limit) <= 0 or not 0 < power < 1:
        raise ValueError(f"change {change}, spread {spread}, limit {limit} and power {power} give no number")
    beyond = NormalDist().inv_cdf(power)
    n = max(MIN_DIFFERING, math.floor(limit**2) + 1)
    while change * math.sqrt(n) / spread < limit * math.sqrt((n - 1) / (n - limit**2)) + beyond:
        # t_c falls towards z_c: so many are needed even at its end, and one more step at least.
        n = max(n + 1, math.floor(((limit + beyond) * spread / change) ** 2))
    return n


def questions_needed(comparison: Comparison, metric: str, change: float, *, power: float = POWER) -> Need | None:
    """How many questions would show `change` (its size, above 0) in a metric of a comparison.

    None where the spread cannot be known: fewer than MIN_DIFFERING pairs that differ, or all deltas equal. The critical
    value is that of this comparison, and the new questions are taken to be like the old ones. Raises ValueError for a
    change or power that gives no number.
    """
    deltas = list(paired_deltas(comparison.counted, metric).values())
    limit = comparison.metrics[metric].delta.limit
    spread = means.stdev(deltas) if len(deltas) > 1 else 0.0
    if limit is None or spread == 0:
        return None
    differing = sum(delta != 0 for delta in deltas)
    pairs = max(pairs_needed(change, spread, limit, power=power), math.ceil(MIN_DIFFERING * len(deltas) / differing))
    asked = len(comparison.counted)
    return Need(metric, change, power, spread, pairs, math.ceil(pairs * asked / len(deltas)), len(deltas), asked)


def needs_of(comparison: Comparison, metrics: Sequence[str], change: float, *, power: float = POWER) -> list[Need]:
    """`questions_needed` for several metrics; those without a known spread are left out."""
    found = [questions_needed(comparison, metric, change, power=power) for metric in metrics]
    return [need for need in found if need is not None]
