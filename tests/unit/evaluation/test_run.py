"""An experiment with a scripted judge: order, what a stop keeps, what one failure costs."""

import math
from typing import Any

import pytest

from rag_variants.evaluation.compare import compare_runs
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.run import Experiment, run_variant
from rag_variants.evaluation.runs import Run
from rag_variants.evaluation.work import Progress
from rag_variants.metrics import choose_metrics
from rag_variants.metrics.metric import Metric, Words
from rag_variants.pipeline import read_variant, records
from rag_variants.questions.sets import QuestionSet
from rag_variants.types import Question, Score
from tests.making import WordVectors, bench
from tests.scripted import ScriptedJudge

TEXTS = {
    "deposit.md": "The deposit for a studio is 450 EUR.",
    "refund.md": "A refund takes 14 days.",
    "hours.md": "The desk opens at nine.",
}
QUESTIONS = tuple(
    Question(each, text, reference=reference)
    for each, text, reference in (
        ("z", "What is the deposit for a studio?", "The deposit for a studio is 450 EUR."),
        ("a", "How many days does a refund take?", "A refund takes 14 days."),
        ("m", "When does the desk open?", "The desk opens at nine."),
    )
)


def experiment(judge: ScriptedJudge, monkeypatch: pytest.MonkeyPatch, *variants: str, **more: Any) -> Experiment:
    monkeypatch.setattr("rag_variants.evaluation.sides.open_judge", lambda *_: judge)
    place = bench(TEXTS, WordVectors())
    given = {"metrics": choose_metrics("context_recall,context_characters"), **more}
    plan = Plan(place.knowledge, QuestionSet("qs", QUESTIONS), today=place.today, **given)
    return Experiment([read_variant(each) for each in variants or ("keyword",)], plan, place)


def finish(each: Experiment) -> tuple[Run, ...]:
    for _ in each.steps():
        pass
    return each.runs()


def test_rows_stand_in_file_order_on_all_sides(monkeypatch):
    runs = finish(experiment(ScriptedJudge(), monkeypatch, "keyword", "hybrid:top_k=2"))
    assert [[row.record.question.id for row in run.rows] for run in runs] == [["z", "a", "m"]] * 2
    assert [run.complete for run in runs] == [True, True]
    assert [run.variant.name for run in runs] == ["keyword", "hybrid"]
    assert (runs[0].judge.spec, runs[0].knowledge.count, runs[0].questions.count) == ("scripted", 3, 3)
    for run in runs:
        for row in run.rows:
            assert list(row.scores) == list(run.metrics)
            assert row.marks.keys() == {hit.chunk.id for hit in row.record.ranking}
    assert all("embeddings" not in run.versions for run in runs[:1]) and "embeddings" in runs[1].versions


@pytest.mark.parametrize("specs", [("keyword",), ("keyword", "vector"), ("keyword", "vector", "hybrid")])
def test_sides_take_turns_to_go_first_so_that_none_pays_for_all(specs, monkeypatch):
    asked = []
    retrieve = records.retrieve_question

    def counted(variant, question, *more):
        asked.append((question.id, variant.name))
        return retrieve(variant, question, *more)

    monkeypatch.setattr(records, "retrieve_question", counted)
    runs = finish(experiment(ScriptedJudge(), monkeypatch, *specs))
    assert [run.variant.name for run in runs] == list(specs)
    first = [next(name for question, name in asked if question == each) for each in ("z", "a", "m")]
    assert first == [specs[at % len(specs)] for at in range(3)]
    assert sorted(asked) == sorted((question, name) for question in ("z", "a", "m") for name in specs)


def test_what_was_finished_before_a_stop_is_kept_and_incomplete(monkeypatch):
    stopped = experiment(ScriptedJudge(), monkeypatch, "keyword", "keyword:top_k=1")
    steps = stopped.steps()
    for step in steps:
        if step == Progress("questions", 2, 3):
            break
    steps.close()
    for run in stopped.runs():
        assert [row.record.question.id for row in run.rows] == ["z", "a"]
        assert not run.complete
    assert compare_runs(*stopped.runs()).warnings[0].startswith("Stopped early: 2 of 3 questions.")


def test_nothing_done_is_nothing_kept(monkeypatch):
    (run,) = experiment(ScriptedJudge(), monkeypatch).runs()
    assert (run.rows, run.complete, run.judge) == ((), False, None)


@pytest.mark.parametrize("failing", ["z", "a", "m"])
def test_a_failing_judge_costs_its_own_score(failing, monkeypatch):
    (whole,) = finish(experiment(ScriptedJudge(delay=0.005), monkeypatch))
    (broken,) = finish(experiment(ScriptedJudge(delay=0.005, failing=frozenset({failing})), monkeypatch))
    for before, after in zip(whole.rows, broken.rows, strict=True):
        score = after.scores["context_recall"]
        if after.record.question.id == failing:
            assert score.value is None
            assert "HTTP 500" in score.error
            assert after.record.answer == before.record.answer
        else:
            assert score == before.scores["context_recall"]
        assert after.scores["context_characters"] == before.scores["context_characters"]
    assert compare_runs(whole, broken).metrics["context_recall"].delta.n == 2


def foreign_metric(value: float | None) -> Metric:
    async def score(subject: Any) -> Score:
        if value is None:
            raise KeyError("of its own")
        return Score(value)

    return Metric("foreign", "more", "Answered it?", {"en": Words("Foreign", "help")}, score)


@pytest.mark.parametrize(
    ("value", "said"), [(None, "foreign failed: KeyError"), (math.nan, "value is nan"), (math.inf, "value is inf")]
)
def test_a_metric_from_elsewhere_takes_no_other_down(value, said, monkeypatch):
    metrics = (*choose_metrics("context_characters"), foreign_metric(value))
    (run,) = finish(experiment(ScriptedJudge(), monkeypatch, metrics=metrics))
    for row in run.rows:
        assert row.scores["foreign"].value is None
        assert said in row.scores["foreign"].error
        assert row.scores["context_characters"].value > 0


def test_no_judge_is_opened_where_none_is_asked(monkeypatch):
    made = experiment(ScriptedJudge(), monkeypatch, metrics=choose_metrics("context_characters"))
    assert run_variant(made.variants[0], made.plan, bench(TEXTS)).judge is None
