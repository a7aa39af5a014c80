"""The Tune page: moves, pin, undo, defaults, what is sent, and what stays when a setting cannot be measured."""

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from streamlit.testing.v1 import AppTest

from rag_variants.errors import UserError
from rag_variants.evaluation.tuning.tuning_log import open_tuning_log
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.query import Query
from rag_variants.pipeline.variants.keyword import Keyword
from rag_variants.settings import Settings, TypedEndpoint
from rag_variants.ui.endpoints import OwnEndpoints
from tests.app.conftest import APP, DOCUMENTS, QUESTIONS, visit, write_base
from tests.stub import Stub

TUNE = "pages/tune.py"
PARTS = ("label", "value", "delta", "scored")
OFF = {"a": "vector", "b": "keyword", "judged": "off"}


def open_tune(parameters: dict[str, str]) -> AppTest:
    return visit(parameters, TUNE)


def title(page: AppTest) -> str:
    return page.subheader[0].value.replace("\\", "")


def tiles(page: AppTest) -> dict[str, list[str]]:
    """By label: value, delta with verdict, and of how many questions."""
    found = {}
    for body in (block.proto.body for block in page.get("html") if 'class="tiles" ' in block.proto.body):
        parts = [re.findall(rf'class="tile-{part}">(?:<span>)?([^<]*)<', body) for part in PARTS]
        found.update(
            {html.unescape(label): [html.unescape(each) for each in rest] for label, *rest in zip(*parts, strict=True)}
        )
    return found


def words(page: AppTest) -> str:
    kinds = (page.markdown, page.caption, page.error, page.text, page.code)
    shown = "\n".join(each.value for kind in kinds for each in kind)
    return shown.replace("\\", "").replace("\u2060", "")


def value_of(page: AppTest, parameter: str) -> str:
    """A parameter in the page's URL; AppTest keeps those it began with as lists."""
    value = page.query_params[parameter]
    return value if isinstance(value, str) else value[0]


def move(page: AppTest, name: str, value: Any, variant: str = "keyword") -> AppTest:
    page.slider(key=f"tune {variant} {name}").set_value(value).run()
    assert not page.exception
    return page


def click(page: AppTest, key: str) -> AppTest:
    page.button(key=key).click().run()
    assert not page.exception
    return page


def test_a_move_is_measured_against_the_pin_at_once(base: dict[str, str]) -> None:
    page = open_tune(base | OFF | {"b": "vector"})
    assert title(page) == "vector: evidence recall 1.00, the pinned setting"
    everything = sum(map(len, DOCUMENTS.values()))  # one chunk a document, and top_k 5 takes all four
    assert tiles(page)["Text read"] == [f"{everything} ", "", "3 of 3 questions"]
    move(page, "top_k", 1, "vector")
    assert (value_of(page, "tune"), value_of(page, "pin")) == ("vector:top_k=1", "vector")
    found = [DOCUMENTS[name] for name in ("returns.md", "codes.md", "visits.md")]  # each question's own comes first
    now = round(sum(map(len, found)) / 3)
    value, delta, scored = tiles(page)["Text read"]
    assert (value.strip(), scored) == (str(now), "3 of 3 questions")
    assert delta == f"↓ −{everything - now} less, × {sum(map(len, found)) / 3 / everything:.2f}"
    assert title(page) == "vector: evidence recall 1.00, as at the pin; no question gained or lost"
    assert "No question differs in evidence recall." in words(page)


def test_lost_questions_are_counted_named_and_linked(tmp_path: Path) -> None:
    """The evidence of q1 stands second for its words; with one chunk it no longer reaches the answer."""
    documents = {
        "a.md": "# Answers\n\nToken expired. Token expired.",
        "b.md": "# Token\n\nThe token of the blue door expired on the ninth of May, and nobody renewed it for weeks.",
    }
    question = {
        "id": "q1", "user_input": "token expired", "answerable": True,
        "evidence": [{"document": "b.md", "quote": "The token of the blue door expired on the ninth of May"}],
    }  # fmt: skip
    page = open_tune(write_base(tmp_path / "two", documents, [question]) | OFF)
    move(page, "top_k", 1)
    assert title(page) == "keyword: evidence recall 0.00, −1.00 against the pin; 0 questions gained, 1 lost"
    link = next(each for each in page.get("page_link") if "q1" in each.proto.label)
    assert "rank 2 → 2" in link.proto.label.replace("\\", "")
    assert "q=q1" in link.proto.query_string
    assert "a=keyword&b=keyword%3Atop_k%3D1" in link.proto.query_string
    assert "Too few to tell" in words(page)


def test_a_copied_link_shows_the_same(base: dict[str, str]) -> None:
    page = move(open_tune(base | OFF), "top_k", 2)
    parameters = {name: value_of(page, name) for name in page.query_params}
    other = open_tune(parameters)
    assert title(other) == title(page)
    assert tiles(other) == tiles(page)


def test_pin_undo_redo_and_defaults(base: dict[str, str]) -> None:
    page = open_tune(base | OFF)
    assert page.button(key="undo").disabled
    move(move(page, "top_k", 2), "top_k", 1)
    click(page, "pin")
    assert page.query_params["pin"] == page.query_params["tune"] == "keyword:top_k=1"
    assert "the pinned setting" in title(page)
    click(page, "undo")
    assert (page.query_params["pin"], page.query_params["tune"]) == ("keyword", "keyword:top_k=1")
    click(page, "undo")
    assert page.query_params["tune"] == "keyword:top_k=2"
    click(page, "redo")
    assert page.query_params["tune"] == "keyword:top_k=1"
    click(page, "tune reset")
    assert page.query_params["tune"] == "keyword"
    assert page.button(key="redo").disabled  # a new move has no way forth
    assert page.button(key="tune reset").disabled


def test_what_is_found_is_sent_compared_and_written(base: dict[str, str]) -> None:
    page = move(open_tune(base | OFF), "top_k", 2)
    click(page, "send a")
    assert (page.query_params["a"], page.query_params["b"]) == ("keyword:top_k=2", "keyword")
    click(page, "send b")
    assert page.query_params["b"] == "keyword:top_k=2"
    assert page.query_params["pin"] == "keyword"  # the pin stays where it was although B has moved
    compare = next(each for each in page.get("page_link") if each.proto.label == "Compare with the pin")
    assert "a=keyword&b=keyword%3Atop_k%3D2" in compare.proto.query_string
    codes = [each.value for each in page.code]
    assert codes[0] == "keyword:top_k=2"
    assert codes[1].startswith("rag-variants compare keyword keyword:top_k=2 --kb ")


def test_another_kind_takes_over_what_both_have(base: dict[str, str]) -> None:
    page = move(open_tune(base | OFF), "top_k", 2)
    page.selectbox(key="tune variant").set_value("vector").run()
    assert page.query_params["tune"] == "vector:top_k=2"
    assert title(page).startswith("vector: ")


def test_an_impossible_combination_is_refused_where_it_is_set(base: dict[str, str]) -> None:
    page = open_tune(base | OFF)
    before = tiles(page)
    move(page, "chunk_overlap", 700)
    assert [("chunk_overlap is 700, chunk_size 600" in each.value.replace("\\", "")) for each in page.error] == [True]
    assert page.slider(key="tune keyword chunk_overlap").value == 100
    assert tiles(page) == before
    assert "tune" not in page.query_params
    move(page, "top_k", 2)
    assert not page.error


def test_a_stage_that_fails_leaves_the_last_good_numbers(base: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    rank = Keyword.rank

    def broken(self: Keyword, query: Query, bench: Bench) -> Any:
        if self.k1 == 2.0:
            raise UserError("The index is gone. Build it again.")
        return rank(self, query, bench)

    monkeypatch.setattr(Keyword, "rank", broken)
    page = open_tune(base | OFF)
    before = tiles(page)
    move(page, "k1", 2.0)
    assert "**Numbers of keyword, not of the setting on the left:**" in words(page)
    assert "The index is gone. Build it again." in words(page)
    assert tiles(page) == before
    monkeypatch.setattr(Keyword, "rank", rank)
    click(page, "measure again")
    assert "not of the setting on the left" not in words(page)
    assert page.query_params["tune"] == "keyword:k1=2"


def test_back_from_what_failed(base: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Keyword, query: Query, bench: Bench) -> Any:
        raise UserError("The index is gone. Build it again.")

    page = open_tune(base | OFF)
    monkeypatch.setattr(Keyword, "rank", broken)
    click(move(page, "k1", 2.0), "back")
    assert page.query_params["tune"] == "keyword"
    assert "The index is gone" not in words(page)


def held_out(questions: list[dict[str, Any]], *ids: str) -> list[dict[str, Any]]:
    return [
        {**each, "tags": {**each.get("tags", {}), "split": "holdout" if each["id"] in ids else "tune"}}
        for each in questions
    ]


def test_held_out_questions_stay_out_and_are_told(tmp_path: Path) -> None:
    base = write_base(tmp_path / "held", DOCUMENTS, held_out(QUESTIONS, "q3")) | OFF
    page = open_tune(base)
    assert "2 tune questions · 1 held out, unopened · 1 setting tried on them, 1 in this visit" in words(page)
    assert tiles(page)["Hit rate"][-1] == "2 of 2 questions"
    move(page, "top_k", 2)
    assert "2 settings tried on them, 2 in this visit" in words(page)


def test_an_opened_holdout_is_told(tmp_path: Path) -> None:
    from datetime import date

    from rag_variants.questions.reader import load_questions

    base = write_base(tmp_path / "held", DOCUMENTS, held_out(QUESTIONS, "q3")) | OFF
    open_tuning_log(Settings()).add_opened(load_questions(Path(base["questions"])).questions, date(2026, 3, 1))
    page = open_tune(base)
    assert "1 held out, opened first on 2026-03-01" in words(page)
    assert "The hold-out was opened before, on 2026-03-01" in words(page)


def test_where_all_are_held_out_there_is_nothing_to_tune_on(tmp_path: Path) -> None:
    base = write_base(tmp_path / "held", DOCUMENTS, held_out(QUESTIONS, "q1", "q2", "q3")) | OFF
    page = open_tune(base)
    assert "held-out questions (tag split=holdout) stay out, and there are no others here" in words(page)
    assert "slice" not in page.error[0].value  # which cannot be chosen here
    assert any("choose which questions are asked" in each.proto.label for each in page.get("page_link"))
    assert not page.slider


def test_questions_without_evidence_say_what_to_add(tmp_path: Path) -> None:
    asked = [{"id": "q1", "user_input": "Within how many days can goods be returned?"}]
    page = open_tune(write_base(tmp_path / "bare", DOCUMENTS, asked) | OFF)
    assert title(page) == "keyword: retrieval cannot be scored, because no question names its evidence"
    assert "give questions a column `evidence`" in words(page)
    assert tiles(page)["Hit rate"][0] == "–"
    assert float(tiles(page)["Text read"][0]) > 0
    assert not page.get("vega_lite_chart")


def test_a_move_without_scores_is_no_pinned_setting(tmp_path: Path) -> None:
    asked = [{"id": "q1", "user_input": "Within how many days can goods be returned?"}]
    page = open_tune(write_base(tmp_path / "bare", DOCUMENTS, asked) | OFF | {"b": "vector"})
    assert "Pinned: vector. Move a slider." in words(page)
    move(page, "chunk_size", 650, "vector")  # each document is one chunk before and after
    assert "No retrieval metric differs from the pin, nor the text read. Pinned: vector." in words(page)
    move(page, "top_k", 1, "vector")
    assert "Retrieval cannot be scored; the text read differs from the pin. Pinned: vector." in words(page)
    assert "Move a slider" not in words(page)


def test_what_was_left_out_is_counted_and_told(tmp_path: Path) -> None:
    parameters = write_base(tmp_path / "part", DOCUMENTS | {"empty.md": ""})
    file = Path(parameters["questions"])
    file.write_text(file.read_text(encoding="utf-8") + "\nno json\n{}", encoding="utf-8")
    page = open_tune(parameters | OFF)
    assert "3 tune questions" in words(page)
    # 1 of 2 documents and 2 of 3 + 2 lines, once behind the count above the numbers and once where they are named
    assert "2 of 5 question lines left out" in "".join(each.proto.popover.label for each in page.get("popover"))
    told = [each.value for each in page.text if each.value.startswith("Left out: ")]
    assert len(told) == 2 * (1 + 2)
    assert "Left out: empty.md" in told[0]


@pytest.mark.parametrize("spec", ["hybrid:reranker=foo:bar", "vector:embeddings=foo:bar"])
def test_an_endpoint_that_is_not_there_is_told_before_anything_is_asked(base: dict[str, str], spec: str) -> None:
    page = open_tune(base | OFF | {"tune": spec, "pin": "keyword"})
    assert "There is no endpoint called 'foo'" in words(page)
    assert "measuring it asks" not in words(page)
    assert not [each for each in page.button if each.key == "measure again"]


def test_a_parent_size_goes_from_off_to_the_first_that_can_be(base: dict[str, str]) -> None:
    page = open_tune(base | OFF)
    slider = page.select_slider(key="tune keyword parent_size")
    assert slider.value == 0
    assert slider.options[:3] == ["0", "700", "800"]  # a parent is larger than chunks of 600
    slider.set_value(700).run()
    assert not page.error
    assert value_of(page, "tune") == "keyword:parent_size=700"


def test_the_sliders_of_the_graph_show_with_chroma_alone(base: dict[str, str]) -> None:
    graph = {"tune vector ef_search", "tune vector max_neighbors"}
    page = open_tune(base | OFF | {"tune": "vector"})
    assert not graph & {each.key for each in page.slider}
    page.selectbox(key="tune vector vectors_in").set_value("chroma").run()
    assert not page.exception and not page.error
    assert graph <= {each.key for each in page.slider}
    move(page, "ef_search", 2, "vector")
    assert value_of(page, "tune") == "vector:vectors_in=chroma,ef_search=2"


def test_the_formula_is_chosen(base: dict[str, str]) -> None:
    page = open_tune(base | OFF)
    page.selectbox(key="tune keyword formula").set_value("plus").run()
    assert not page.exception and not page.error
    assert value_of(page, "tune") == "keyword:formula=plus"


def test_missing_documents_are_one_sentence(base: dict[str, str]) -> None:
    page = open_tune(base | OFF | {"kb": "/no/such/folder"})
    assert ["There is no folder /no/such/folder" in each.value.replace("\\", "") for each in page.error] == [True]


def test_the_embedded_judge_follows_a_move(base: dict[str, str]) -> None:
    page = open_tune(base | OFF | {"judged": "on"})
    assert {"Faithfulness", "Topic closeness", "Context precision", "Context recall"} <= set(tiles(page))
    assert "by the judge embedded" in words(page)
    move(page, "top_k", 1)
    assert "still those of" not in words(page)
    page.toggle(key="follow judged").set_value(False).run()
    assert page.query_params["judged"] == "off"
    assert "Faithfulness" not in tiles(page)


def test_a_judge_elsewhere_waits_to_be_asked(base: dict[str, str]) -> None:
    own = OwnEndpoints()
    with Stub(lambda request: '{"statements": []}', key="k") as stub:
        own.put("mine", TypedEndpoint(base_url=SecretStr(stub.url), api_key=SecretStr("k"), attempts=1))
        page = AppTest.from_file(str(APP), default_timeout=120)
        page.switch_page(TUNE)
        for name, value in (base | OFF | {"judged": "on", "judge": "mine:j"}).items():
            page.query_params[name] = value
        page.session_state["own endpoints"] = own
        page.run()
        move(page, "top_k", 1)
        assert stub.requests == []
        assert "**Stale.** Judging this move asks models." in words(page)
        assert re.fullmatch(r"Refresh: \d+ calls", page.button(key="refresh judged").label)
        click(page, "refresh judged")
        asked = len(stub.requests)
        assert asked > 0
        assert "Faithfulness" in tiles(page)
        move(page, "top_k", 2)
        assert len(stub.requests) == asked
        assert "still those of keyword:top_k=1" in words(page)  # grey, with whose they are


def test_the_borders_follow_the_chunk_size(base: dict[str, str]) -> None:
    page = open_tune(base | OFF | {"q": "q2"})
    assert "Evidence lies whole inside chunk 1." in words(page).replace("The evidence", "Evidence")
    move(page, "chunk_overlap", 0)
    move(page, "chunk_size", 50)
    assert "at 50 characters a chunk" in words(page)


def test_with_parents_what_is_read_is_drawn_and_the_ranks_say_whose_they_are(base: dict[str, str]) -> None:
    spec = "keyword:chunk_size=50,chunk_overlap=0,parent_size=600"
    page = open_tune(base | OFF | {"q": "q2", "tune": spec, "pin": spec})
    assert "Parent borders over the evidence" in words(page)
    assert "at 600 characters a parent, which is what the answer reads; chunks of 50 are searched" in words(page)
    assert "The evidence lies whole inside parent 1." in words(page)
    assert "Besides top_k, parent_size decides what is read (where top_k counts parents)" in words(page)


def test_settings_tried_are_counted_for_everybody(base: dict[str, str]) -> None:
    move(open_tune(base | OFF), "top_k", 2)
    other = open_tune(base | OFF)
    assert "2 settings tried on them, 1 in this visit" in words(other)


def test_hostile_text_in_questions_is_shown_as_typed(tmp_path: Path) -> None:
    asked = json.loads(json.dumps(QUESTIONS))
    asked[0]["user_input"] = "<img src=x onerror=alert(1)> $x^2$ days returned?"
    page = open_tune(write_base(tmp_path / "odd", DOCUMENTS, asked) | OFF | {"q": "q1"})
    assert not any("<img" in block.proto.body for block in page.get("html"))
