"""False alarms and joint coverage of the paired test, simulated: `python -m benchmarks.statistics [SAMPLES]`.

Run as a module: as a script, this file would stand in for the standard library's `statistics`.
"""

import sys
import time
from collections.abc import Callable

import numpy as np

from rag_variants.evaluation.statistics.paired import compare_paired
from rag_variants.evaluation.statistics.signflips import Floats

METRICS = 8
Draw = Callable[[np.random.Generator, int], Floats]


def correlated(rng: np.random.Generator, questions: int) -> Floats:
    """Deltas (metrics, questions) whose mean is 0 and that share half of their variance."""
    return rng.normal(0, 1, questions) + rng.normal(0, 1, (METRICS, questions))


def zero_one(rng: np.random.Generator, questions: int) -> Floats:
    """Deltas of −1, 0 or 1, mostly ties."""
    return np.sign(correlated(rng, questions)) * (rng.random((METRICS, questions)) < 0.4)


def heavy(rng: np.random.Generator, questions: int) -> Floats:
    """Mostly tiny, a few big, symmetric."""
    return correlated(rng, questions) * np.where(rng.random((METRICS, questions)) < 0.1, 1.0, 0.02)


def rates(draw: Draw, questions: int, samples: int) -> tuple[float, float]:
    """Share of samples with any false alarm, and with all intervals around a true delta of 0.3 right."""
    rng = np.random.default_rng(questions)
    alarms = right = 0
    for _ in range(samples):
        null = draw(rng, questions)
        alarms += any(low is not None and not low <= 0 <= high for low, high in intervals(null))
        right += all(low is None or low <= 0.3 <= high for low, high in intervals(null + 0.3))
    return alarms / samples, right / samples


def intervals(matrix: Floats) -> list[tuple[float, float] | tuple[None, float]]:
    """The interval of each metric; (None, 0) where there is none."""
    deltas = {f"m{row}": {f"{key:04}": float(d) for key, d in enumerate(line)} for row, line in enumerate(matrix)}
    return [delta.ci95 or (None, 0.0) for delta in compare_paired(deltas, dict.fromkeys(deltas, True)).values()]


def main(samples: int) -> None:
    """Print a table: deltas, questions, false alarms, joint coverage, seconds."""
    print("deltas      questions  any false alarm  all intervals right  seconds")
    for draw in (correlated, zero_one, heavy):
        for questions in (20, 50, 200):
            start = time.perf_counter()
            alarms, right = rates(draw, questions, samples)
            print(
                f"{draw.__name__:11} {questions:9}  {alarms:15.3f}  {right:19.3f}  {time.perf_counter() - start:7.1f}"
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
