"""Simulated comparisons whose true deltas are known: correlated metrics, scored on unequal numbers of questions.

They bear the names of those that decide a comparison by default, and so are tested in the product's own families.

Both sides score a question as a value of the same normal variable: what the question is like, shared by both sides, and
what is the side's own. An effect of 0 makes A and B the same, so that every verdict is false; else B's variable is
moved by it on every other metric (of *rare big drops*: B alone drops, on all).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import cycle

import numpy as np
from scipy.special import ndtr

from rag_variants.evaluation.statistics.families import FAMILIES
from rag_variants.evaluation.statistics.signflips import Floats
from rag_variants.metrics import DEFAULT_METRICS, choose_metrics

NAMES = tuple(metric.name for metric in choose_metrics(DEFAULT_METRICS) if metric.family in FAMILIES)
METRICS = len(NAMES)
# The share of the questions that each metric is scored on.
SCORED = tuple(share for _, share in zip(NAMES, cycle((1.0, 1.0, 0.9, 1.0, 0.8, 0.6, 0.5, 0.9))))
MOVED = np.arange(METRICS) % 2 == 0
_SHARED_BY_SIDES, _SHARED_BY_METRICS = 0.6, 0.5
_TIES, _DROPS, _DROPS_SHARED = 0.7, 0.04, 0.8
_WHOLE, _BLOCKS = 100_000, 8

Draw = Callable[[np.random.Generator, int, float], Floats]


@dataclass(frozen=True)
class Kind:
    """A way in which metrics are distributed; `draw(rng, questions, effect)` gives B − A as (metrics, questions).

    `symmetric` says whether the deltas stay about symmetric around their mean when B is moved, `nearly_equal` whether
    nine in ten deltas or more are the same.
    """

    symmetric: bool
    draw: Draw
    nearly_equal: bool = False


def _sides(rng: np.random.Generator, questions: int, effect: float) -> tuple[Floats, Floats]:
    """The normal variable of A and B, each (metrics, questions)."""
    question, a, b = (_correlated(rng, questions) for _ in range(3))
    shared = np.sqrt(_SHARED_BY_SIDES) * question
    own = np.sqrt(1 - _SHARED_BY_SIDES)
    return shared + own * a, shared + own * b + effect * MOVED[:, None]


def _correlated(rng: np.random.Generator, questions: int) -> Floats:
    common, own = rng.normal(size=(1, questions)), rng.normal(size=(METRICS, questions))
    found: Floats = np.sqrt(_SHARED_BY_METRICS) * common + np.sqrt(1 - _SHARED_BY_METRICS) * own
    return found


def _scored(score: Callable[[Floats], Floats], rng: np.random.Generator, questions: int, effect: float) -> Floats:
    a, b = _sides(rng, questions, effect)
    return score(b) - score(a)


def _binary(variable: Floats) -> Floats:
    return (variable > -0.5).astype(float)


def _quarters(variable: Floats) -> Floats:
    return np.minimum(np.floor(ndtr(variable) * 5), 4) / 4


def _continuous(variable: Floats) -> Floats:
    found: Floats = ndtr(variable)
    return found


def _near_one(variable: Floats) -> Floats:
    """Most scores near 1, with a long tail down to 0."""
    return 1 - np.minimum(1, np.exp(-variable - 2.5))


def _mostly_ties(rng: np.random.Generator, questions: int, effect: float) -> Floats:
    a, b = _sides(rng, questions, effect)
    return np.where(rng.random(questions) < _TIES, 0.0, ndtr(b) - ndtr(a))


def _nearly_all(share: float, common: float, rng: np.random.Generator, questions: int, effect: float) -> Floats:
    """The same delta on so many questions, others elsewhere: `common` where B was moved, else a tie."""
    a, b = _sides(rng, questions, effect)
    other = rng.random(questions) >= share
    usual = np.where(MOVED[:, None], common if effect else 0.0, 0.0)
    return np.where(other, _binary(b) - _binary(a), usual)


def _rare_drops(rng: np.random.Generator, questions: int, effect: float) -> Floats:
    a, b = (0.9 + 0.03 * side for side in _sides(rng, questions, 0))
    shape = (METRICS, questions)
    dropped = [
        (rng.random(questions) < _DROPS) & (rng.random(shape) < _DROPS_SHARED) & (not effect or side == "b")
        for side in "ab"
    ]
    return np.where(dropped[1], 0.0, b) - np.where(dropped[0], 0.0, a)


KINDS: Mapping[str, Kind] = {
    "0/1": Kind(True, partial(_scored, _binary)),
    "quarters": Kind(True, partial(_scored, _quarters)),
    "continuous": Kind(True, partial(_scored, _continuous)),
    "many ties": Kind(True, _mostly_ties),
    "nine in ten ties": Kind(True, partial(_nearly_all, 0.9, 0.0), nearly_equal=True),
    "97 % ties": Kind(True, partial(_nearly_all, 0.97, 0.0), nearly_equal=True),
    "nine in ten win": Kind(False, partial(_nearly_all, 0.9, 1.0), nearly_equal=True),
    "97 % win": Kind(False, partial(_nearly_all, 0.97, 1.0), nearly_equal=True),
    "97 % gain a tenth": Kind(False, partial(_nearly_all, 0.97, 0.1), nearly_equal=True),
    "all win": Kind(False, partial(_nearly_all, 1.0, 1.0), nearly_equal=True),
    "skewed": Kind(False, partial(_scored, _near_one)),
    "rare big drops": Kind(False, _rare_drops),
}


def true_means(kind: Kind, effect: float) -> Floats:
    """The mean delta of each metric over 800,000 questions (standard error below .0006); 0 without an effect."""
    if not effect:
        return np.zeros(METRICS)
    rng = np.random.default_rng(1)
    return np.mean([kind.draw(rng, _WHOLE, effect).mean(axis=1) for _ in range(_BLOCKS)], axis=0)


def effect_of_size(kind: Kind, z: float, questions: int) -> float:
    """The effect whose mean delta on the first metric is z of its own standard errors with so many questions."""
    low, high = 0.0, 3.0
    for _ in range(20):
        middle = (low + high) / 2
        deltas = kind.draw(np.random.default_rng(2), _WHOLE, middle)[0]
        if deltas.mean() / deltas.std() * np.sqrt(questions) < z:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def scored_pairs(deltas: Floats, rng: np.random.Generator) -> Mapping[str, Mapping[str, float]]:
    """The deltas by metric and question id, without the pairs that were not scored."""
    kept = rng.random(deltas.shape) < np.array(SCORED)[:, None]
    return {
        name: {f"q{at:03}": float(row[at]) for at in np.flatnonzero(kept[metric])}
        for metric, (name, row) in enumerate(zip(NAMES, deltas, strict=True))
    }
