"""Runs that do not share everything: named first, then compared over what they share."""

import dataclasses

import pytest

from rag_variants.evaluation.compare import ComparisonError, compare_runs
from rag_variants.evaluation.differences import NOT_MEASURED, name_differences, pair_rows
from rag_variants.evaluation.runs import Documents, JudgeNote, Provenance
from rag_variants.report.export import comparison_csv, comparison_markdown
from rag_variants.report.words import not_scored_sentences
from tests.unit.evaluation.test_compare import make_run

WHOLE = make_run({"faithfulness": {"q1": 1.0, "q2": 0.5, "q3": 0.0}})


def test_like_runs_have_no_difference():
    assert name_differences(WHOLE, WHOLE) == ()


@pytest.mark.parametrize(
    ("changes", "what", "sentence"),
    [
        (
            {"knowledge": Documents("new", 2, "x")},
            "documents",
            "A read 1 document of kb (d), B 2 documents of new (x)",
        ),
        ({"judge": None}, "judge", "A was judged by scripted, B by nobody"),
        ({"judge": JudgeNote("openai:m", {}, None)}, "judge", "A was judged by scripted, B by openai:m"),
        (
            {"judge": JudgeNote("scripted", {"temperature": 1}, None)},
            "judge",
            "both were judged by scripted, with other settings: temperature not set / 1",
        ),
    ],
)
def test_a_difference_is_named_in_the_refusal_and_before_any_number(changes, what, sentence):
    other = dataclasses.replace(WHOLE, **changes)
    with pytest.raises(ComparisonError) as refused:
        compare_runs(WHOLE, other)
    assert f"differ in {what}" in str(refused.value)
    assert sentence in str(refused.value)
    comparison = compare_runs(WHOLE, other, anyway=True)
    assert comparison.warnings[0] == f"Different {what}: {sentence}."
    lines = comparison_markdown(comparison).splitlines()
    named = next(at for at, line in enumerate(lines) if line.startswith(f"> Different {what}"))
    assert not any("0." in line for line in lines[:named])


def test_questions_in_one_run_alone_are_counted_and_listed():
    other = make_run({"faithfulness": {"q2": 1.0, "q3": 0.5, "q4": 1.0}}, questions=Provenance("qs", 3, "other"))
    comparison = compare_runs(WHOLE, other, anyway=True)
    assert comparison.warnings[0] == "Different questions: 2 in both; 1 in A alone: q1; 1 in B alone: q4."
    delta = comparison.metrics["faithfulness"].delta
    assert (delta.mean, delta.n) == (((1.0 - 0.5) + (0.5 - 0.0)) / 2, 2)


def test_a_question_under_the_same_id_with_other_words_is_not_compared():
    first, *rest = WHOLE.rows
    question = dataclasses.replace(first.record.question, user_input="Something else?")
    changed = dataclasses.replace(first, record=dataclasses.replace(first.record, question=question))
    other = dataclasses.replace(WHOLE, rows=(changed, *rest), questions=Provenance("qs", 3, "other"))
    comparison = compare_runs(WHOLE, other, anyway=True)
    assert "1 worded differently, so not compared: q1" in comparison.warnings[0]
    assert comparison.metrics["faithfulness"].delta.n == 2


def test_runs_without_a_common_question_are_refused_all_the_same():
    other = make_run({"faithfulness": {"q9": 1.0}}, questions=Provenance("qs", 1, "other"))
    with pytest.raises(ComparisonError, match="share no answered question"):
        compare_runs(WHOLE, other, anyway=True)


def test_a_metric_of_one_run_alone_is_shown_with_its_reason():
    other = make_run({"mrr": {"q1": 1.0, "q2": 0.5, "q3": 0.0}})
    comparison = compare_runs(WHOLE, other, anyway=True)
    assert comparison.warnings[0] == "Different metrics: measured in A alone: faithfulness; measured in B alone: mrr."
    assert set(comparison.metrics) == {"faithfulness", "mrr"}
    assert comparison.metrics["mrr"].delta.n == 0
    assert comparison.metrics["mrr"].unscored.a == 3
    assert not_scored_sentences(comparison)[1] == (
        f"Reciprocal rank was scored on no question of both sides. A: {NOT_MEASURED} (3 ×)."
    )
    assert comparison_csv(comparison).count(NOT_MEASURED) == 6


def test_a_long_list_of_questions_is_cut_and_counted():
    many = make_run({"faithfulness": {f"q{at}": 1.0 for at in range(1, 16)}}, questions=Provenance("qs", 15, "other"))
    assert name_differences(WHOLE, many)[0].sentence == (
        "3 in both; 12 in B alone: q4, q5, q6, q7, q8, q9, q10, q11, q12, q13 and 2 more"
    )


def numbered(asked):
    """A run over questions that their file gave no ids, in this order."""
    run = make_run({"faithfulness": {str(at): 1.0 for at in range(1, len(asked) + 1)}})
    rows = []
    for row, text in zip(run.rows, asked, strict=True):
        question = dataclasses.replace(row.record.question, user_input=text)
        rows.append(dataclasses.replace(row, record=dataclasses.replace(row.record, question=question)))
    fingerprint = Provenance("qs", len(asked), "|".join(asked))
    return dataclasses.replace(run, rows=tuple(rows), questions=fingerprint)


@pytest.mark.parametrize(
    ("texts", "others", "pairs"),
    [
        (["Ile?", "多少?", "How long?"], ["How long?", "Ile?", "多少?"], [("1", "2"), ("2", "3"), ("3", "1")]),
        (["Same?", "Same?", "Other?"], ["Other?", "Same?", "Same?"], [("1", "3"), ("2", "2"), ("3", "1")]),
        (["One?", "Two?"], ["Two?", "Three?"], [("2", "1")]),
    ],
)
def test_rows_without_an_id_pair_by_what_they_ask(texts, others, pairs):
    found = pair_rows(numbered(texts), numbered(others))
    assert [(left.record.question.id, right.record.question.id) for left, right in found] == pairs


def test_another_order_of_rows_without_ids_is_no_other_question_set():
    asked = ["Ile?", "多少?", "How long?"]
    assert name_differences(numbered(asked), numbered(asked[::-1])) == ()
    assert [each.what for each in name_differences(numbered(asked), numbered(["Ile?", "多少?", "Other?"]))] == [
        "questions"
    ]
