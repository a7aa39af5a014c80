"""A judge's own noise: how far a mean moves when the same records are judged again."""

import math
import statistics as means
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

CENTRAL = 0.95

Values = Mapping[str, float | None]  # by question id; None is not scored


@dataclass(frozen=True, slots=True)
class Noise:
    """How far a judge moves one side's mean of a metric: `variance` of that mean, from judging alone.

    Each of `n` questions was judged `times` times on the same record; 0 for a judge that is deterministic.
    """

    times: int
    n: int
    variance: float


def measure_noise(repeats: Sequence[Values]) -> Noise | None:
    """The noise of a metric's mean from its values in each repeat; None if no question has a value in all of them.

    Σ v_q ÷ n², v_q being the sample variance of a question's values: the variance of a mean of independent values.
    Raises ValueError for fewer than two repeats.
    """
    if len(repeats) < 2:
        raise ValueError("Noise shows between two repeats at least.")
    found = []
    for question in repeats[0]:
        values = [each.get(question) for each in repeats]
        whole = [value for value in values if value is not None]
        if len(whole) == len(repeats):
            found.append(means.variance(whole))
    return Noise(len(repeats), len(found), math.fsum(found) / len(found) ** 2) if found else None


def noise_floor(a: Noise | None, b: Noise | None) -> float | None:
    """The 95 % point of |mean B − mean A| from judging alone, if nothing but the judge's replies differed.

    1.96 √(variance of A's mean + variance of B's): the mean of many independent differences is about normal. None if a
    side was not judged again. Verdicts that both sides share (same question, same chunk) make the true one smaller.
    """
    if a is None or b is None:
        return None
    return NormalDist().inv_cdf((1 + CENTRAL) / 2) * math.sqrt(a.variance + b.variance)
