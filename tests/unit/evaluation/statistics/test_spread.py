"""Percentiles and the worst tenth, worked out by hand."""

import pytest

from rag_variants.evaluation.statistics.spread import spread_deltas


def test_percentiles_and_the_worst_tenth():
    deltas = [-1.0, -0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 1.0]
    spread = spread_deltas(deltas)
    assert spread is not None
    # 11 values: p10, p50 and p90 stand at ranks 1, 5 and 9 from 0; a tenth of 11 is 1.1, rounded up 2
    assert (spread.p10, spread.p50, spread.p90) == (-0.5, 0.0, 0.5)
    assert (spread.worst_n, spread.worst) == (2, (-1.0 - 0.5) / 2)
    assert (spread.n, spread.mean) == (11, 0.0)


def test_percentiles_between_two_questions():
    spread = spread_deltas([0.0, 1.0])
    assert spread is not None
    assert (spread.p10, spread.p50, spread.p90) == pytest.approx((0 + 0.1 * 1, 0.5, 0.9))
    assert (spread.worst_n, spread.worst) == (1, 0.0)


def test_where_lower_is_better_the_worst_are_the_largest():
    spread = spread_deltas([-3.0, 1.0, 2.0], higher_is_better=False)
    assert spread is not None
    assert (spread.worst_n, spread.worst) == (1, 2.0)


def test_without_deltas_there_is_no_spread():
    assert spread_deltas([]) is None


@pytest.mark.parametrize(("n", "count"), [(1, 1), (10, 1), (11, 2), (76, 8), (80, 8)])
def test_a_tenth_is_rounded_up(n, count):
    spread = spread_deltas([0.0] * n)
    assert spread is not None
    assert spread.worst_n == count
