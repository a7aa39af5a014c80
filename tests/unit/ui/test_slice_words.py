"""What the choice of questions is called, with counts that add up."""

from dataclasses import replace

from rag_variants.evaluation.plan import Plan
from rag_variants.questions.sets import QuestionSet
from rag_variants.types import Question
from rag_variants.ui.controls import slice_words
from tests.making import knowledge

HELD = (("split", "holdout"),)
PLAN = Plan(knowledge({"a.md": "Text."}), QuestionSet("set", (Question("1", "a"), Question("2", "b"))), ())


def plan(*held: str) -> Plan:
    more = tuple(Question(each, each, tags=HELD) for each in held)
    return replace(PLAN, questions=PLAN.questions.chosen((*PLAN.questions.questions, *more)))


def test_without_a_holdout_there_is_one_choice():
    assert slice_words(plan()) == {"": "all 2"}


def test_held_out_questions_are_no_part_of_the_first_choice():
    assert slice_words(plan("3")) == {"": "the 2 that are not held out", "all": "all 3, held-out ones too"}  # 2 + 1
    assert len(plan("3").restricted(None).questions.questions) == 2


def test_a_file_of_held_out_questions_alone_is_not_called_empty():
    alone = replace(PLAN, questions=PLAN.questions.chosen([Question("3", "c", tags=HELD)]))
    assert slice_words(alone) == {"": "all 1"}
