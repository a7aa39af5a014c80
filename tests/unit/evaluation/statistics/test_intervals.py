"""Intervals and verdicts of bounded scores, over random families of every kind that is seen in runs."""

import math

import numpy as np
import pytest

from rag_variants.evaluation.statistics.intervals import interval_around, unseen_share
from rag_variants.evaluation.statistics.paired import compare_paired
from rag_variants.evaluation.statistics.signflips import (
    FLIPS_PER_ALARM,
    MIN_DIFFERING,
    draw_signs,
    flipped_totals,
    limit_of,
    step_down,
)

Family = dict[str, dict[str, float]]


def bounded_family(rng: np.random.Generator) -> Family:
    """One to six metrics whose scores lie in 0…1, over 1 to 60 questions, some not scored."""
    questions = int(rng.integers(1, 61))
    shift = rng.choice([0.0, 0.2, 0.6])
    a, b = rng.random((2, questions))
    kinds = [
        np.clip(b + shift, 0, 1) - a,  # graded
        (b < 0.5 + shift / 2).astype(float) - (a < 0.5).astype(float),  # 0/1
        np.round(4 * np.clip(b + shift, 0, 1)) / 4 - np.round(4 * a) / 4,  # quarters, with ties
        np.full(questions, rng.choice([1.0, -1.0, 0.25, -1e-8, 0.0])),  # constant
        np.where(rng.random(questions) < 0.9, 1.0, -1.0),  # nearly all win
        np.where(rng.random(questions) < 0.85, 0.0, 0.5),  # nearly all tie
        np.append(np.full(questions - 1, 1e-7), -1.0),  # one outweighs all others
    ]
    family: Family = {}
    for at in range(int(rng.integers(1, 7))):
        values, scored = kinds[rng.integers(len(kinds))], rng.random(questions) < rng.choice([1.0, 0.7])
        family[f"m{at}"] = {f"q{q:02}": float(values[q]) for q in np.flatnonzero(scored)}
    return family


def test_interval_verdict_and_bounds_agree_in_every_family() -> None:
    rng = np.random.default_rng(21)
    verdicts = set()
    for _ in range(250):
        family = bounded_family(rng)
        found = compare_paired(family, dict.fromkeys(family, True), span=dict.fromkeys(family, 1.0), flips=600)
        for name, delta in found.items():
            verdicts.add(delta.verdict)
            differing = sum(abs(each) >= 1e-9 for each in family[name].values())
            assert (delta.verdict == "too few") == (differing < MIN_DIFFERING) == (delta.ci95 is None)
            if delta.ci95 is None or delta.mean is None or delta.p is None or delta.p_adjusted is None:
                continue
            low, high = delta.ci95
            assert -1 <= low <= delta.mean <= high <= 1, (family, delta)
            assert delta.shown == (low > 0 or high < 0), (family, delta)
            if delta.shown:
                assert (delta.verdict == "better") == (delta.mean > 0) == (low > 0)
            assert delta.p <= delta.p_adjusted <= 1
    assert verdicts == {"better", "worse", "not shown", "too few"}


def test_step_down_shows_all_that_one_step_shows_and_more() -> None:
    rng = np.random.default_rng(22)
    more = 0
    for _ in range(200):
        metrics, questions = int(rng.integers(1, 7)), int(rng.integers(7, 30))
        deltas = rng.normal(rng.choice([0, 0.4, 0.8], (metrics, 1)), 1, (metrics, questions))
        norms = np.sqrt((deltas**2).sum(axis=1))
        z = deltas.sum(axis=1) / norms
        flipped = np.abs(flipped_totals(deltas, draw_signs(questions, seed=1, flips=1200))) / norms[:, None]
        shown, p = step_down(z, flipped)
        at_once = np.abs(z) > limit_of(flipped.max(axis=0))
        assert (shown != 0)[at_once].all(), "whatever passes the limit of all is shown"
        assert (np.sign(z)[shown != 0] == shown[shown != 0]).all()
        largest = (1 + (flipped.max(axis=0) >= np.abs(z)[:, None] - 1e-9).sum(axis=1)) / (1 + flipped.shape[1])
        assert (p <= largest + 1e-12).all()
        assert ((p <= (1 + flipped.shape[1] // FLIPS_PER_ALARM) / (1 + flipped.shape[1])) == (shown != 0)).all()
        order = rng.permutation(metrics)
        turned, p_turned = step_down(z[order], flipped[order])
        assert (turned == shown[order]).all() and (p_turned == p[order]).all()
        more += int((shown != 0).sum() - at_once.sum())
    assert more > 0


@pytest.mark.parametrize("wins", [7, 15, 40, 200])
def test_wins_alone_leave_room_for_what_was_not_met(wins: int) -> None:
    family = {"recall": {f"q{at}": 1.0 for at in range(wins)}}
    delta = compare_paired(family, {"recall": True}, span={"recall": 1.0})["recall"]
    # A kind of question that none of them is may still have 1 − .05^(1/n) of all, and lose by 1 there instead of win.
    unseen = 1 - 0.05 ** (1 / wins)
    assert delta.ci95 is not None and delta.verdict == "better"
    assert 0 < delta.ci95[0] <= 1 - 2 * unseen + 1e-9
    assert delta.ci95 == pytest.approx((1 - 2 * unseen, 1.0))


def test_the_room_is_the_rule_of_three_and_closes_where_seven_are_unlike() -> None:
    assert unseen_share(15) == pytest.approx(1 - 0.05 ** (1 / 15)) == pytest.approx(0.181, abs=0.001)
    assert unseen_share(1000) == pytest.approx(3 / 1000, rel=0.01)
    assert unseen_share(0) == 1
    few, enough = [0.5] * 20 + [0.25] * 6, [0.5] * 19 + [0.25] * 7
    assert interval_around(few, 0.01, 1, 1.0) != interval_around(few, 0.01, 1, math.inf)
    assert interval_around(enough, 0.01, 1, 1.0) == interval_around(enough, 0.01, 1, math.inf)
    mean = (20 * 0.5 + 6 * 0.25) / 26
    unseen = 1 - 0.05 ** (1 / 26)
    assert interval_around(few, 0.01, 1, 1.0) == pytest.approx((mean - unseen * (1 + mean), mean + unseen * (1 - mean)))


def test_an_end_stops_at_the_bounds_and_short_of_0() -> None:
    values = [0.9] * 7 + [0.1] * 7
    assert interval_around(values, 0.7, 1, 1.0) == pytest.approx((0.5 / 100, 1.0))  # .5 − .7 and .5 + .7
    assert interval_around([-each for each in values], 0.7, -1, 1.0) == pytest.approx((-1.0, -0.5 / 100))
    assert interval_around(values, 0.1, 0, 1.0) == pytest.approx((0.0, 0.6))  # not shown: it holds 0
    assert interval_around(values, 0.7, 0, 0.9) == pytest.approx((-0.2, 0.9))
