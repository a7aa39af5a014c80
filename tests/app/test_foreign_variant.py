"""A variant that is no pipeline of ours on the pages: what it is held against, and in words what does not apply."""

import pytest
from streamlit.testing.v1 import AppTest

from rag_variants.pipeline import VARIANTS
from tests.app.conftest import OpenPage, visit
from tests.app.test_compare_page import texts
from tests.plugins import Install

PAIR = {"a": "keyword", "b": "theirs:pages=1"}


@pytest.fixture
def theirs(install: Install, base: dict[str, str]) -> dict[str, str]:
    """A pair of a pipeline and a service of somebody else's, over the test's own documents."""
    install(VARIANTS, theirs="tests.foreign:Theirs")
    return {**base, **PAIR}


def said(page: AppTest) -> str:
    assert not page.exception
    assert not page.error
    return texts(page)


def test_it_is_compared_and_what_does_not_apply_is_said(open_page: OpenPage, theirs: dict[str, str]) -> None:
    words = said(open_page({**theirs, "metrics": "retrieval,answer"}))
    assert "Their service" in words
    assert "**One step at a time**: Their service: it is no pipeline of ours, so there is no way from A to B" in words
    assert "**What moved it**: Their service: it is no pipeline of ours, so its chunks cannot be answered" in words


def test_its_question_shows_what_it_handed_over_and_no_ranking_below(theirs: dict[str, str]) -> None:
    words = said(visit({**theirs, "q": "q2"}, "pages/question.py"))
    assert "A memo that stands in no document." in words
    assert "Their service: it hands over what it found and no ranking below that" in words


def test_the_tune_page_says_why_it_cannot_be_tuned(theirs: dict[str, str]) -> None:
    words = said(visit(theirs, "pages/tune.py"))
    assert "Their service: it is no pipeline of ours, so its settings cannot be moved on the Tune page" in words


def test_the_knowledge_page_shows_the_usual_cut(theirs: dict[str, str]) -> None:
    words = said(visit({**theirs, "side": "b"}, "pages/knowledge.py"))
    assert "Their service is no pipeline of ours and cuts nothing here: this is the cut of keyword." in words


def test_two_of_them_are_compared_too(open_page: OpenPage, theirs: dict[str, str]) -> None:
    words = said(open_page({**theirs, "a": "theirs:memo=off"}))
    assert "2 settings differ" in words
