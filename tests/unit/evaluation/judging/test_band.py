"""The ends of a band and how far a judge's error carries a delta: expected numbers are the sums they come from."""

import math
from typing import Any

import numpy as np
import pytest

from rag_variants.evaluation.judging.band import Ends, band_of
from rag_variants.evaluation.judging.judge_error import carry_judge_error
from rag_variants.metrics.verdicts import share_ends
from rag_variants.types import Score


def judged(*labels: str) -> Score:
    """A score from the labels of its verdicts, made as the metrics make it."""
    entries: list[dict[str, Any]] = [{"verdict": int(label == "supported"), "label": label} for label in labels]
    ends = share_ends(entries)
    return Score(ends["strict"], detail=ends)


YES, NO, UNSURE = "supported", "missing", "unsure"
NOTHING = Score(0.0, "nothing was retrieved")


def test_unsure_counts_as_no_and_as_yes():
    band = band_of([(judged(YES, UNSURE), judged(YES, YES)), (judged(NO, NO, UNSURE, UNSURE), judged(UNSURE))])
    assert band is not None
    # A: strict (1/2 + 0/4) ÷ 2, lenient (2/2 + 2/4) ÷ 2; B: strict (2/2 + 0) ÷ 2, lenient (2/2 + 1) ÷ 2.
    assert band.a == Ends((1 / 2 + 0) / 2, (1 + 2 / 4) / 2)
    assert band.b == Ends((1 + 0) / 2, (1 + 1) / 2)
    assert band.delta == Ends(1 / 2 - 1 / 4, 1 - 3 / 4)
    assert (band.unsure, band.verdicts) == (1 + 2 + 1, 2 + 2 + 4 + 1)


def test_the_lenient_delta_may_be_the_smaller_one():
    band = band_of([(judged(NO, UNSURE), judged(YES, NO))])
    assert band is not None and band.delta == Ends(1 / 2 - 0, 1 / 2 - 1 / 2)


def test_a_score_without_verdicts_has_both_ends_at_its_value():
    band = band_of([(NOTHING, judged(YES, UNSURE))])
    assert band is not None and (band.a, band.b) == (Ends(0, 0), Ends(1 / 2, 1))


def test_pairs_that_are_not_scored_on_both_sides_are_left_out():
    band = band_of([(Score(None), judged(UNSURE)), (judged(YES), judged(UNSURE, NO))])
    assert band is not None and (band.b, band.unsure, band.verdicts) == (Ends(0, 1 / 2), 1, 1 + 2)


def test_a_judge_of_yes_and_no_alone_has_no_band():
    assert band_of([(judged(YES, NO), judged(YES))]) is None
    assert band_of([]) is None


def test_the_delta_in_people_s_eyes_is_drawn_together_and_spread():
    pairs = [(judged(NO, NO), judged(YES, YES, YES, YES)), (NOTHING, judged(YES, NO))]
    found = carry_judge_error(pairs * 4, 0.9)
    assert found is not None and found.rate == pytest.approx(0.1)
    # e = .1: a share s becomes .8·s + .1: (.9 − .1) and (.5 − 0, because nothing was judged there).
    mean = ((0.9 - 0.1) + (0.5 - 0)) / 2
    # variance .1·.9 ÷ m: ÷2 and ÷4, then 0 and ÷2; four times, over n² = 64.
    spread = math.sqrt(4 * (0.09 / 2 + 0.09 / 4 + 0 + 0.09 / 2) / 64)
    assert (found.low, found.high) == pytest.approx((mean - 1.96 * spread, mean + 1.96 * spread), abs=1e-4)


def test_a_judge_that_is_never_wrong_leaves_the_delta_as_it_is():
    found = carry_judge_error([(judged(NO, YES), judged(YES))] * 7, 1.0)
    assert found is not None and (found.rate, found.low, found.high) == (0, 1 / 2, 1 / 2)


def test_a_handful_of_pairs_says_nothing():
    assert carry_judge_error([(judged(NO, YES), judged(YES))] * 6, 0.7) is None


def test_the_range_stays_where_a_delta_can_be():
    found = carry_judge_error([(judged(NO), judged(YES))] * 7, 0.5)
    # e = .5: mean 0; variance .25 on either side, 7·.5 ÷ 49 in all: 1.96·.267 = .52, inside −1…1
    assert found is not None and (found.low, found.high) == pytest.approx(
        (-1.95996 * math.sqrt(7 * 0.5 / 49), 1.95996 * math.sqrt(7 * 0.5 / 49)), abs=1e-4
    )
    found = carry_judge_error([(judged(NO), judged(YES))] * 7, 0.95)
    # e = .05: mean .9, variance .0475 on either side, 7·.095 ÷ 49: .9 + 1.96·.116 would be 1.13
    assert found is not None and found.high == 1


def test_without_verdicts_there_is_nothing_to_flip():
    assert carry_judge_error([(NOTHING, NOTHING)], 0.9) is None
    with pytest.raises(ValueError, match=r"lies in 0…1"):
        carry_judge_error([], 1.4)


def test_the_range_holds_what_flipping_at_random_gives():
    rng = np.random.default_rng(0)
    shares = [(rng.integers(1, 6), rng.integers(1, 6)) for _ in range(60)]
    verdicts = [(rng.random(a) < 0.5, rng.random(b) < 0.7) for a, b in shares]
    labelled = [tuple(judged(*(YES if each else NO for each in side)) for side in pair) for pair in verdicts]
    found = carry_judge_error([(a, b) for a, b in labelled], 0.8)
    assert found is not None

    def true_delta() -> float:
        flipped = [[side ^ (rng.random(len(side)) < 0.2) for side in pair] for pair in verdicts]
        return float(np.mean([b.mean() - a.mean() for a, b in flipped]))

    deltas = [true_delta() for _ in range(4000)]
    inside = np.mean([found.low <= each <= found.high for each in deltas])
    # Binomial: √(.95·.05 ÷ 4000) = .0034, four of them.
    assert inside == pytest.approx(0.95, abs=0.014)
    assert np.mean(deltas) == pytest.approx((found.low + found.high) / 2, abs=4 * np.std(deltas) / math.sqrt(4000))
