"""Pairs by question id; every expected number is written as the sum it comes from."""

import dataclasses
from collections.abc import Mapping
from typing import Any

import pytest

from rag_variants.evaluation.compare import ComparisonError, compare_runs
from rag_variants.evaluation.comparison import (
    HEADLINE_ANSWERS,
    HEADLINE_RETRIEVAL,
    Comparison,
    Headline,
    SliceDelta,
    headline_of,
)
from rag_variants.evaluation.runs import Documents, JudgeNote, Provenance, Run, ScoredRecord
from rag_variants.metrics import METRICS
from rag_variants.pipeline import read_variant
from rag_variants.report.words import headline_sentence, inside_sentence
from rag_variants.types import Question, Record, Score

Values = Mapping[str, float | None]
FAILED = Score(None, error="judge failed (HTTP 500)")


def make_run(scores: Mapping[str, Values], variant: str = "keyword", **changes: Any) -> Run:
    """A run from {metric: {question: value}}; None is a score that failed."""
    ids = list(dict.fromkeys(each for values in scores.values() for each in values))
    rows = tuple(
        ScoredRecord(
            Record(Question(each, f"{each}?", tags=(("language", "pl" if each in ("q1", "q2") else "en"),))),
            {},
            {name: FAILED if values[each] is None else Score(values[each]) for name, values in scores.items()},
        )
        for each in ids
    )
    given = {
        "variant": read_variant(variant),
        "versions": {"rag-variants": "0"},
        "knowledge": Documents("kb", 1, "d"),
        "questions": Provenance("qs", len(ids), "q"),
        "judge": JudgeNote("scripted", {}, None),
        "metrics": tuple(scores),
        "rows": rows,
        "seed": 0,
        "complete": True,
        "seconds": 1.0,
        "created": "2026-01-01T00:00:00+00:00",
    }
    return Run(**{**given, **changes})


def compare(a: Values, b: Values, metric: str = "faithfulness") -> Comparison:
    return compare_runs(make_run({metric: a}), make_run({metric: b}, "hybrid"))


def test_what_differs_by_rounding_is_a_tie():  # H-02 (a)
    comparison = compare({"q1": 0.99999999995, "q2": 1.0}, {"q1": 1.0, "q2": 1.0}, "context_precision")
    delta = comparison.metrics["context_precision"].delta
    assert (delta.mean, delta.wins, delta.ties, delta.losses, delta.p) == (0, 0, 2, 0, 1)
    assert comparison.slices["language=pl"]["context_precision"] == SliceDelta(0, 2, 0, 2, 0)


@pytest.mark.parametrize("failed", ["q1", "q2", "q3"])
def test_one_failed_row_moves_no_other(failed):  # H-03
    planned = {"q1": 1.0, "q2": 0.2, "q3": 0.0}
    comparison = compare(planned, {**planned, failed: None})
    compared = comparison.metrics["faithfulness"]
    paired = {"q1": (0.2 + 0.0) / 2, "q2": (1.0 + 0.0) / 2, "q3": (1.0 + 0.2) / 2}[failed]
    assert (compared.delta.mean, compared.delta.n) == (0, 2)
    assert (compared.a.mean, compared.a.n) == (compared.b.mean, compared.b.n) == (pytest.approx(paired), 2)
    assert (compared.a.all_mean, compared.a.all_n) == (pytest.approx((1.0 + 0.2 + 0.0) / 3), 3)
    assert (compared.b.all_mean, compared.b.all_n) == (pytest.approx(paired), 2)
    assert dataclasses.astuple(compared.unscored) == (0, 1, 0)
    rows = {right.record.question.id: right.scores["faithfulness"] for _, right in comparison.pairs}
    assert {each: score.value for each, score in rows.items()} == {**planned, failed: None}
    assert rows[failed].error == "judge failed (HTTP 500)"


def test_pairs_are_made_by_id_not_by_position():
    comparison = compare({"q1": 0.1, "q2": 0.5, "q3": 0.9}, {"q3": 0.9, "q1": 0.1, "q2": 0.8})
    assert [(a.record.question.id, b.record.question.id) for a, b in comparison.pairs] == [
        ("q1", "q1"),
        ("q2", "q2"),
        ("q3", "q3"),
    ]
    delta = comparison.metrics["faithfulness"].delta
    assert delta.mean == pytest.approx((0 + 0.3 + 0) / 3)
    assert (delta.wins, delta.ties, delta.losses, delta.verdict) == (1, 2, 0, "too few")


def test_unscored_questions_are_counted_by_side():
    a = {"q1": None, "q2": 1.0, "q3": None, "q4": 0.5}
    b = {"q1": 1.0, "q2": None, "q3": None, "q4": 0.75}
    compared = compare(a, b).metrics["faithfulness"]
    assert dataclasses.asdict(compared.unscored) == {"a": 1, "b": 1, "both": 1}
    assert (compared.delta.mean, compared.delta.n) == (0.75 - 0.5, 1)


def test_a_against_itself_is_zero_everywhere():
    scores = {"evidence_recall": {f"q{n}": n / 9 for n in range(9)}, "mrr": {f"q{n}": 1.0 for n in range(9)}}
    comparison = compare_runs(make_run(scores), make_run(scores))
    for compared in comparison.metrics.values():
        delta = compared.delta
        assert (delta.mean, delta.n, delta.wins, delta.ties, delta.losses, delta.p) == (0, 9, 0, 9, 0, 1)
        assert delta.verdict == "too few"
        assert compared.a == compared.b
    assert comparison.differing == ()


def test_effort_is_a_ratio_of_means_and_has_no_verdict():
    a = {"q1": 100.0, "q2": 200.0, "q3": 600.0}
    b = {"q1": 300.0, "q2": 300.0, "q3": 750.0}
    comparison = compare(a, b, "context_characters")
    each = comparison.effort["context_characters"]
    assert comparison.metrics == {}
    assert (each.a.mean, each.a.median, each.a.n) == ((100 + 200 + 600) / 3, 200, 3)
    assert each.a.p95 == pytest.approx(200 + 0.9 * (600 - 200))  # rank 0.95 × 2 = 1.9 of 0, 1, 2
    assert each.ratio == comparison.more_text == 450 / 300
    assert compare({"q1": 0.0}, {"q1": 5.0}, "context_characters").more_text is None
    assert compare({"q1": None}, {"q1": 5.0}, "context_characters").effort["context_characters"].a.mean is None


def test_slices_have_counts_and_no_verdict():
    slices = compare(
        {"q1": 0.5, "q2": 0.5, "q3": 1.0, "q4": None}, {"q1": 1.0, "q2": 0.25, "q3": 1.0, "q4": 1.0}
    ).slices
    assert list(slices) == ["language=en", "language=pl"]
    assert slices["language=pl"]["faithfulness"] == SliceDelta((0.5 - 0.25) / 2, 2, 1, 0, 1)
    assert slices["language=en"]["faithfulness"] == SliceDelta(0, 1, 0, 1, 0)
    assert {field.name for field in dataclasses.fields(SliceDelta)} == {"mean", "n", "wins", "ties", "losses"}


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"knowledge": Documents("kb", 1, "other")}, "documents"),
        ({"questions": Provenance("qs", 1, "other")}, "questions"),
        ({"judge": None}, "judge"),
        ({"judge": JudgeNote("scripted", {"encoder": "2"}, None)}, "judge"),
        ({"metrics": ("mrr",)}, "metrics"),
        ({"knowledge": Documents("kb", 1, "x"), "judge": None}, "documents and judge"),
    ],
)
def test_unlike_runs_are_refused(changes, named):
    scores = {"faithfulness": {"q1": 1.0}}
    with pytest.raises(ComparisonError, match=f"differ in {named}, so .* Run both variants again"):
        compare_runs(make_run(scores), make_run(scores, **changes))


def test_runs_that_share_no_question_are_refused():
    whole = make_run({"faithfulness": {"q1": 1.0}})
    with pytest.raises(ComparisonError, match="share no answered question"):
        compare_runs(whole, dataclasses.replace(whole, rows=(), complete=False))


def test_a_partial_run_is_said_to_be_one_and_keeps_its_own_mean():
    whole = make_run({"faithfulness": {"q1": 1.0, "q2": 0.5, "q3": 0.0}})
    comparison = compare_runs(whole, dataclasses.replace(whole, rows=whole.rows[:2], complete=False))
    assert comparison.warnings[0].startswith("Stopped early: 2 of 3 questions.")
    side = comparison.metrics["faithfulness"].a
    assert (side.mean, side.n) == ((1.0 + 0.5) / 2, 2)
    assert (side.all_mean, side.all_n) == ((1.0 + 0.5 + 0.0) / 3, 3)


def test_the_headline_is_fixed_and_never_the_largest_delta():
    before = {name: {"q1": 0.5} for name in ("mrr", "context_recall", "evidence_recall", "faithfulness")}
    after = {**before, "mrr": {"q1": 1.0}, "context_recall": {"q1": 0.9}}
    comparison = compare_runs(make_run(before), make_run(after))
    assert comparison.headline == Headline("evidence_recall", "faithfulness")
    assert comparison.headline.metrics == ("evidence_recall", "faithfulness")


TEN = [f"q{at}" for at in range(1, 11)]
TESTED = [name for name, metric in METRICS.items() if metric.tested]


@pytest.mark.parametrize("name", METRICS)
def test_a_metric_asked_alone_leads(name):
    """The summary names the metric that was asked for; an effort is described and leads nothing."""
    comparison = compare(dict.fromkeys(TEN, 0.25), dict.fromkeys(TEN, 0.75), name)
    expected = (name,) if METRICS[name].tested else ()
    assert headline_of([name]).metrics == expected
    assert comparison.headline.metrics == expected
    of_answers = METRICS[name].group == "Answered it?"
    assert (comparison.headline.answers == name) is (of_answers and METRICS[name].tested)
    sentence = headline_sentence(comparison)
    if METRICS[name].tested:
        better = "B answers better: " if of_answers else "B retrieves better: "
        assert sentence.startswith("What was read: " if METRICS[name].family == "read" else better)
        assert f"{inside_sentence(METRICS[name].label)} +0.50 (0.25 → 0.75)." in sentence
    else:
        assert sentence == "No metric with a verdict was asked for."


def test_without_a_fixed_one_the_first_of_the_registry_leads_whatever_came_out():
    fixed = {*HEADLINE_RETRIEVAL, *HEADLINE_ANSWERS}
    others = [name for name in TESTED if name not in fixed]
    for at in range(len(others)):
        assert headline_of(others[at:][::-1]).metrics == (others[at],)
    assert headline_of([others[0], HEADLINE_ANSWERS[1]]) == Headline(None, HEADLINE_ANSWERS[1])
    assert headline_of([]).metrics == headline_of(["of a package that is gone"]).metrics == ()


def test_fewer_is_better_turns_wins_not_the_delta(monkeypatch):
    traps = dataclasses.replace(METRICS["mrr"], name="traps", higher_is_better=False)
    for module in ("compare", "statistics.families"):
        monkeypatch.setattr(f"rag_variants.evaluation.{module}.all_metrics", lambda: {"traps": traps})
    comparison = compare({"q1": 1.0}, {"q1": 0.0}, "traps")
    delta = comparison.metrics["traps"].delta
    assert (delta.mean, delta.wins, delta.losses) == (-1, 1, 0)
    assert comparison.slices["language=pl"]["traps"].wins == 1
