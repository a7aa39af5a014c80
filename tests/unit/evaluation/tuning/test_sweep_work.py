"""A sweep ranks once for settings after the ranking, asks nobody twice, and goes on where it stopped."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from itertools import islice

import pytest

from rag_variants.errors import ModelError, QuestionsError, UserError
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.rows import RowMaker
from rag_variants.evaluation.run import run_variant
from rag_variants.evaluation.tuning import sweep_work
from rag_variants.evaluation.tuning.grid import make_grid
from rag_variants.evaluation.tuning.sweep import Sweep
from rag_variants.evaluation.tuning.sweep_work import SweepWork
from rag_variants.evaluation.tuning.tuning_log import TuningLog
from rag_variants.metrics import choose_metrics
from rag_variants.pipeline import read_variant, records
from rag_variants.pipeline.variants.keyword import Keyword
from rag_variants.questions.sets import QuestionSet
from rag_variants.types import Evidence, Question
from tests.making import bench

TEXTS = {
    f"{word}.md": f"The {word} desk opens at nine. A {word} refund takes days." for word in ("red", "green", "grey")
}
SET = QuestionSet(
    "set",
    tuple(
        Question(
            f"q{at}",
            f"When does the {word} desk open?",
            evidence=(Evidence(f"{word}.md", f"The {word} desk opens at nine.", 1),),
        )
        for at, word in enumerate(("red", "green", "grey"))
    ),
)


def plan(questions: QuestionSet = SET, metrics: str = "ndcg,evidence_recall,context_characters") -> Plan:
    return Plan(bench(TEXTS).knowledge, questions, choose_metrics(metrics), today=date(2026, 6, 1))


def finish(work: SweepWork) -> Sweep:
    for _ in work.steps():
        pass
    found = work.result()
    assert found is not None
    return found


@pytest.fixture
def ranked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Keyword, str]]:
    seen: list[tuple[Keyword, str]] = []
    rank = Keyword.rank
    monkeypatch.setattr(
        Keyword, "rank", lambda self, query, place: (seen.append((self, query.question)), rank(self, query, place))[1]
    )
    return seen


def test_ten_values_of_top_k_take_one_ranking_pass(ranked):
    found = finish(SweepWork(make_grid(read_variant("keyword"), ["top_k=1..10"]), plan(), bench(TEXTS)))
    assert len(found.points) == 10
    assert found.complete
    assert len(ranked) == 3  # 1 pass over 3 questions, not 10


def test_batches_share_what_comes_before_them(ranked, monkeypatch):
    """2 sizes × 5 top_k in batches of 3: one pass over 3 questions for each of 2 sizes, and one for the start's."""
    monkeypatch.setattr(sweep_work, "BATCH", 3)
    grid = make_grid(read_variant("keyword"), ["top_k=1..5", "chunk_size=200,400"])
    finish(SweepWork(grid, plan(), bench(TEXTS)))
    assert len(ranked) == 3 * (2 + 1)


def test_a_point_has_the_scores_of_its_own_run():
    found = finish(SweepWork(make_grid(read_variant("keyword"), ["top_k=1..3"]), plan(), bench(TEXTS)))
    for point in found.points:
        run = run_variant(point.variant, plan(), bench(TEXTS))
        for name in run.metrics:
            assert point.scores[name] == {row.record.question.id: row.scores[name].value for row in run.rows}
    assert [point.variant.top_k for point in found.points] == [5, 1, 2, 3]


def stop_after(steps: Iterator[object], count: int) -> None:
    for _ in range(count):
        next(steps)


def test_a_stop_keeps_whole_batches_and_goes_on_from_there(ranked, monkeypatch):
    monkeypatch.setattr(sweep_work, "BATCH", 2)
    work = SweepWork(make_grid(read_variant("keyword:top_k=1"), ["top_k=1..4"]), plan(), bench(TEXTS))
    assert work.result() is None
    stop_after(work.steps(), 4)  # 3 questions of the first two points, 1 of the next two
    found = work.result()
    assert found is not None
    assert [point.variant.top_k for point in found.points] == [1, 2]
    assert (found.waiting, found.complete, work.complete) == (2, False, False)
    found = finish(work)
    assert ([point.variant.top_k for point in found.points], found.waiting) == ([1, 2, 3, 4], 0)
    assert found.complete
    assert len(ranked) == 3


def test_a_stop_in_the_middle_of_a_batch_asks_no_question_again(monkeypatch):
    made: list[str] = []
    make = RowMaker.make_rows

    async def counted(self, question):
        made.append(question.id)
        return await make(self, question)

    monkeypatch.setattr(RowMaker, "make_rows", counted)
    monkeypatch.setattr(sweep_work, "BATCH", 2)
    work = SweepWork(make_grid(read_variant("keyword:top_k=1"), ["top_k=1..4"]), plan(), bench(TEXTS))
    stop_after(work.steps(), 1)
    assert [(step.done, step.of) for step in islice(work.steps(), 3)] == [(4, 12), (6, 12), (8, 12)]
    found = finish(work)
    assert made == ["q0", "q1", "q2"] * 2  # 3 questions for each of 2 batches
    whole = finish(SweepWork(make_grid(read_variant("keyword:top_k=1"), ["top_k=1..4"]), plan(), bench(TEXTS)))
    assert [point.scores["ndcg"] for point in found.points] == [point.scores["ndcg"] for point in whole.points]
    assert all(point.asked == 3 for point in found.points)


def test_a_stop_in_the_first_batch_keeps_all_points_over_the_same_questions():
    work = SweepWork(make_grid(read_variant("keyword"), ["top_k=1..10"]), plan(), bench(TEXTS))
    stop_after(work.steps(), 2)
    found = work.result()
    assert found is not None
    assert {tuple(point.scores["ndcg"]) for point in found.points} == {("q0", "q1")}
    assert (len(found.points), found.complete) == (10, False)


def test_progress_counts_questions_times_points(monkeypatch):
    monkeypatch.setattr(sweep_work, "BATCH", 4)
    work = SweepWork(make_grid(read_variant("keyword"), ["top_k=1..10"]), plan(), bench(TEXTS))
    done = [(step.step, step.done, step.of) for step in work.steps()]
    assert done == [("answers", at, 30) for at in (4, 8, 12, 16, 20, 24, 26, 28, 30)]  # batches of 4, 4 and 2 points


def test_held_out_questions_stay_out_and_are_named():
    held = replace(SET.questions[0], tags=(("split", "holdout"),))
    whole = plan(SET.chosen((held, *SET.questions[1:])))
    found = finish(SweepWork(make_grid(read_variant("keyword"), ["top_k=1,2"]), whole, bench(TEXTS)))
    assert set(found.start.scores["ndcg"]) == {"q1", "q2"}
    assert any(note.startswith("1 held-out questions") for note in found.warnings)
    with pytest.raises(QuestionsError, match="stay out, and there are no others"):
        SweepWork(make_grid(read_variant("keyword"), ["top_k=1"]), plan(SET.chosen([held])), bench(TEXTS))


def test_what_was_tried_counts_over_sweeps_and_slices(tmp_path):
    def sweep(over: str, of: Plan) -> int:
        log = TuningLog(tmp_path, lambda: tmp_path)
        return finish(SweepWork(make_grid(read_variant("keyword"), [over]), of, bench(TEXTS), log=log)).tried

    assert sweep("top_k=1..5", plan()) == 5
    assert sweep("top_k=4..7", plan().restricted(None, 2)) == 7  # 6 and 7 are new, and 2 of 3 questions are no new set
    assert sweep("top_k=1..5", plan(SET.first(2))) == 5  # another file


def test_a_point_whose_model_is_missing_is_left_out_and_a_start_is_refused():
    over = ["answerer=embedded,nowhere:model"]
    found = finish(SweepWork(make_grid(read_variant("keyword"), over), plan(), bench(TEXTS)))
    assert len(found.points) == 1
    (left_out,) = found.left_out
    assert left_out.settings == "answerer=nowhere:model"
    assert "nowhere" in left_out.reason
    with pytest.raises(ModelError):
        finish(SweepWork(make_grid(read_variant("keyword:answerer=nowhere:model"), over), plan(), bench(TEXTS)))


def test_a_metric_that_is_not_measured_is_refused_before_any_work():
    with pytest.raises(UserError, match=r"no metric in this sweep called 'mrr'.*Add it with --metrics"):
        SweepWork(make_grid(read_variant("keyword"), ["top_k=1"]), plan(), bench(TEXTS), metric="mrr")
    with pytest.raises(UserError, match="needs a metric that tells better from worse"):
        SweepWork(make_grid(read_variant("keyword"), ["top_k=1"]), plan(metrics="effort"), bench(TEXTS))


@pytest.mark.parametrize(
    ("over", "metrics", "answered"),
    [
        ("top_k=1..3", "ndcg,context_characters,answer_words", 0),
        ("top_k=1..3", "ndcg,abstention,answer_words", 3 * 3),  # settings · questions
        ("answerer=embedded,embedded:digest", "ndcg,answer_words", 2 * 3),  # what is moved is looked at
    ],
)
def test_nothing_is_answered_that_no_metric_reads(over, metrics, answered, monkeypatch):
    made = []
    answer = records.answer_record

    def counted(variant, record, answerer):
        made.append(record.question.id)
        return answer(variant, record, answerer)

    monkeypatch.setattr(records, "answer_record", counted)
    grid = make_grid(read_variant("keyword:top_k=3"), [over])
    sweep = finish(SweepWork(grid, plan(metrics=metrics), bench(TEXTS)))
    assert len(made) == answered
    assert (sweep_work.UNANSWERED in sweep.warnings) is (answered == 0)
    assert (sweep.start.mean("answer_words") is None) is (answered == 0)
    assert sweep.start.scored("ndcg") == 3
