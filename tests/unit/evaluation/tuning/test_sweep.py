"""What a sweep says of its points: best, equals, the simplest, luck, the frontier."""

import pytest

from rag_variants.errors import UserError
from rag_variants.evaluation.statistics.paired import compare_paired
from rag_variants.evaluation.tuning.grid import make_grid
from rag_variants.evaluation.tuning.points import Point
from rag_variants.evaluation.tuning.sweep import Sweep, sweep_metric
from rag_variants.metrics import choose_metrics
from rag_variants.pipeline import read_variant
from tests.sweeps_making import make_sweep, top_k_sweep


def top_ks(points: tuple[Point, ...]) -> list[int]:
    return [point.variant.top_k for point in points]


def test_the_best_has_the_largest_advantage_over_the_start():
    sweep = top_k_sweep()
    assert sweep.best is not None
    assert sweep.best.variant.top_k == 8
    assert sweep.advantage(sweep.best) == pytest.approx(8 * 0.4 / 10)
    assert [sweep.advantage(each) for each in sweep.points] == pytest.approx([0, -0.5, 7 * 0.4 / 10, 8 * 0.4 / 10])


def test_the_intervals_are_those_of_one_family_of_all_points():
    sweep = top_k_sweep()
    deltas = {
        str(at): {str(q): a - b for q, (a, b) in enumerate(zip(row, [0.5] * 10, strict=True))}
        for at, row in enumerate([[0.5] * 10, [0.0] * 10, [0.9] * 7 + [0.5] * 3, [0.9] * 8 + [0.5] * 2])
    }
    expected = compare_paired(deltas, dict.fromkeys(deltas, True), span=dict.fromkeys(deltas, 1.0))  # nDCG is in 0…1
    assert [each.ci95 for each in sweep.against_start()] == [each.ci95 for each in expected.values()]
    assert [each.verdict for each in sweep.against_start()] == ["too few", "worse", "better", "better"]


def test_what_cannot_be_told_from_the_best_stays_and_the_simplest_of_it_is_recommended():
    """top_k=2 lacks one question of ten, too few to tell; the start lacks eight, top_k=1 all ten."""
    sweep = top_k_sweep()
    assert [gap.told_apart for gap in sweep.gaps] == [True, True, False, False]
    assert top_ks(sweep.not_told_apart) == [2, 8]  # both have one setting off its default; 200 < 800 characters
    assert sweep.recommended is not None
    assert sweep.recommended.variant.top_k == 2


def test_fewest_settings_off_their_default_go_before_the_least_text():
    one = {"ndcg": [1.0] * 8, "context_characters": [900.0] * 8}
    two = {"ndcg": [1.0] * 8, "context_characters": [100.0] * 8}
    zero = {"ndcg": [0.0] * 8, "context_characters": [1.0] * 8}  # so that the questions tell something
    sweep = make_sweep("keyword", ["top_k=5,4", "chunk_size=600,200,400"], [one, two, zero, two, two, zero])
    assert sweep.recommended is sweep.start
    assert [point.off_default for point in sweep.not_told_apart] == [0, 1, 1, 2]


def test_of_equals_in_all_else_the_first_in_the_grid_is_recommended():
    zero, same = {"ndcg": [0.0] * 8}, {"ndcg": [1.0] * 8}
    sweep = make_sweep("keyword", ["top_k=9,7"], [zero, same, same])
    assert sweep.best is sweep.recommended
    assert sweep.recommended is sweep.points[1]  # 9, although 7 is smaller


def test_not_scored_is_not_zero():
    start = {"ndcg": [0.2, 0.4, None, 0.6]}
    other = {"ndcg": [None, 0.5, 0.9, 0.8]}
    sweep = make_sweep("keyword", ["top_k=3"], [start, other])
    assert [point.mean("ndcg") for point in sweep.points] == pytest.approx([1.2 / 3, 2.2 / 3])
    assert [point.scored("ndcg") for point in sweep.points] == [3, 3]
    assert sweep.advantage(sweep.points[1]) == pytest.approx((0.1 + 0.2) / 2)  # questions 2 and 4 alone


def test_a_metric_scored_nowhere_has_no_best():
    nothing = {"ndcg": [None] * 3, "context_characters": [1.0] * 3}
    sweep = make_sweep("keyword", ["top_k=3"], [nothing, nothing])
    assert (sweep.best, sweep.recommended, sweep.gaps, sweep.not_told_apart) == (None, None, (), ())
    assert sweep.luck is None
    assert sweep.frontier("context_characters") == ()


def test_a_point_without_scores_is_neither_best_nor_equal():
    sweep = make_sweep("keyword", ["top_k=3"], [{"ndcg": [0.0] * 8}, {"ndcg": [None] * 8}])
    assert sweep.best is sweep.start
    assert sweep.not_told_apart == (sweep.start,)


def test_more_settings_tried_before_make_luck_larger():
    """Of ten questions all 2^10 flips are taken; the values of the formula are held by its own tests."""
    few, many = top_k_sweep().luck, top_k_sweep(tried=100).luck
    assert few is not None
    assert many is not None
    assert 0 < few < many < 0.5  # no flip is ahead by more than the largest |mean delta|


def test_the_frontier_holds_what_no_other_point_beats_in_both():
    """(100, 0), (200, .74), (500, .5), (800, .78): 500 reads more than 200 and is worse."""
    assert top_ks(top_k_sweep().frontier("context_characters")) == [1, 2, 8]


def test_the_frontier_of_time_takes_the_median():
    """One question of the start waits for an index: 1,000 ms. Its median is 1 and not its mean of 250.75."""
    start = {"ndcg": [1.0] * 4, "latency_ms": [1000.0, 1.0, 1.0, 1.0]}
    other = {"ndcg": [1.0] * 4, "latency_ms": [9.0] * 4}
    sweep = make_sweep("keyword", ["top_k=3"], [start, other])
    assert sweep.frontier("latency_ms") == (sweep.start,)


def test_a_stopped_sweep_says_so():
    sweep: Sweep = make_sweep("keyword", ["top_k=1..3"], [{"ndcg": [1.0] * 3}, {"ndcg": [0.5] * 3}])
    assert (sweep.waiting, sweep.complete) == (2, False)


@pytest.mark.parametrize(
    ("over", "metrics", "named", "decides"),
    [
        ("top_k=1,2", "retrieval,core,answer", None, "evidence_recall"),
        ("top_k=1,2", "core,answer", None, "context_recall"),
        ("top_k=1,2", "ndcg", None, "ndcg"),
        ("top_k=1,2", "retrieval", "mrr", "mrr"),
        ("answerer=embedded,embedded:digest", "retrieval,core,answer", None, "key_facts"),
        ("answerer=embedded,embedded:digest", "core", None, "faithfulness"),
    ],
)
def test_the_metric_that_decides_is_fixed_before_the_sweep(over, metrics, named, decides):
    grid = make_grid(read_variant("keyword"), [over])
    assert sweep_metric(named, grid, choose_metrics(metrics)) == decides


def test_effort_does_not_decide():
    with pytest.raises(UserError, match="no metric in this sweep called 'latency_ms'"):
        sweep_metric("latency_ms", make_grid(read_variant("keyword"), ["top_k=1"]), choose_metrics("ndcg,effort"))


def test_more_settings_tried_change_luck_alone(monkeypatch):
    sweep = top_k_sweep(tried=4).with_statistics()
    monkeypatch.setattr(
        "rag_variants.evaluation.tuning.sweep.compare_with_best", lambda *_, **__: pytest.fail("made again")
    )
    more = sweep.counting(400)
    assert more.gaps is sweep.gaps
    assert (more.best, more.recommended) == (sweep.best, sweep.recommended)
    assert (sweep.tried, more.tried) == (4, 400)
    assert more.luck == top_k_sweep(tried=400).luck
    assert sweep.luck is not None
    assert more.luck is not None
    assert more.luck > sweep.luck
