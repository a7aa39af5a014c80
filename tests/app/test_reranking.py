"""Reranking on the page: its settings, what it moved, and that a link asks or fetches nothing."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.conftest import OpenPage
from tests.stub import Stub


def said(page: AppTest) -> str:
    kinds = ("markdown", "text", "caption", "subheader", "error", "warning", "info")
    return "\n".join(str(each.value) for kind in kinds for each in getattr(page, kind))


def test_the_depth_shows_with_the_reranker(open_page: OpenPage, base: dict[str, str]) -> None:
    page = open_page({**base, "a": "keyword", "b": "keyword"})
    keys = {each.key for each in page.slider}
    assert "b keyword min_score" in keys
    assert "b keyword rerank_depth" not in keys
    page.selectbox(key="b keyword reranker").select("embedded").run()
    assert page.query_params["b"] == "keyword:reranker=embedded"
    keys = {each.key for each in page.slider}
    assert "b keyword rerank_depth" in keys
    assert "b keyword min_score" not in keys, "the scores are the reranker's now"
    page.button(key="run").click().run()
    assert not page.exception
    assert "Reranker off → embedded" in said(page)


def test_what_is_no_reranker_is_refused_in_words(open_page: OpenPage, base: dict[str, str]) -> None:
    page = open_page({**base, "b": "keyword:reranker=/etc/passwd"})
    assert not page.exception
    assert "Use one of off, embedded, cross" in said(page)


def test_a_question_shows_what_the_reranker_moved(open_page: OpenPage, base: dict[str, str]) -> None:
    page = open_page({**base, "a": "keyword", "b": "keyword:reranker=embedded", "question": "q1"})
    assert not page.exception
    assert re.search(r"reranked from \d", said(page))
    assert "scores: cosine similarity of the best sentence" in said(page)


@pytest.mark.parametrize(
    ("spec", "words"),
    [("stub:small", "may cost money"), ("cross-encoder:some/model", "may have to be downloaded first")],
)
def test_opening_a_link_asks_and_fetches_nothing(
    spec: str, words: str, base: dict[str, str], open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Stub() as stub:
        monkeypatch.setenv("RAG_VARIANTS_ENDPOINTS__STUB__BASE_URL", stub.url)
        page = open_page({**base, "a": "keyword", "b": f"keyword:reranker={spec}"})
        assert not page.exception
        assert stub.requests == []
        assert words in said(page)
        assert not page.subheader
        page.button(key="run").click().run()
        assert not page.exception
        assert len(stub.requests) == (2 if spec == "stub:small" else 0)  # nothing shares a word with q3
    if spec != "stub:small":
        assert "which is not installed" in said(page)
