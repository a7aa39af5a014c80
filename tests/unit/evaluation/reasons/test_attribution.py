"""Retrieval and answers taken apart: both parts add up to the delta, whatever the interaction."""

from collections.abc import Mapping

import pytest

from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.reasons.attribution import (
    Attribution,
    Swap,
    attribute,
    missing_swaps,
    only_part,
    swap_answers,
)
from rag_variants.evaluation.run import run_variant
from rag_variants.metrics import choose_metrics
from rag_variants.pipeline import read_variant
from rag_variants.pipeline.bench import Bench
from rag_variants.questions.sets import QuestionSet
from rag_variants.report.attribution import attribution_document, attribution_rows, attribution_sentence
from rag_variants.types import Evidence, Question
from tests.making import WordVectors, bench
from tests.unit.evaluation.test_compare import make_run

TEXTS = {"deposit.md": "The deposit is 450 EUR.", "refund.md": "A refund takes 14 days.", "desk.md": "It opens at 9."}
QUESTIONS = tuple(
    Question(each, f"What of the {each}?", evidence=(Evidence(f"{each}.md", TEXTS[f"{each}.md"], 1),))
    for each in ("deposit", "refund")
)
A, B = "keyword:top_k=1", "hybrid:top_k=1,answerer=embedded:digest"
SWAPPED = ("keyword:top_k=1,answerer=embedded:digest", "hybrid:top_k=1")
Values = Mapping[str, float | None]


def attributed(a: Values, swapped_a: Values, swapped_b: Values, b: Values) -> Attribution:
    corners = zip((A, *SWAPPED, B), (a, swapped_a, swapped_b, b), strict=True)
    return attribute(*(make_run({"faithfulness": values}, name) for name, values in corners))


def test_the_swaps_have_the_retrieval_of_one_and_the_answers_of_the_other() -> None:
    assert swap_answers(read_variant(A), read_variant(B)) == tuple(map(read_variant, SWAPPED))


def test_each_part_is_the_mean_over_both_orders() -> None:
    moved = attributed({"q": 0.2}, {"q": 0.5}, {"q": 0.3}, {"q": 0.9}).metrics["faithfulness"]
    assert moved is not None
    assert moved.total == pytest.approx(0.9 - 0.2)
    assert moved.retrieval == pytest.approx(((0.3 - 0.2) + (0.9 - 0.5)) / 2)
    assert moved.answering == pytest.approx(((0.5 - 0.2) + (0.9 - 0.3)) / 2)
    assert moved.interaction == pytest.approx(0.9 - 0.5 - 0.3 + 0.2)
    assert moved.retrieval + moved.answering == pytest.approx(moved.total)


def test_only_questions_scored_on_all_four_count() -> None:
    found = attributed({"q": 0.0, "r": 1.0}, {"q": 0.5, "r": None}, {"q": 0.5, "r": 1.0}, {"q": 1.0, "r": 0.0})
    moved = found.metrics["faithfulness"]
    assert moved is not None
    assert (moved.n, moved.total) == (1, 1.0 - 0.0)


def test_nothing_scored_on_all_four_is_no_zero() -> None:
    found = attributed({"q": None}, {"q": 1.0}, {"q": 1.0}, {"q": 1.0})
    assert found.metrics == {"faithfulness": None}
    assert attribution_rows(found, "embedded") == ()
    assert "not scored on all four" in attribution_sentence(found, "faithfulness")
    assert attribution_document(found)["metrics"] == {"faithfulness": None}


def place() -> tuple[Plan, Bench]:
    made = bench(TEXTS, WordVectors())
    metrics = choose_metrics("retrieval")
    return Plan(made.knowledge, QuestionSet("qs", QUESTIONS), metrics, today=made.today), made


@pytest.mark.parametrize(
    ("other", "stage"), [("hybrid:top_k=1", "retrieval"), ("keyword:top_k=1,answerer=embedded:digest", "answering")]
)
def test_a_change_in_one_stage_runs_nothing_and_says_so(
    other: str, stage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, made = place()
    known = [run_variant(read_variant(each), plan, made) for each in (A, other)]
    assert missing_swaps(*(run.variant for run in known), known) == 0
    swap = Swap(read_variant(A), read_variant(other), plan, made, known)
    monkeypatch.setattr("rag_variants.evaluation.rows.RowMaker.make_rows", None)  # whoever calls it fails
    assert list(swap.steps()) == []
    found = swap.result()
    assert found is not None
    assert found.one_stage == stage
    moved = found.metrics["evidence_recall"]
    assert moved is not None
    assert {"retrieval": moved.answering, "answering": moved.retrieval}[stage] == 0
    assert "alone" in attribution_sentence(found, "evidence_recall")


def test_both_swaps_are_run_and_the_retrieval_metrics_move_by_retrieval_alone() -> None:
    plan, made = place()
    known = [run_variant(read_variant(each), plan, made) for each in (A, B)]
    swap = Swap(read_variant(A), read_variant(B), plan, made, known)
    assert swap.result() is None
    assert [step.done for step in swap.steps()][-1] == len(QUESTIONS)
    found = swap.result()
    assert found is not None
    assert swap.complete
    moved = found.metrics["evidence_recall"]
    assert moved is not None
    assert (moved.answering, moved.interaction) == (0, 0)


@pytest.mark.parametrize(
    ("a", "b", "part"),
    [(A, "hybrid:top_k=1", "retrieval"), (A, SWAPPED[0], "answering"), (A, B, None), (A, A, None)],
)
def test_the_one_part_that_differs_is_known_without_a_run(a: str, b: str, part: str | None) -> None:
    assert only_part(read_variant(a), read_variant(b)) == part


def test_a_variant_against_itself_moves_nothing() -> None:
    plan, made = place()
    run = run_variant(read_variant(A), plan, made)
    found = attribute(run, run, run, run)
    assert found.one_stage is None
    assert all(moved is None or moved.total == moved.retrieval == 0 for moved in found.metrics.values())
