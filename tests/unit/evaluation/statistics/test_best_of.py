"""Settings that cannot be told from the best, and what luck alone gives, by hand and by simulation."""

import math

import numpy as np
import pytest
from scipy import stats

from rag_variants.evaluation.statistics.best_of import LEAST_FLIPS, compare_with_best, flips_for, luck_of_best
from rag_variants.evaluation.statistics.paired import compare_paired


def scores(*rows: list[float]) -> dict[str, dict[str, float]]:
    return {f"s{at}": {f"q{question:03}": value for question, value in enumerate(row)} for at, row in enumerate(rows)}


def interval(values: list[float], limit: float) -> tuple[float, float]:
    """mean ± t · se, with t at the tail of the normal limit and as many degrees of freedom as values differ, less 1."""
    freedom = sum(value != 0 for value in values) - 1
    half = stats.t.ppf(stats.norm.cdf(limit), freedom) * np.std(values, ddof=1) / math.sqrt(len(values))
    mean = math.fsum(values) / len(values)
    return mean - half, mean + half


@pytest.mark.parametrize("span", [math.inf, 1.0])
def test_two_settings_have_the_verdict_of_a_comparison(span):
    best, other = [1.0] * 12, [0.5] * 8 + [1.0] * 4
    gap = compare_with_best(scores(best, other), "s0", span=span)["s1"]
    deltas = [b - a for a, b in zip(best, other, strict=True)]
    (delta,) = compare_paired({"m": {str(at): each for at, each in enumerate(deltas)}}, {"m": True}).values()
    assert (gap.n, gap.mean, gap.told_apart, delta.verdict) == (12, pytest.approx(-8 * 0.5 / 12), True, "worse")
    # |Σ| of eight halves is 4 in 2 of 2⁸ flips and 3 in 16: 4 of them may exceed z_c, which is 6/√8.
    low, high = interval(deltas, 6 / math.sqrt(8))
    assert low < -1 / 3 < high < 0
    if span == 1:  # eight of twelve are alike: 1 − .05^(1/12) of questions may be others, with a gap of −1 or 1
        unseen = 1 - 0.05 ** (1 / 12)
        low, high = min(low, -1 / 3 - unseen * (1 - 1 / 3)), max(high, -1 / 3 + unseen * (1 + 1 / 3))
        assert high < 0
    assert gap.ci95 == pytest.approx((low, high))


def test_the_limit_is_that_of_all_pairs():
    """Three settings: the pair of the two others counts too, though neither is the best."""
    rng = np.random.default_rng(1)
    rows = [list(rng.normal(size=13)) for _ in range(3)]
    found = compare_with_best(scores(*rows), "s0")
    pairs = {f"{a}{b}": {str(q): rows[b][q] - rows[a][q] for q in range(13)} for a, b in ((0, 1), (0, 2), (1, 2))}
    together = compare_paired(pairs, dict.fromkeys(pairs, True))
    for name, pair in (("s1", "01"), ("s2", "02")):
        low, high = interval(list(pairs[pair].values()), together[pair].limit)
        assert not found[name].told_apart
        assert found[name].ci95 == pytest.approx((min(low, 0), max(high, 0)))


def test_the_best_and_its_equals_are_never_told_from_it():
    found = compare_with_best(scores([1.0] * 20, [1.0] * 20, [0.0] * 20, [0.0] * 6 + [1.0] * 14), "s0")
    assert [each.told_apart for each in found.values()] == [False, False, True, False]  # six that differ are too few
    assert (found["s1"].mean, found["s1"].ci95) == (0.0, None)


def test_where_lower_is_better_the_higher_is_told_apart():
    found = compare_with_best(scores([0.0] * 20, [1.0] * 20), "s0", higher_is_better=False)
    assert found["s1"].told_apart
    assert not compare_with_best(scores([0.0] * 20, [1.0] * 20), "s0")["s1"].told_apart


def test_a_gap_is_over_questions_scored_with_both():
    values = {"best": {"1": 1.0, "2": 1.0, "3": 0.5}, "other": {"2": 0.5, "3": 0.5, "4": 0.0}}
    gap = compare_with_best(values, "best")["other"]
    assert (gap.mean, gap.n) == (pytest.approx((-0.5 + 0) / 2), 2)
    assert compare_with_best({"best": {"1": 1.0}, "other": {}}, "best")["other"].mean is None


def test_luck_of_one_setting_over_two_questions_is_the_mean_over_its_four_flips():
    """Deltas 0.2 and 0.4: flipped means ±0.3, ±0.1; with 0 for staying: (0.3 + 0.1 + 0 + 0) ÷ 4 = 0.1."""
    values = scores([0.0, 0.0], [0.2, 0.4])
    assert luck_of_best(values, "s0", 2) == pytest.approx(0.1)
    assert luck_of_best(values, "s0", 2, higher_is_better=False) == pytest.approx(0.1)


def test_settings_tried_before_are_further_draws():
    """r = (3 − 1) ÷ 1 = 2 draws of 0, 0, 0.1, 0.3: the larger is 0.3 in 1 − (3/4)² = 7/16, 0.1 in 9/16 − 4/16."""
    values = scores([0.0, 0.0], [0.2, 0.4])
    assert luck_of_best(values, "s0", 3) == pytest.approx(0.3 * 7 / 16 + 0.1 * 5 / 16)


def test_settings_that_do_the_same_have_the_luck_of_one():
    rng = np.random.default_rng(2)
    start, other = list(rng.normal(size=30)), list(rng.normal(size=30))
    assert luck_of_best(scores(start, other, other, other), "s0", 4) == pytest.approx(
        luck_of_best(scores(start, other), "s0", 2) or 0
    )


def test_luck_is_none_without_anything_beside_the_start():
    assert luck_of_best(scores([1.0, 2.0]), "s0", 1) is None
    assert luck_of_best({"s0": {"1": 1.0}, "s1": {}}, "s0", 2) is None


def test_luck_is_what_the_best_of_equal_settings_has_on_average():
    """400 question sets with eight settings that are equal in truth: the mean advantage of the best is foretold."""
    rng = np.random.default_rng(3)
    had, foretold = [], []
    for seed in range(400):
        rows = rng.normal(size=(9, 12)) + rng.normal(size=12)  # a question's difficulty is common to all
        values = scores(*(list(row) for row in rows))
        had.append(max(0.0, *(float(np.mean(row - rows[0])) for row in rows[1:])))
        foretold.append(luck_of_best(values, "s0", 9, seed=seed) or 0.0)
    error = math.hypot(np.std(had), np.std(foretold)) / math.sqrt(len(had))
    assert np.mean(foretold) == pytest.approx(np.mean(had), abs=4 * error)
    assert error < 0.05 * np.mean(had)  # so that the line above could fail


def test_the_best_of_equal_settings_is_seldom_told_apart():
    """300 question sets with six equal settings: one is told from the best in at most 1 of 60 (+ 4 standard errors)."""
    rng = np.random.default_rng(4)
    alarms = 0
    for seed in range(300):
        rows = rng.normal(size=(6, 12))
        best = f"s{int(rows.mean(axis=1).argmax())}"
        found = compare_with_best(scores(*(list(row) for row in rows)), best, seed=seed)
        alarms += any(each.told_apart for each in found.values())
    assert alarms / 300 <= 1 / 60 + 4 * math.sqrt(1 / 60 * 59 / 60 / 300)
    assert alarms > 0  # at 1 of 60 none of 300 at all would be a test that says nothing


def test_large_grids_take_fewer_flips():
    assert flips_for(45, 100) == 10_000
    assert flips_for(499_500, 100) == LEAST_FLIPS == 400  # 20e9 ÷ 49.95e6 = 400.4
