"""A judge's own noise: variances written as the sums they come from, and the floor against simulated repeats."""

import math

import numpy as np
import pytest

from rag_variants.evaluation.judging.repeats import Noise, measure_noise, noise_floor


def test_the_variance_of_a_mean_is_the_sum_of_the_questions_variances_over_n_squared():
    noise = measure_noise([{"q1": 0.5, "q2": 1.0, "q3": 0.2}, {"q1": 0.7, "q2": 1.0, "q3": 0.4}])
    # Two values d apart have the sample variance d² ÷ 2: .04 ÷ 2, 0, .04 ÷ 2; over 3².
    assert noise is not None and (noise.times, noise.n) == (2, 3)
    assert noise.variance == pytest.approx((0.02 + 0 + 0.02) / 9)


def test_a_question_without_a_value_in_some_repeat_is_left_out():
    noise = measure_noise([{"q1": 0.5, "q2": None}, {"q1": 0.7, "q2": 1.0}])
    assert noise is not None and (noise.n, noise.variance) == (1, pytest.approx(0.02 / 1))
    assert measure_noise([{"q1": None}, {"q1": 0.5}]) is None
    assert measure_noise([{"q1": 0.5}, {}]) is None


def test_one_repeat_shows_no_noise():
    with pytest.raises(ValueError, match="two repeats"):
        measure_noise([{"q1": 0.5}])


def test_a_judge_that_says_the_same_has_a_floor_of_0():
    same = measure_noise([{"q1": 0.5, "q2": 0.25}] * 3)
    assert noise_floor(same, same) == 0


def test_the_floor_adds_both_sides():
    assert noise_floor(Noise(2, 9, 0.0003), Noise(2, 9, 0.0001)) == pytest.approx(1.96 * math.sqrt(0.0004), rel=1e-4)
    assert noise_floor(Noise(2, 9, 0.0003), None) is None


@pytest.mark.parametrize("times", [2, 4])
def test_95_of_100_mean_differences_between_repeats_are_inside_the_floor(times):
    rng = np.random.default_rng(1)
    chances = rng.random(80)  # a question's verdict is yes with its own chance, anew in each repeat

    def judge() -> dict[str, float | None]:
        return {f"q{at}": float(yes) for at, yes in enumerate(rng.random(80) < chances)}

    inside = []
    for _ in range(600):
        noise = measure_noise([judge() for _ in range(times)])
        floor = noise_floor(noise, noise)
        one, other = judge(), judge()
        assert floor is not None
        inside.append(abs(math.fsum((other[q] or 0) - (one[q] or 0) for q in one)) / 80 <= floor)
    # Binomial: √(.95·.05 ÷ 600) = .009, three of them.
    assert np.mean(inside) == pytest.approx(0.95, abs=0.027)
