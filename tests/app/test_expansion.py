"""Query expansion on the pages: what was searched is shown as typed, and the settings lead to the model they need."""

from dataclasses import replace

import pytest

from rag_variants.pipeline import print_variant
from rag_variants.pipeline.query import Written
from rag_variants.ui.endpoints import OwnEndpoints
from rag_variants.ui.presets import make_presets
from tests.app.conftest import OpenPage, visit
from tests.app.test_compare_page import texts


def test_the_page_shows_what_was_searched_besides_the_question(open_page: OpenPage, base: dict[str, str]) -> None:
    for page in (
        open_page({**base, "a": "keyword", "b": "keyword:expansion=feedback", "q": "q2"}),
        visit({**base, "a": "keyword", "b": "keyword:expansion=feedback", "q": "q2"}, "pages/question.py"),
    ):
        lines = [each.value for each in page.text if "found first" in each.value]
        assert len(lines) == 1  # A searched the question alone
        assert lines[0].startswith("Also searched for words of the chunk found first, as they are indexed: ")
        assert "expir ×" in lines[0]


def test_a_models_text_is_shown_as_typed(
    open_page: OpenPage, base: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    hostile = "<b>bold</b> **x** $a$ :smile:"

    async def write(self, question: str) -> Written:
        return Written((hostile,), cost_usd=0.0)

    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.setattr("rag_variants.pipeline.expand.rewriting.Rewriter.write", write)
    b = "keyword:expansion=multi-query,expander=openai:m"
    page = open_page({**base, "a": "keyword", "b": b, "q": "q2"})
    assert not any(hostile in each.value for each in page.text), "opening a link asks nobody"
    page = next(each for each in page.button if each.label == "Run comparison").click().run()
    assert [each.value for each in page.text if hostile in each.value] == [f"Also searched for: {hostile}"]
    assert not any(hostile in each.value for each in page.markdown)


def test_an_expansion_that_needs_a_model_asks_for_it_and_then_is_chosen(
    open_page: OpenPage, base: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OwnEndpoints, "specs", lambda own, kind: ("openai:m",))  # AppTest chooses among options only
    page = open_page({**base, "a": "keyword", "b": "vector"})
    assert not [each for each in page.selectbox if each.label == "Expander"]

    page.selectbox(key="a keyword expansion").set_value("hyde").run()
    assert "is written by a chat model" in texts(page)
    assert page.query_params["a"] == "keyword"

    page.selectbox(key="a keyword expander").set_value("openai:m").run()
    assert page.query_params["a"] == "keyword:expansion=hyde,expander=openai:m"
    assert "is written by a chat model" not in texts(page)
    assert page.selectbox(key="a keyword expander").value == "openai:m"

    page.selectbox(key="a keyword expansion").set_value("off").run()
    assert not [each for each in page.selectbox if each.label == "Expander"]


def test_the_presets_differ_in_the_expansion_alone_and_name_their_questions() -> None:
    pairs = {name: each for name, each in make_presets().items() if name.startswith("Feedback")}
    assert {name.split(":")[0]: each.slice for name, each in pairs.items()} == {
        "Feedback helps": "kind=lookup", "Feedback hurts": "kind=multi_hop",
    }  # fmt: skip
    for each in pairs.values():
        assert print_variant(replace(each.b, expansion="off")) == print_variant(each.a)
