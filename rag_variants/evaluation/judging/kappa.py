"""How far two people, or a person and a judge, agree on yes and no."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Agreement:
    """The 2×2 table of a judge's yes and no beside another source's, which is held to be right.

    `both` and `neither` are equal verdicts; `judge_only` is where the judge alone says yes, `other_only` where it
    alone says no.
    """

    both: int = 0
    judge_only: int = 0
    other_only: int = 0
    neither: int = 0

    @property
    def n(self) -> int:
        """How many verdicts were compared."""
        return self.both + self.judge_only + self.other_only + self.neither

    @property
    def equal(self) -> int:
        """How many are equal."""
        return self.both + self.neither

    @property
    def accuracy(self) -> float | None:
        """The share of equal verdicts, 0…1; None of none."""
        return self.equal / self.n if self.n else None

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa (1960): (equal − by chance) ÷ (1 − by chance); None if both always say the same one thing.

        1 is perfect, 0 what two who guess at their own rates of yes would reach, below 0 less than that.
        """
        if not self.n:
            return None
        yes, other = (self.both + self.judge_only) / self.n, (self.both + self.other_only) / self.n
        by_chance = yes * other + (1 - yes) * (1 - other)
        return (self.equal / self.n - by_chance) / (1 - by_chance) if by_chance < 1 else None


def agree(pairs: Iterable[tuple[bool, bool]]) -> Agreement:
    """The table of (judge, other) verdicts."""
    counts = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
    for pair in pairs:
        counts[pair] += 1
    return Agreement(*counts.values())
