"""Faithfulness and context recall as a band: what the judge is unsure of counted as no, and as yes."""

import statistics as means
from collections.abc import Sequence
from dataclasses import dataclass

from rag_variants.types import Score


@dataclass(frozen=True, slots=True)
class Ends:
    """A value with unsure as no (`strict`, the value shown everywhere) and with unsure as yes (`lenient`)."""

    strict: float
    lenient: float


@dataclass(frozen=True, slots=True)
class Band:
    """Both ends of a metric's means over the pairs, and of their difference B − A, the same rule on both sides.

    The delta's lenient end can be below or above its strict one. `unsure` of `verdicts` are unsure, on both sides
    together.
    """

    a: Ends
    b: Ends
    delta: Ends
    unsure: int
    verdicts: int


def band_of(pairs: Sequence[tuple[Score, Score]]) -> Band | None:
    """The band of a metric from its (A, B) scores; pairs not scored on both sides are left out.

    None if no verdict behind these scores is unsure, as with a judge that says yes or no alone.
    """
    both = [pair for pair in pairs if pair[0].value is not None and pair[1].value is not None]
    counts = [counts_of(score) for pair in both for score in pair]
    unsure = sum(each["unsure"] for each in counts)
    if not unsure:
        return None
    a, b = (_ends([pair[side] for pair in both]) for side in (0, 1))
    delta = Ends(b.strict - a.strict, b.lenient - a.lenient)
    return Band(a, b, delta, unsure, sum(each["total"] for each in counts))


def counts_of(score: Score) -> dict[str, int]:
    """How many verdicts a score rests on (`total`), and how many are `yes` and `unsure`; 0 where there are none."""
    return {"total": 0, "yes": 0, "unsure": 0, **(score.detail or {}).get("counts", {})}


def _ends(scores: Sequence[Score]) -> Ends:
    """The means; a score without verdicts (nothing was retrieved) has both ends at its value."""
    return Ends(
        means.fmean(_end(score, "strict") for score in scores), means.fmean(_end(score, "lenient") for score in scores)
    )


def _end(score: Score, end: str) -> float:
    return float((score.detail or {}).get(end, score.value))
