"""Words and vectors of passages, mixed into those of a question."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

# Terms of the passages that are kept, as in Abdul-Jaleel et al. 2004 and the search engines after them.
FEEDBACK_TERMS = 10
Vector = npt.NDArray[np.float32]


def mix_terms(
    asked: Sequence[str], passages: Sequence[tuple[float, Sequence[str]]], weight: float
) -> tuple[tuple[str, float], ...]:
    """The terms to search with their weights, the heaviest first, ties by the alphabet.

    `asked` are the question's terms, `passages` are (share, terms) of each passage, the shares adding up to 1. RM3
    (Lavrenko and Croft 2001; Abdul-Jaleel et al. 2004): P(t) = (1 − weight) · tf(t, asked) ÷ |asked| + weight · F(t),
    where F(t) = Σ_passages share · tf(t, passage) ÷ |passage|, its FEEDBACK_TERMS largest alone, made to add up to 1.
    All are multiplied by |asked|, so that scores stay on the scale of the question's own.
    """
    model: dict[str, float] = {}
    for share, terms in passages:
        for term, count in Counter(terms).items():
            model[term] = model.get(term, 0.0) + share * count / len(terms)
    largest = dict(_heaviest_first(model)[:FEEDBACK_TERMS])
    mass, own = sum(largest.values()), Counter(asked)
    share = weight if mass else 0.0
    mixed = {
        term: (1 - share) * own[term] + share * len(asked) * largest.get(term, 0.0) / (mass or 1.0)
        for term in {**own, **largest}
    }
    return tuple((term, each) for term, each in _heaviest_first(mixed) if each > 0)


def _heaviest_first(weights: Mapping[str, float]) -> list[tuple[str, float]]:
    return sorted(weights.items(), key=lambda each: (-each[1], each[0]))


def mix_vectors(asked: Vector, passages: Sequence[Vector], weight: float) -> Vector:
    """The unit vector of (1 − weight) · asked + weight · the mean of the passages.

    Rocchio 1971 without the wrong ones: asked + β · mean has the same direction where β = weight ÷ (1 − weight).
    """
    moved = (1 - weight) * asked + weight * np.mean(np.stack(passages), axis=0)
    return np.asarray(moved / max(float(np.linalg.norm(moved)), 1e-12), dtype=np.float32)
