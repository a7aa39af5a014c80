"""How many questions are needed: the formula by hand, and that so many show the change as often as was asked."""

import math

import numpy as np
import pytest

from rag_variants.evaluation.compare import compare_runs
from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.statistics.paired import compare_paired
from rag_variants.evaluation.statistics.planner import needs_of, pairs_needed, questions_needed
from tests.unit.evaluation.test_compare import make_run


def comparison(deltas: list[float | None]) -> Comparison:
    """B is A plus the deltas; None is not scored in B."""
    a = {f"q{at}": 0.5 for at in range(len(deltas))}
    b = {f"q{at}": None if delta is None else 0.5 + delta for at, delta in enumerate(deltas)}
    return compare_runs(make_run({"context_recall": a}), make_run({"context_recall": b}, "hybrid"))


def test_the_number_is_the_least_that_passes_its_formula():
    # (2 + .8416)² · .3² ÷ .1² = 72.7 pairs, if t_c were z_c = 2; at 75 it is 2 √(74 ÷ 71) = 2.042.
    n = pairs_needed(0.1, 0.3, 2.0)

    def reached(n: int) -> bool:
        return 0.1 * math.sqrt(n) / 0.3 >= 2 * math.sqrt((n - 1) / (n - 4)) + 0.8416212

    assert reached(n) and not reached(n - 1) and 73 <= n <= 78


def test_half_the_change_needs_four_times_as_many():
    assert pairs_needed(0.05, 0.3, 2.7) / pairs_needed(0.1, 0.3, 2.7) == pytest.approx(4, rel=0.06)


def test_seven_at_least_and_more_than_z_squared():
    assert pairs_needed(1.0, 0.001, 2.0) == 7
    assert pairs_needed(1.0, 0.001, 3.0) == 10  # n − z² has to be above 0


@pytest.mark.parametrize("bad", [(0, 0.3, 2, 0.8), (0.1, 0, 2, 0.8), (0.1, 0.3, 2, 1), (-0.1, 0.3, 2, 0.8)])
def test_what_gives_no_number_is_refused(bad):
    with pytest.raises(ValueError, match="give no number"):
        pairs_needed(*bad[:3], power=bad[3])


@pytest.mark.parametrize("kind", ["graded", "many ties"])
def test_so_many_questions_show_the_change_in_eight_of_ten_comparisons(kind):
    rng = np.random.default_rng(3)

    def draw(n: int) -> np.ndarray:
        moved = rng.normal(0.1, 0.25, n)
        return moved if kind == "graded" else np.where(rng.random(n) < 0.6, 0.0, moved * 2.5)

    pilot = draw(200_000)
    limit = compare_paired({"m": dict(enumerate_ids(draw(100)))}, {"m": True})["m"].limit
    assert limit is not None
    n = pairs_needed(float(pilot.mean()), float(pilot.std(ddof=1)), limit)
    shown = [
        compare_paired({"m": dict(enumerate_ids(draw(n)))}, {"m": True}, seed=at, flips=1000)["m"] for at in range(400)
    ]
    # Binomial: √(.8·.2 ÷ 400) = .02, three of them, and the approximation's own error.
    assert np.mean([each.verdict == "better" for each in shown]) == pytest.approx(0.8, abs=0.07)


def enumerate_ids(values: np.ndarray) -> list[tuple[str, float]]:
    return [(f"q{at:04}", float(value)) for at, value in enumerate(values)]


def test_questions_not_scored_are_asked_for_too():
    deltas: list[float | None] = [0.2, -0.1, 0.3, 0.1, -0.2, 0.25, 0.15, -0.05]
    whole, half = comparison(deltas), comparison([*deltas, *[None] * 8])
    first, second = (questions_needed(each, "context_recall", 0.05) for each in (whole, half))
    assert first is not None and second is not None
    assert first.spread == pytest.approx(float(np.std([0.2, -0.1, 0.3, 0.1, -0.2, 0.25, 0.15, -0.05], ddof=1)))
    assert first.questions == first.pairs == second.pairs
    assert second.questions == math.ceil(second.pairs * 16 / 8)
    assert (second.scored, second.asked) == (8, 16)


def test_seven_have_to_differ():
    deltas: list[float | None] = [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5001, *[0.0] * 53]
    need = questions_needed(comparison(deltas), "context_recall", 10.0)
    assert need is not None and need.pairs == 7 * 60 / 7


@pytest.mark.parametrize("deltas", [[0.1, 0.2, -0.1], [0.25] * 9, [0.0] * 9, [None] * 4 + [0.1]])
def test_without_a_spread_there_is_no_number(deltas):
    assert questions_needed(comparison(deltas), "context_recall", 0.1) is None
    assert needs_of(comparison(deltas), ["context_recall"], 0.1) == []
