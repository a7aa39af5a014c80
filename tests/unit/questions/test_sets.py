"""A set of questions with one identity."""

import pytest

from rag_variants.corpus.knowledge import Skipped
from rag_variants.errors import QuestionsError
from rag_variants.questions.sets import QuestionSet
from rag_variants.questions.slices import make_slice, read_slice
from rag_variants.types import Question

ONE = Question("1", "a", tags=(("kind", "lookup"), ("language", "en")))
TWO = Question("2", "b", tags=(("kind", "stale"), ("language", "en")))
SET = QuestionSet("set", (ONE, TWO), (Skipped("line 3", "why"),), ("note",))


def test_identity_is_that_of_the_questions() -> None:
    assert QuestionSet("other", (ONE, TWO)) == SET
    assert len({SET, QuestionSet("other", (ONE, TWO))}) == 1
    assert QuestionSet("set", (TWO, ONE)) != SET
    assert len(SET.fingerprint) == 16


def test_tags_and_restriction() -> None:
    assert SET.tag_values() == {"kind": ("lookup", "stale"), "language": ("en",)}
    restricted = SET.restricted("kind=stale")
    assert (restricted.questions, restricted.skipped, restricted.notes) == ((TWO,), SET.skipped, SET.notes)


def test_an_unknown_tag_lists_the_known_ones() -> None:
    with pytest.raises(QuestionsError, match=r"kind=x\. Use: kind=lookup, kind=stale, language=en"):
        SET.restricted("kind=x")
    with pytest.raises(QuestionsError, match=r"\(no tags\)"):
        QuestionSet("set", (Question("1", "a"),)).restricted("kind=x")


def test_a_slice_may_join_tags_alternatives_and_ids() -> None:
    assert SET.restricted("kind=lookup|stale,language=en").questions == (ONE, TWO)
    assert SET.restricted("language=en,id=2").questions == (TWO,)
    assert SET.restricted(str(make_slice({"language": ["en"]}, ["1", "2"]))).questions == (ONE, TWO)
    assert str(make_slice({"language": ["en"]}, ["1", "2"])) == "language=en,id=1|2"


def test_a_part_that_no_question_carries_is_named_although_others_are_found() -> None:
    with pytest.raises(QuestionsError, match=r"No question of set has id=3, language=xx\. Use: "):
        SET.restricted("id=1|3,language=en|xx")


def test_tags_that_are_never_carried_together_are_named_as_they_were_written() -> None:
    with pytest.raises(QuestionsError, match=r"No question of set has kind=stale,id=1\. Use: "):
        SET.restricted("kind=stale,id=1")


@pytest.mark.parametrize("text", ["kind", "=x", "kind=", "kind=stale,", ""])
def test_what_is_no_slice_says_what_one_is(text: str) -> None:
    with pytest.raises(QuestionsError, match="A slice is TAG=VALUE"):
        SET.restricted(text)


def test_a_value_with_a_comma_is_meant_whole_where_a_question_carries_it() -> None:
    odd = Question("3", "c", tags=(("area", "north, east | west"),))
    assert QuestionSet("set", (ONE, odd)).restricted("area=north, east | west").questions == (odd,)


def test_first() -> None:
    assert SET.first(1).questions == (ONE,)
    assert SET.first(9).questions == (ONE, TWO)


def test_a_slice_is_read_however_its_accents_are_composed() -> None:
    asked = [Question("ż1", "?", tags=(("dział", "zwrot ó"),))]
    assert read_slice("id=z\u03071", asked) == read_slice("id=ż1", asked)
    assert read_slice("dział=zwrot o\u0301", asked).holds(asked[0])
