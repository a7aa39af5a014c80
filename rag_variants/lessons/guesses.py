"""What people guess before a lesson's result is shown, and how the guesses compare with it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rag_variants.lessons.lesson import DIRECTIONS, Direction
from rag_variants.lessons.outcome import MetricFinding

Votes = Mapping[Direction, int]


@dataclass(frozen=True, slots=True)
class Guess:
    """One person's guess: where each metric goes, and how many questions change; None for what was not guessed."""

    name: str
    moves: tuple[tuple[str, Direction | None], ...]
    changed: int | None = None


@dataclass(frozen=True, slots=True)
class Tally:
    """The guesses about one metric beside what was found."""

    finding: MetricFinding
    votes: Votes

    @property
    def all(self) -> int:
        """How many guessed."""
        return sum(self.votes.values())

    @property
    def right(self) -> int:
        """How many guessed what was found."""
        return self.votes.get(self.finding.found, 0)


def tally(finding: MetricFinding, guesses: Iterable[Guess], hands: Votes) -> Tally:
    """The votes of guesses by name and of hands that were counted, together."""
    votes: dict[Direction, int] = dict.fromkeys(DIRECTIONS, 0)
    for direction, count in hands.items():
        votes[direction] += count
    for guess in guesses:
        move = dict(guess.moves).get(finding.metric)
        if move:
            votes[move] += 1
    return Tally(finding, votes)


def changed_guesses(guesses: Iterable[Guess]) -> tuple[int, ...]:
    """The numbers of changed questions that were guessed, smallest first."""
    return tuple(sorted(guess.changed for guess in guesses if guess.changed is not None))
