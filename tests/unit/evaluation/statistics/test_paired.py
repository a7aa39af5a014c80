"""The joint test: expected numbers are written as the sums they come from."""

import itertools
import math
import time
from collections.abc import Iterable, Mapping
from statistics import NormalDist

import numpy as np
import pytest
from scipy import optimize, stats

from rag_variants.evaluation.statistics.paired import Delta, compare_paired
from rag_variants.evaluation.statistics.signflips import limit_of

Family = dict[str, dict[str, float]]


def pairs(values: Iterable[float]) -> dict[str, float]:
    return {f"q{index:03}": float(value) for index, value in enumerate(values)}


def compare(deltas: Mapping[str, Mapping[str, float]], *, seed: int = 0, flips: int = 10_000) -> dict[str, Delta]:
    return compare_paired(deltas, dict.fromkeys(deltas, True), seed=seed, flips=flips)


def one(values: Iterable[float], *, higher_is_better: bool = True) -> Delta:
    return compare_paired({"recall": pairs(values)}, {"recall": higher_is_better})["recall"]


def random_family(rng: np.random.Generator, questions: int) -> Family:
    """One to five metrics of every kind seen in runs: graded, 0/1, constant, mostly ties, one dominant, few pairs."""
    kinds = [
        rng.normal(rng.choice([0, 0.5, 1.5]), 1, questions),
        rng.choice([-1.0, 0.0, 1.0], questions, p=[0.1, 0.5, 0.4]),
        np.full(questions, 0.25),
        rng.choice([0.0, 0.3], questions, p=[0.7, 0.3]),
        np.append(np.full(questions - 1, 1e-8), 1.0) * rng.choice([-1, 1]),
        rng.normal(1, 0.1, questions),
        np.zeros(questions),
    ]
    family: Family = {}
    for name in range(rng.integers(1, 6)):
        scored = rng.random(questions) < rng.choice([1.0, 0.8, 0.4])
        every = pairs(kinds[rng.integers(len(kinds))])
        family[f"m{name}"] = {key: delta for (key, delta), kept in zip(every.items(), scored, strict=True) if kept}
    return family


def test_seven_that_agree_just_pass() -> None:
    delta = one([1] * 7)
    # Of 128 flips, |Σ| is 7 in 2 and 5 in 14. 128 // 60 = 2 may exceed z_c: 2 do exceed 5/√7, 16 would exceed less.
    assert delta.p == delta.p_adjusted == (1 + 2) / (1 + 128)
    # The deltas do not spread, and without bounds nothing is known of others.
    assert (delta.verdict, delta.mean, delta.n, delta.ci95) == ("better", 1.0, 7, (1.0, 1.0))
    assert delta.detectable == pytest.approx(0, abs=1e-7)  # the root of what rounding leaves
    assert (delta.wins, delta.ties, delta.losses) == (7, 0, 0)
    # Without any one of them six pairs differ, which is too few.
    assert delta.fragile and delta.carried_by == tuple(f"q00{index}" for index in range(7))


def test_eight_that_agree_are_not_fragile() -> None:
    delta = one([1] * 8)
    assert delta.p == (1 + 2) / (1 + 256)
    assert (delta.verdict, delta.fragile, delta.carried_by) == ("better", False, ())


def test_a_z_equal_to_the_critical_value_is_not_shown() -> None:
    delta = one([1] * 7 + [-1])
    # Of 256 flips, |Σ| is 8 in 2 and 6 in 16: 256 // 60 = 4 may exceed z_c, so z_c = 6/√8, which is the observed z.
    assert delta.p == delta.p_adjusted == (1 + 2 + 16) / (1 + 256)
    assert delta.verdict == "not shown" and delta.ci95 is not None
    # t_c·se = |mean| when z = z_c: the interval ends at 0.
    assert delta.mean == 6 / 8 and delta.detectable == pytest.approx(6 / 8) and delta.ci95[0] <= 0


def test_a_verdict_is_carried_by_the_questions_without_which_it_is_another() -> None:
    delta = one([1] * 7 + [-0.5])
    # Of 256 flips (256 // 60 = 4 may exceed z_c), |Σ| is 7.5 in 2, 6.5 in 2 (the observed), 5.5 in 14: shown.
    assert delta.p == (1 + 2 + 2) / (1 + 256) and delta.verdict == "better"
    # Without a 1, of 128 flips (2 may exceed), 6.5 in 2 and 5.5 in 2 (the observed): 4 reach it, not shown.
    assert one([1] * 6 + [-0.5]).verdict == "not shown"
    # Without the −0.5, seven agree: shown. So the seven 1s carry it, each alone.
    assert delta.fragile and delta.carried_by == tuple(f"q00{index}" for index in range(7))


def test_the_critical_value_is_that_of_the_largest_z_of_the_family() -> None:
    first, second = [1, 1, 1, 1, 1, 1, 1, -0.5], [0.2, -1, 0.4, 0.3, -0.6, 0.9, 1, 0.1]
    both = compare({"first": pairs(first), "second": pairs(second)})
    z_a, z_b = (sum(values) / math.hypot(*values) for values in (first, second))
    assert z_a > z_b > 0
    flipped = [
        [abs(sum(s * d for s, d in zip(signs, v, strict=True))) / math.hypot(*v) for v in (first, second)]
        for signs in itertools.product([1, -1], repeat=8)
    ]
    largest = [max(each) for each in flipped]
    z_c = next(v for v in sorted(largest) if sum(other > v + 1e-9 for other in largest) <= 256 / 60)
    # The first is held against the larger |z| of both, the second, being less far out, against its own alone.
    p_first = (1 + sum(other >= z_a - 1e-9 for other in largest)) / (1 + 256)
    p_second = (1 + sum(other >= z_b - 1e-9 for _, other in flipped)) / (1 + 256)
    assert both["first"].p_adjusted == p_first
    assert both["second"].p_adjusted == max(p_first, p_second)
    assert [each.verdict for each in both.values()] == ["better" if z_a > z_c + 1e-9 else "not shown", "not shown"]
    for delta, values in ((both["first"], first), (both["second"], second)):
        assert delta.limit == pytest.approx(z_c, abs=2e-9)
        half = z_c * math.sqrt((8 - 1) / (8 - z_c**2)) * float(np.std(values, ddof=1)) / math.sqrt(8)  # t_c · se
        assert delta.detectable == pytest.approx(half, rel=1e-6)


def test_the_interval_is_student_s_t_at_the_tail_that_both_metrics_together_leave() -> None:
    first, second = [1, 1, 0.8, -0.4, 1, 0.3, 1, -0.5], [0.2, -1, 0.4, 0.3, -0.6, 0.9, 1, 0.1]
    both = compare({"first": pairs(first), "second": pairs(second)})
    # Both z are normal with the deltas' correlation; they stay within ±w in 59 of 60 cases.
    correlation = float(np.corrcoef(first, second)[0, 1])
    joint = stats.multivariate_normal([0, 0], [[1, correlation], [correlation, 1]], seed=0)
    w = optimize.brentq(lambda w: joint.cdf([w, w], lower_limit=[-w, -w]) - 59 / 60, 2, 3.5)
    # 20,000 draws leave a standard error of √(p(1−p) ÷ 20,000) ÷ density, .0009 ÷ about .05.
    for delta, values in ((both["first"], first), (both["second"], second)):
        assert delta.ci95 is not None and delta.mean is not None
        se = float(np.std(values, ddof=1)) / math.sqrt(8)
        t_low, t_high = (stats.t.ppf(stats.norm.cdf(w + move), 8 - 1) for move in (-0.07, 0.07))
        assert t_low * se <= delta.mean - delta.ci95[0] <= t_high * se
        assert delta.ci95[1] - delta.mean == pytest.approx(delta.mean - delta.ci95[0])


def test_of_one_metric_the_tail_is_a_sixtieth() -> None:
    values = [0.5, -0.1, 0.2, 0.4, -0.3, 0.6, 0.1, 0.2, 0, 0]
    delta = one(values)
    # w = Φ⁻¹(1 − 1/120) = 2.394; ties say nothing about the spread, so of 8 that differ 7 degrees of freedom.
    w, se = NormalDist().inv_cdf(1 - 1 / 120), float(np.std(values, ddof=1)) / math.sqrt(10)
    assert delta.ci95 is not None
    t_low, t_high = (float(stats.t.ppf(stats.norm.cdf(w + move), 8 - 1)) for move in (-0.07, 0.07))
    assert 0.16 + t_low * se <= delta.ci95[1] <= 0.16 + t_high * se


def test_the_critical_value_is_exceeded_in_at_most_one_of_sixty_flips() -> None:
    # Of 1 to 100, one may be above (100 // 60 = 1). Of 1 to 119 too, of 1 to 120 two, of 1 to 59 none.
    for flips, z_c in ((100, 99), (119, 118), (120, 118), (59, 59)):
        assert limit_of(np.arange(1.0, flips + 1)) == z_c + 1e-9


def test_sums_that_are_equal_on_paper_are_equal() -> None:
    whole = [1, 2, 3, 4, 5, 6, 7, -3, 2, 1]
    for scale in (10, 30, 700):
        scaled = one([value / scale for value in whole])
        assert (scaled.p, scaled.verdict, scaled.carried_by) == (
            one(whole).p,
            one(whole).verdict,
            one(whole).carried_by,
        )


def test_leaving_out_a_question_that_outweighs_all_others() -> None:
    values = [1] + [1e-8] * 9 + [-1e-8]
    # Of 2,048 flips (34 may exceed z_c), |Σ| is 1 + 10e-8 in 2 and 1 + 8e-8 in 20 (the observed): shown. Without the 1,
    # of 1,024 (17 may exceed), it is 10e-8 in 2 and 8e-8 in 20 (the observed): not shown.
    assert one(values).verdict == "better"
    assert "q000" in one(values).carried_by
    assert one(values).carried_by == carried_by_rerun({"recall": pairs(values)})["recall"]


def test_a_question_has_one_sign_for_all_metrics() -> None:
    rng = np.random.default_rng(5)
    values = rng.normal(0.4, 1, 40)
    alone = one(values)
    copies = compare({name: pairs(values * scale) for name, scale in (("a", 1), ("b", 1e-3), ("c", -70))})
    # Copies have the same |z| in every flip, so the family is no larger than one metric.
    assert {delta.p_adjusted for delta in copies.values()} == {alone.p} == {alone.p_adjusted}


def test_where_even_full_agreement_would_not_be_shown_the_interval_holds_0_and_nothing_is_detectable() -> None:
    rng = np.random.default_rng(1)
    family = {f"m{index}": pairs(rng.normal(0, 1, 40)) for index in range(12)}
    # z_c of 12 independent metrics is near 3.2; seven pairs that agree reach √7 = 2.65.
    deltas = {**family, "few": pairs([1] * 7)}
    few = compare_paired(deltas, dict.fromkeys(deltas, True), span={"few": 1.0})["few"]
    # Others may be unlike in 1 − .05^(1/7) = .35 of questions, with a delta of −1: 1 − .35 · 2 = .30, and then 0.
    assert (few.verdict, few.ci95, few.detectable, few.fragile) == ("not shown", (0.0, 1.0), None, False)
    assert few.p is not None and few.p == pytest.approx(2 / 128, abs=4 * math.sqrt(2 / 128 / 10_000))


def test_fewer_than_seven_that_differ_are_numbers_without_a_verdict() -> None:
    delta = one([1] * 6 + [0] * 30)
    assert (delta.verdict, delta.mean, delta.n, delta.ties) == ("too few", 6 / 36, 36, 30)
    assert delta.p == (1 + 2) / (1 + 2**6)
    assert (delta.p_adjusted, delta.ci95, delta.detectable, delta.fragile) == (None, None, None, False)


def test_a_metric_with_too_few_pairs_leaves_the_others_alone() -> None:
    family: Family = {"recall": pairs(np.random.default_rng(2).normal(0.5, 1, 30))}
    more = {**family, "few": {"other": 1.0, "another": 1.0, **pairs([1, 1, 1])}, "none": {}, "ties": pairs([0] * 30)}
    assert compare(more)["recall"] == compare(family)["recall"]


def test_a_against_itself_has_no_verdict() -> None:
    delta = one([0.0] * 50)
    assert (delta.mean, delta.p, delta.p_adjusted, delta.verdict) == (0.0, 1.0, None, "too few")
    assert (delta.wins, delta.ties, delta.losses) == (0, 50, 0)


def test_a_metric_without_pairs() -> None:
    delta = one([])
    assert (delta.mean, delta.n, delta.p, delta.verdict, delta.ci95) == (None, 0, None, "too few", None)


def test_differences_under_1e_9_are_ties_and_count_as_zero() -> None:
    assert one([1] * 7 + [9e-10, -9e-10]) == one([1] * 7 + [0, 0])
    assert one([1e-10] * 20) == one([0] * 20)


@pytest.mark.parametrize(("sign", "higher", "verdict"), [(1, True, "better"), (-1, True, "worse"), (1, False, "worse")])
def test_direction(sign: int, higher: bool, verdict: str) -> None:
    # Of 2¹¹ flips of those that differ, |Σ| is 11 in 2 and 9 in 22 (the observed): 24 ÷ 2,048 is below 1 ÷ 60.
    delta = one([sign] * 10 + [0] * 2 + [-sign], higher_is_better=higher)
    assert delta.verdict == verdict and delta.mean == sign * 9 / 13
    assert (delta.wins, delta.losses) == ((10, 1) if verdict == "better" else (1, 10))


def test_swapping_the_sides_mirrors_everything() -> None:
    values = np.random.default_rng(3).normal(0.3, 1, 50)
    there, back = one(values), one(-values)
    assert (there.p, there.detectable, there.carried_by) == (back.p, back.detectable, back.carried_by)
    assert there.ci95 is not None and back.ci95 == (-there.ci95[1], -there.ci95[0])
    assert (there.verdict, back.verdict) in {("better", "worse"), ("not shown", "not shown")}


def test_order_of_metrics_and_questions_has_no_effect() -> None:
    rng = np.random.default_rng(4)
    family: Family = {f"m{index}": pairs(rng.normal(0.3, 1, 30)) for index in range(5)}
    turned = {name: dict(reversed(found.items())) for name, found in reversed(family.items())}
    assert compare(turned) == compare(family)
    assert list(compare(turned)) == list(turned)


def test_the_seed_decides_above_thirteen_questions_only() -> None:
    rng = np.random.default_rng(6)
    many, few = list(rng.normal(0.4, 1, 14)), list(rng.normal(0.4, 1, 13))
    by_seed = [compare({"m": pairs(many)}, seed=seed)["m"] for seed in (1, 1, 2)]
    assert by_seed[0] == by_seed[1] and by_seed[0].p != by_seed[2].p
    assert compare({"m": pairs(few)}, seed=1) == compare({"m": pairs(few)}, seed=2, flips=99)
    # 10,000 flips estimate the exact p with a standard deviation of √(p(1−p) ÷ 10,000).
    totals = [abs(sum(s * d for s, d in zip(v, many, strict=True))) for v in itertools.product([1, -1], repeat=14)]
    exact = sum(total >= abs(sum(many)) - 1e-9 for total in totals) / 2**14
    assert by_seed[0].p == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 10_000) + 1e-4)


def carried_by_rerun(family: Family) -> dict[str, tuple[str, ...]]:
    """`carried_by` the slow way: the whole comparison again without each question."""
    whole = compare(family)
    found: dict[str, list[str]] = {name: [] for name in family}
    for question in sorted({question for found_pairs in family.values() for question in found_pairs}):
        rest = compare({name: {q: d for q, d in p.items() if q != question} for name, p in family.items()})
        for name, delta in whole.items():
            if delta.verdict in ("better", "worse") and rest[name].verdict != delta.verdict:
                found[name].append(question)
    return {name: tuple(questions) for name, questions in found.items()}


def test_carried_by_is_what_the_comparison_says_without_the_question() -> None:
    rng = np.random.default_rng(7)
    carried = shown = 0
    for _ in range(60):  # up to 13 questions both sides of the comparison are exact
        family = random_family(rng, int(rng.integers(6, 11)))
        result = compare(family)
        assert {name: delta.carried_by for name, delta in result.items()} == carried_by_rerun(family)
        assert all(delta.fragile == bool(delta.carried_by) for delta in result.values())
        carried += sum(delta.fragile for delta in result.values())
        shown += sum(delta.verdict in ("better", "worse") for delta in result.values())
    assert 0 < carried < shown


def test_interval_and_verdict_never_contradict_each_other() -> None:
    rng = np.random.default_rng(8)
    verdicts = set()
    for _ in range(1000):
        questions = int(rng.integers(1, 41))
        family = random_family(rng, questions)
        for delta in compare(family, flips=500).values():
            verdicts.add(delta.verdict)
            beyond = delta.ci95 is not None and (delta.ci95[0] > 0 or delta.ci95[1] < 0)
            assert beyond == (delta.verdict in ("better", "worse")), (family, delta)
            if beyond:
                assert delta.mean is not None and (delta.mean > 0) == (delta.verdict == "better")
            if delta.p_adjusted is not None and delta.p is not None:
                assert delta.p <= delta.p_adjusted <= 1
    assert verdicts == {"better", "worse", "not shown", "too few"}


def test_shown_is_an_adjusted_p_of_at_most_one_of_sixty_flips() -> None:
    rng = np.random.default_rng(9)
    for _ in range(100):
        family = {f"m{index}": pairs(rng.normal(rng.choice([0, 0.5]), 1, 20)) for index in range(4)}
        for delta in compare(family, flips=1000).values():
            assert delta.p_adjusted is not None
            assert (delta.verdict != "not shown") == (delta.p_adjusted <= (1 + 1000 // 60) / (1 + 1000))


def test_false_alarms_over_the_whole_family() -> None:
    rng = np.random.default_rng(10)
    alarms = 0
    for _ in range(300):
        shared = rng.normal(0, 1, 20)
        family = {f"m{index}": pairs(shared + rng.normal(0, 1, 20)) for index in range(4)}
        alarms += any(delta.verdict != "not shown" for delta in compare(family, flips=1000).values())
    # Binomial(300, 1/60): mean 5, standard deviation √(300 · 1/60 · 59/60) = 2.2; 5 ± 3.5 of these is below 13.
    assert 0 < alarms < 13


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_delta_that_is_no_number_is_refused(bad: float) -> None:
    with pytest.raises(ValueError, match="'recall' for question 'q001'"):
        one([1, bad])


def test_two_hundred_questions_and_twelve_metrics_take_under_a_second() -> None:
    rng = np.random.default_rng(11)
    family = {f"m{index}": pairs(rng.normal(0.3, 1, 200)) for index in range(12)}
    start = time.perf_counter()
    result = compare(family)
    assert time.perf_counter() - start < 1
    assert any(delta.verdict == "better" for delta in result.values())
