"""Runs in a row: what is lined up, what is left out, and what the chart draws."""

import dataclasses

import pytest

from rag_variants.evaluation.runs import Documents, Provenance
from rag_variants.report.saved_run_words import asked_words, made_words, mean_words
from rag_variants.report.story import tell_story
from rag_variants.report.story_chart import story_chart
from rag_variants.storage.saved_runs import SavedNote


def note(day, mean, **changes):
    means = {"mrr": (mean, 9), "key_facts": (0.5, 9), "latency_ms": (12.0, 9)}
    made = SavedNote(
        id=f"r{day}", name="", baseline=False, created=f"2026-01-0{day}T12:00:00+00:00", variant=f"keyword:top_k={day}",
        knowledge=Documents("kb", 2, "d"), questions=Provenance("qs", 9, "q"), slice=None, judge_spec="embedded",
        judge="j", answered=9, means=means,
    )  # fmt: skip
    return dataclasses.replace(made, **changes)


def test_runs_stand_in_the_order_they_were_made_with_the_change_from_each_to_the_next():
    story = tell_story([note(3, 0.7), note(1, 0.5), note(2, 0.8)])
    assert [each.id for each in story.runs] == ["r1", "r2", "r3"]
    points = [point for point in story.points if point.metric == "mrr"]
    assert [(point.step, point.mean, point.change) for point in points] == [
        (1, 0.5, ""),
        (2, 0.8, "+0.30"),
        (3, 0.7, "−0.10"),
    ]
    assert points[0].shown == "0.50 (n 9)"
    assert {point.metric for point in story.points} == {"mrr", "key_facts"}, "effort is left out"


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"questions": Provenance("qs", 8, "other")}, "questions"),
        ({"knowledge": Documents("kb", 8, "other")}, "documents"),
        ({"judge": "other"}, "judge"),
        ({"judge": "other", "questions": Provenance("qs", 8, "other")}, "questions and judge"),
    ],
)
def test_a_run_measured_otherwise_is_named_and_left_out(changes, what):
    story = tell_story([note(1, 0.5), note(2, 0.8, name="mine", **changes), note(3, 0.7)])
    assert [each.id for each in story.runs] == ["r1", "r3"]
    (sentence,) = story.left_out
    assert sentence.startswith(f"Left out, because of other {what} than keyword:top_k=1: mine of 2026-01-0")


def test_a_metric_that_one_run_lacks_has_no_line():
    story = tell_story([note(1, 0.5), note(2, 0.8, means={"mrr": (0.8, 9)})])
    assert {point.metric for point in story.points} == {"mrr"}
    assert tell_story([]).points == ()


def test_every_panel_has_an_axis_of_one_length():
    # mrr moves by 0.8 − 0.5 = 0.3, the widest; half as much again is room for the numbers: 0.45
    drawn = story_chart(tell_story([note(1, 0.5), note(2, 0.8)])).to_dict()
    ends = [panel["layer"][0]["encoding"]["y"]["scale"]["domain"] for panel in drawn["concat"]]
    assert [round(high - low, 9) for low, high in ends] == [0.45, 0.45]
    assert [panel["title"]["text"] for panel in drawn["concat"]] == ["Reciprocal rank", "Key facts"]
    assert ends[0] == [pytest.approx(0.65 - 0.225), pytest.approx(0.65 + 0.225)]


def test_words_of_a_kept_run():
    one = note(1, 0.5, slice="language=pl")
    assert asked_words(one) == "9 of qs, language=pl"
    assert mean_words(one, "mrr") == "0.50 (n 9)"
    assert mean_words(one, "faithfulness") == "–"
    assert made_words(one).startswith("2026-01-01 ")
    assert made_words(note(1, 0.5, created="once")) == "once"
