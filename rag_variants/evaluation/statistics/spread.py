"""How a metric's deltas spread over the questions."""

import math
import statistics as means
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

TENTH = 10


@dataclass(frozen=True, slots=True)
class DeltaSpread:
    """B − A over `n` questions: percentiles (linear between ranks), and the mean of the worst tenth for B.

    `worst_n` is a tenth of the questions, rounded up; worst is meant in the metric's own direction.
    """

    n: int
    mean: float
    p10: float
    p50: float
    p90: float
    worst: float
    worst_n: int


def spread_deltas(deltas: Sequence[float], higher_is_better: bool = True) -> DeltaSpread | None:
    """The spread of some deltas; None without any."""
    if not deltas:
        return None
    worst_first = sorted(deltas, reverse=not higher_is_better)[: math.ceil(len(deltas) / TENTH)]
    p10, p50, p90 = (float(each) for each in np.percentile(deltas, [10, 50, 90]))
    return DeltaSpread(len(deltas), means.fmean(deltas), p10, p50, p90, means.fmean(worst_first), len(worst_first))
