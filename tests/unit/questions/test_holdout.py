"""Held-out questions stay out of what they are not asked for in."""

import pytest

from rag_variants.errors import QuestionsError
from rag_variants.evaluation.plan import Plan
from rag_variants.questions.holdout import holdout_questions, is_held_out, tune_questions
from rag_variants.questions.sets import QuestionSet
from rag_variants.types import Question
from tests.making import knowledge

SET = QuestionSet(
    "set",
    (
        Question("1", "a", tags=(("language", "en"), ("split", "tune"))),
        Question("2", "b", tags=(("language", "en"), ("split", "holdout"))),
        Question("3", "c", tags=(("language", "en"),)),
        Question("4", "d", tags=(("language", "pl"), ("split", "holdout"))),
    ),
)
PLAN = Plan(knowledge({"a.md": "Text."}), SET, ())


def ids(plan: Plan) -> str:
    return "".join(question.id for question in plan.questions.questions)


def test_the_two_parts_are_the_whole_in_file_order():
    assert [each.id for each in tune_questions(SET).questions] == ["1", "3"]
    assert [each.id for each in holdout_questions(SET).questions] == ["2", "4"]
    assert tune_questions(SET).name == "set"


@pytest.mark.parametrize(
    ("part", "asked"),
    [
        (None, "13"),
        ("language=en", "13"),
        ("all", "1234"),
        ("split=holdout", "24"),
        ("split=tune|holdout", "124"),
        ("split=holdout,language=en", "2"),
        ("id=2", "2"),
    ],
)
def test_a_held_out_question_comes_only_where_it_is_asked_for(part, asked):
    assert ids(PLAN.restricted(part)) == asked


def test_what_was_left_out_is_named_and_the_whole_file_is_remembered():
    plan = PLAN.restricted("language=en")
    assert plan.notes == ("1 held-out question (tag split=holdout) left out; the slice split=holdout asks for it.",)
    assert plan.whole == SET
    assert PLAN.restricted(None).notes[0].startswith("2 held-out questions (tag split=holdout) left out")
    assert PLAN.restricted("all").notes == PLAN.restricted("split=holdout").notes == ()
    assert plan.restricted("language=en").notes == plan.notes  # nothing left to leave out the second time


def test_a_slice_of_held_out_questions_alone_is_refused_in_words():
    with pytest.raises(QuestionsError, match=r"These questions are all held out .*Ask for them with the slice"):
        PLAN.restricted("language=pl")


def test_a_limit_counts_what_is_left():
    assert ids(PLAN.restricted(None, 2)) == "13"
    assert not any(map(is_held_out, PLAN.restricted(None, 2).questions.questions))
