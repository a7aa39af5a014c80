"""Guesses are counted by hand and by name, together."""

from rag_variants.lessons.guesses import Guess, changed_guesses, tally
from rag_variants.lessons.outcome import MetricFinding

FOUND = MetricFinding("faithfulness", "worse", "worse")


def test_hands_and_names_add_up() -> None:
    guesses = [
        Guess("Ada", (("faithfulness", "worse"),), 9),
        Guess("Bo", (("faithfulness", "better"), ("key_facts", "worse")), 2),
        Guess("Cy", (("faithfulness", None),), None),
    ]
    counted = tally(FOUND, guesses, {"worse": 4, "not shown": 2})
    assert counted.votes == {"better": 1, "not shown": 2, "worse": 4 + 1}
    assert (counted.right, counted.all) == (4 + 1, 1 + 2 + 5)
    assert changed_guesses(guesses) == (2, 9)


def test_nobody_guessed() -> None:
    assert (tally(FOUND, [], {}).all, tally(FOUND, [], {}).right) == (0, 0)
