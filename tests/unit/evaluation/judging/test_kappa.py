"""The 2×2 table of two sources of yes and no."""

import pytest

from rag_variants.evaluation.judging.kappa import Agreement, agree


def test_accuracy_and_kappa_are_their_sums() -> None:
    table = agree([(True, True)] * 4 + [(False, True)] * 1 + [(False, False)] * 5)
    assert table == Agreement(both=4, judge_only=0, other_only=1, neither=5)
    # equal 9 of 10; yes from 4 of 10 and from 5 of 10
    by_chance = 0.4 * 0.5 + 0.6 * 0.5
    assert (table.n, table.equal, table.accuracy) == (10, 9, 9 / 10)
    assert table.kappa == pytest.approx((9 / 10 - by_chance) / (1 - by_chance))


def test_a_judge_that_always_says_the_opposite_is_below_zero() -> None:
    # equal 0 of 4; by chance 0.5 × 0.5 + 0.5 × 0.5 = 0.5: (0 − 0.5) ÷ (1 − 0.5) = −1
    assert agree([(True, False)] * 2 + [(False, True)] * 2).kappa == pytest.approx(-1)


def test_where_nothing_varies_or_nothing_is_there_no_kappa_is_made_up() -> None:
    assert agree([(True, True)] * 3).kappa is None
    assert (agree([]).n, agree([]).accuracy, agree([]).kappa) == (0, None, None)
