"""A set of questions with one identity."""

import pytest

from rag_variants.errors import QuestionsError
from rag_variants.knowledge.base import Skipped
from rag_variants.questions.sets import QuestionSet
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
    restricted = SET.restricted("kind", "stale")
    assert (restricted.questions, restricted.skipped, restricted.notes) == ((TWO,), SET.skipped, SET.notes)


def test_an_unknown_tag_lists_the_known_ones() -> None:
    with pytest.raises(QuestionsError, match=r"kind=x\. Use one of: kind=lookup, kind=stale, language=en"):
        SET.restricted("kind", "x")
    with pytest.raises(QuestionsError, match=r"\(no tags\)"):
        QuestionSet("set", (Question("1", "a"),)).restricted("kind", "x")


def test_first() -> None:
    assert SET.first(1).questions == (ONE,)
    assert SET.first(9).questions == (ONE, TWO)
