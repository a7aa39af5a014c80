"""What a moved slider shows: the same numbers that a run of the variant gives, and the same for everybody."""

import threading
from dataclasses import replace

import pytest

from rag_variants.errors import QuestionsError, UserError
from rag_variants.evaluation.compare import compare_runs
from rag_variants.evaluation.plan import Plan, make_plan, tuning_plan
from rag_variants.evaluation.run import run_variant
from rag_variants.evaluation.tuning.tune import Move, TuneWork, tune, tuned_metrics
from rag_variants.pipeline import read_variant
from rag_variants.pipeline.bench import open_bench
from rag_variants.pipeline.variants.hybrid import Hybrid
from rag_variants.questions.sets import QuestionSet
from rag_variants.types import Evidence, Question
from tests.making import knowledge

SPECS = (
    "hybrid",
    "hybrid:top_k=2,rrf_k=5",
    "hybrid:keyword_weight=0.9,coverage=on",
    "keyword:chunk_size=200,chunk_overlap=0",
    "vector:top_k=8,context_budget=1500",
)


@pytest.fixture(scope="module")
def plan() -> Plan:
    return make_plan(metrics="retrieval").restricted(None, limit=20)


@pytest.fixture(scope="module")
def bench(plan):
    return open_bench(plan.knowledge)


def tiny(*questions: Question) -> Plan:
    texts = {"a.md": "The blue door opens at nine.", "b.md": "The red door is shut.", "c.md": "Nothing is here."}
    return Plan(knowledge(texts), QuestionSet("tiny", questions), tuned_metrics())


def asking(id_: str, text: str, quote: str, document: str = "a.md") -> Question:
    return Question(id_, text, evidence=(Evidence(document, quote, 1),))


@pytest.mark.parametrize("spec", SPECS)
def test_tuning_measures_what_a_run_measures(spec, plan, bench):
    """The numbers under the sliders are those of a comparison, metric by metric and question by question."""
    tuned, run = tune(read_variant(spec), plan, bench), run_variant(read_variant(spec), plan, bench)
    assert len(tuned.rows) == len(run.rows) == 20
    for mine, yours in zip(tuned.rows, run.rows, strict=True):
        assert mine.record.hits == yours.record.hits
        assert mine.record.ranking == yours.record.ranking
        for metric in tuned_metrics():
            assert mine.scores[metric.name] == yours.scores[metric.name], metric.name


def test_a_move_has_the_deltas_and_verdicts_of_a_comparison(plan, bench):
    before, after = (read_variant(spec) for spec in ("keyword", "hybrid"))
    move = Move(tune(before, plan, bench), tune(after, plan, bench), seed=plan.seed)
    comparison = compare_runs(run_variant(before, plan, bench), run_variant(after, plan, bench))
    for name, delta in move.deltas.items():
        assert delta == comparison.metrics[name].delta, name
    text = comparison.effort["context_characters"]
    assert move.mean_delta("context_characters") == pytest.approx(text.b.mean - text.a.mean)


def test_the_rank_of_the_gold_chunk_counts_below_the_cut(bench):
    plan = tiny(asking("q", "red door", "The blue door opens at nine."))
    found = tune(read_variant("keyword:top_k=1"), plan, open_bench(plan.knowledge)).rows[0]
    # b.md shares red and door with the question, a.md door alone: the gold chunk is second, and one is read.
    assert (found.gold_rank, found.reaches) == (2, False)
    assert found.scores["hit_rate"].value == 0.0
    two = tune(read_variant("keyword:top_k=2"), plan, open_bench(plan.knowledge)).rows[0]
    assert (two.gold_rank, two.reaches) == (2, True)
    assert two.scores["mrr"].value == 1 / 2


def test_a_question_without_evidence_moves_the_text_read_alone():
    plan = tiny(Question("q", "red door"))
    found = tune(read_variant("keyword"), plan, open_bench(plan.knowledge))
    assert found.mean("evidence_recall") is None
    assert found.rows[0].scores["evidence_recall"].reason == "the question names no evidence"
    assert found.mean("context_characters") == len("The blue door opens at nine.") + len("The red door is shut.")


def test_what_was_measured_once_is_ranked_for_nobody_again(plan, monkeypatch):
    """Ten sessions that move the same slider at the same time rank each question once."""
    bench, ranked, guard = open_bench(plan.knowledge), [], threading.Lock()
    rank = Hybrid.rank

    def counted(self, query, bench):
        with guard:
            ranked.append((self, query))
        return rank(self, query, bench)

    monkeypatch.setattr(Hybrid, "rank", counted)
    values = [5, 10, 20]
    found: dict[int, list[float | None]] = {}

    def session(number: int) -> None:
        order = values[number % 3 :] + values[: number % 3]
        means = {value: tune(read_variant(f"hybrid:rrf_k={value}"), plan, bench).mean("mrr") for value in order}
        found[number] = [means[value] for value in values]

    threads = [threading.Thread(target=session, args=(number,)) for number in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ranked) == len(set(ranked)) == 3 * 20
    assert len(found) == 10
    assert all(means == found[0] for means in found.values())


def test_a_variant_that_can_ask_no_question_is_an_error_and_not_a_row_of_zeros(monkeypatch):
    plan = tiny(asking("q", "red door", "The red door is shut.", "b.md"))

    def fails(self, query, bench):
        raise UserError("The index is gone. Build it again.")

    monkeypatch.setattr(Hybrid, "rank", fails)
    work = TuneWork(read_variant("hybrid"), plan, open_bench(plan.knowledge))
    with pytest.raises(UserError, match="Build it again"):
        for _ in work.steps():
            pass
    assert work.result() is None
    assert not work.complete


def test_one_question_that_fails_is_named_and_costs_no_other(monkeypatch):
    rank = Hybrid.rank

    def fails(self, query, bench):
        if query.question == "red door":
            raise UserError("The index is gone. Build it again.")
        return rank(self, query, bench)

    monkeypatch.setattr(Hybrid, "rank", fails)
    plan = tiny(asking("q", "red door", "The red door is shut.", "b.md"), asking("r", "blue door", "The blue door"))
    found = tune(read_variant("hybrid"), plan, open_bench(plan.knowledge))
    assert found.errors == ("hybrid: The index is gone. Build it again.",)
    assert found.values["hit_rate"] == {"r": 1.0}
    assert found.rows[0].scores["hit_rate"].error is not None


def test_work_goes_on_step_by_step(plan, bench):
    work = TuneWork(read_variant("hybrid:rrf_k=7"), plan, bench)
    steps = [step for step in work.steps() if step.step == "questions"]
    assert [(each.done, each.of) for each in steps] == [(20, 20)]
    assert work.complete
    assert work.result() == tune(read_variant("hybrid:rrf_k=7"), plan, bench)


def test_held_out_questions_stay_out_of_tuning():
    held = replace(asking("h", "red door", "The red door is shut."), tags=(("split", "holdout"),))
    plan = tuning_plan(tiny(held, asking("t", "blue door", "The blue door")))
    assert [each.id for each in plan.questions.questions] == ["t"]
    assert "1 held-out" in plan.notes[-1]
    with pytest.raises(QuestionsError, match="no others here"):
        tuning_plan(tiny(held))
