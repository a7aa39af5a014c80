"""Step by step from A to B; every expected number is written as the sum it comes from."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from rag_variants.evaluation.ablation.ablation_path import AblationPath, build_path
from rag_variants.evaluation.ablation.ablation_work import AblationWork
from rag_variants.evaluation.ablation.waypoints import Waypoint, list_waypoints
from rag_variants.evaluation.compare import ComparisonError, compare_in_turn, compare_runs
from rag_variants.evaluation.known_runs import missing_variants
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.run import Experiment, run_variant
from rag_variants.evaluation.runs import Run
from rag_variants.metrics import choose_metrics
from rag_variants.pipeline import read_variant
from rag_variants.pipeline.bench import Bench
from rag_variants.questions.sets import QuestionSet
from tests.making import WordVectors, bench
from tests.unit.evaluation.test_compare import make_run
from tests.unit.evaluation.test_run import QUESTIONS, TEXTS

WAY = ("hybrid", "hybrid:rrf_k=10", "hybrid:rrf_k=10,coverage=on", "hybrid:rrf_k=10,coverage=on,top_k=3")


def walked(values: Sequence[Mapping[str, float | None]], metric: str = "faithfulness") -> AblationPath:
    """A ladder of rungs with written scores, along WAY."""
    waypoints = list_waypoints(read_variant(WAY[0]), read_variant(WAY[len(values) - 1]))
    runs = [make_run({metric: scores}, name) for name, scores in zip(WAY, values, strict=False)]
    assert [waypoint.variant for waypoint in waypoints] == [run.variant for run in runs]
    return build_path(waypoints, runs)


def test_the_steps_add_up_to_the_whole():
    ladder = walked([{"q1": 0.5, "q2": 0.5}, {"q1": 0.1, "q2": 0.5}, {"q1": 0.1, "q2": 0.7}, {"q1": 0.9, "q2": 0.5}])
    means = [step.metrics["faithfulness"].delta.mean for step in ladder.steps]
    assert means == pytest.approx([(-0.4 + 0) / 2, (0 + 0.2) / 2, (0.8 - 0.2) / 2])  # −.2, +.1, +.3
    assert ladder.running("faithfulness") == pytest.approx((-0.2, -0.2 + 0.1, -0.2 + 0.1 + 0.3))
    assert ladder.total.metrics["faithfulness"].delta.mean == pytest.approx(0.2)
    assert ladder.gap("faithfulness") == 0
    assert ladder.scored("faithfulness") == (2, 2)
    assert ladder.worst("faithfulness") == 0


def test_what_is_not_scored_on_every_rung_leaves_a_gap():
    ladder = walked([{"q1": 0.0, "q2": 0.4}, {"q1": 0.2, "q2": None}, {"q1": 0.6, "q2": 0.4}])
    # steps over q1 alone: +.2, +.4; the whole over both: (.6 + 0) ÷ 2 = .3
    assert ladder.running("faithfulness") == pytest.approx((0.2, 0.2 + 0.4))
    assert ladder.gap("faithfulness") == pytest.approx(0.3 - (0.2 + 0.4))
    assert ladder.scored("faithfulness") == (1, 2)


def test_a_step_without_a_pair_adds_nothing():
    ladder = walked([{"q1": 0.0}, {"q1": None}, {"q1": 0.5}])
    assert [step.metrics["faithfulness"].delta.mean for step in ladder.steps] == [None, None]
    assert ladder.running("faithfulness") == (0, 0)
    assert ladder.gap("faithfulness") == 0.5
    assert ladder.worst("faithfulness") is None


@pytest.mark.parametrize(
    ("values", "worst"),
    [
        ((0.5, 0.6, 0.7), None),
        ((0.5, 0.5, 0.5), None),
        ((0.5, 0.4, 0.3), 0),
        ((0.5, 0.4, 0.1), 1),
        ((0.1, 0.5, 0.4), 1),
    ],
)
def test_the_worst_step_is_the_first_with_the_largest_loss(values, worst):
    assert walked([{"q1": value} for value in values]).worst("faithfulness") == worst


def test_equal_variants_have_no_step():
    ladder = walked([{"q1": 0.5}])
    assert (ladder.steps, ladder.running("faithfulness"), ladder.worst("faithfulness")) == ((), (), None)
    assert ladder.total.metrics["faithfulness"].delta.mean == 0


def values(offset: float, count: int = 20) -> dict[str, float]:
    """Scores whose deltas to those of offset 0 are `offset` ± .03, none equal."""
    return {f"q{at}": 0.3 + offset + (0.03 if at % 2 else -0.03) * (offset > 0) * at / count for at in range(count)}


def test_one_step_is_the_plain_comparison():
    runs = make_run({"mrr": values(0), "ndcg": values(0)}), make_run({"mrr": values(0.1), "ndcg": values(0)}, "hybrid")
    assert compare_in_turn(runs) == (compare_runs(*runs),)


def test_intervals_hold_for_all_steps_together():
    runs = [make_run({"mrr": values(offset)}, name) for name, offset in zip(WAY, (0, 0.1, 0.05, 0.2), strict=True)]
    alone = [compare_runs(a, b) for a, b in pairwise(runs)]
    for single, joint in zip(alone, compare_in_turn(runs), strict=True):
        one, many = single.metrics["mrr"].delta, joint.metrics["mrr"].delta
        assert one.mean == many.mean
        assert one.p == many.p
        assert one.p_adjusted <= many.p_adjusted, "more steps are looked at, so chance has more to offer"
        assert one.ci95[1] - one.ci95[0] <= many.ci95[1] - many.ci95[0]


def test_a_family_over_the_steps_alarms_less_often_than_each_step_alone():
    """300 ladders of three steps without any effect: some step looks better or worse in about 1 of 60, not 3 of 60."""
    random = np.random.default_rng(7)
    together = alone = 0
    for _ in range(300):
        scores = random.normal(size=(4, 12))  # exact flips: 2¹²
        runs = [
            make_run({"mrr": {f"q{at}": float(x) for at, x in enumerate(row)}}, name)
            for row, name in zip(scores, WAY, strict=True)
        ]
        together += any(step.metrics["mrr"].delta.shown for step in compare_in_turn(runs))
        alone += any(compare_runs(a, b).metrics["mrr"].delta.shown for a, b in pairwise(runs))
    # Binomial: 300 ÷ 60 = 5 with a standard deviation of 2.2, and 3 · 5 = 15 with one of 3.8.
    assert together <= 9 < 10 <= alone


def test_runs_that_cannot_be_compared_are_refused():
    runs = [make_run({"mrr": {"q1": 0.0}}), make_run({"mrr": {"q1": 0.0}}, "hybrid", judge=None)]
    with pytest.raises(ComparisonError, match="differ in judge"):
        compare_in_turn(runs)


WAYPOINTS = list_waypoints(read_variant("keyword"), read_variant("keyword:k1=2,top_k=1"))


@pytest.fixture
def place() -> Bench:
    return bench(TEXTS, WordVectors())


@pytest.fixture
def plan(place: Bench) -> Plan:
    metrics = choose_metrics("context_characters,mrr")
    return Plan(place.knowledge, QuestionSet("qs", QUESTIONS), today=place.today, metrics=metrics)


def finish(walk: AblationWork, most: int = 99) -> AblationPath:
    for step in walk.steps():
        if step.step == "questions" and step.done >= most:
            break
    ladder = walk.result()
    assert ladder
    return ladder


def ids(run: Run) -> list[str]:
    return [row.record.question.id for row in run.rows]


def test_a_climb_runs_every_rung_over_the_same_questions(plan, place):
    walk = AblationWork(WAYPOINTS, plan, place)
    assert walk.result() is None
    ladder = finish(walk)
    assert walk.complete and ladder.complete
    assert [ids(run) for run in ladder.runs] == [["z", "a", "m"]] * 3
    assert [run.variant for run in ladder.runs] == [waypoint.variant for waypoint in WAYPOINTS]
    assert ladder.steps[1].effort["context_characters"].b.mean == ladder.total.effort["context_characters"].b.mean


def test_known_runs_are_not_run_again(plan, place, monkeypatch):
    known = [run_variant(WAYPOINTS[at].variant, plan, place) for at in (0, 2)]
    assert missing_variants([waypoint.variant for waypoint in WAYPOINTS], known) == (WAYPOINTS[1].variant,)
    made = []
    steps = Experiment.steps
    monkeypatch.setattr(Experiment, "steps", lambda self: made.append(self.variants) or steps(self))
    ladder = finish(AblationWork(WAYPOINTS, plan, place, known))
    assert made == [(WAYPOINTS[1].variant,)]
    assert ladder.runs[0] is known[0] and ladder.runs[2] is known[1]
    again = AblationWork(WAYPOINTS, plan, place, ladder.runs)
    assert again.complete
    assert finish(again) == ladder
    assert len(made) == 1


def test_a_stop_keeps_what_is_done_on_every_rung(plan, place):
    known = [run_variant(WAYPOINTS[at].variant, plan, place) for at in (0, 2)]
    walk = AblationWork(WAYPOINTS, plan, place, known)
    ladder = finish(walk, most=2)
    assert not walk.complete and not ladder.complete
    assert [ids(run) for run in ladder.runs] == [["z", "a"]] * 3
    assert ladder.total.warnings[0].startswith("Stopped early: 2 of 3 questions.")


@pytest.mark.parametrize("name", ["knowledge", "questions"])
def test_a_known_run_over_other_sources_is_refused_before_any_work(plan, place, name):
    run = run_variant(WAYPOINTS[0].variant, plan, place)
    other = replace(run, **{name: replace(getattr(run, name), fingerprint="0" * 16)})
    with pytest.raises(ComparisonError, match=f"{'documents' if name == 'knowledge' else name}.*Run it again"):
        AblationWork(WAYPOINTS, plan, place, [other])


def test_a_known_run_with_other_metrics_is_refused_before_any_work(plan, place):
    run = run_variant(WAYPOINTS[0].variant, plan, place)
    with pytest.raises(ComparisonError, match="metrics"):
        AblationWork(WAYPOINTS, plan, place, [replace(run, metrics=("mrr",))])


def test_an_incomplete_run_is_not_reused(plan, place):
    part = replace(run_variant(WAYPOINTS[0].variant, plan, place), complete=False)
    assert missing_variants([waypoint.variant for waypoint in WAYPOINTS], [part]) == tuple(
        waypoint.variant for waypoint in WAYPOINTS
    )


def test_a_ladder_of_one_rung_runs_once(plan, place):
    ladder = finish(AblationWork((Waypoint(read_variant("keyword")),), plan, place))
    assert (ladder.steps, ladder.total.a) == ((), ladder.total.b)
