"""The sweep section: what it says before, what it finds, what a stop keeps, what opening the hold-out does."""

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from rag_variants.errors import ModelError
from rag_variants.evaluation.rows import RowMaker
from rag_variants.evaluation.run import Experiment
from rag_variants.evaluation.tuning.sweep_work import SweepWork
from rag_variants.ui.views import sweep_result
from tests.app.conftest import QUESTIONS, write_base
from tests.app.test_ladder import keys, texts
from tests.stub import Stub, filled

HELD = [{**each, "tags": {**each["tags"], "split": "holdout" if each["id"] == "q2" else "tune"}} for each in QUESTIONS]
# Found at a score of 0, and not at 50; none is worded as another, as equal questions count once.
MORE = [
    {**QUESTIONS[at % 2], "id": f"more{at}", "user_input": f"{QUESTIONS[at % 2]['user_input']} ({at})"}
    for at in range(6)
]
WON = {"a": "keyword:min_score=50", "over": "min_score=0,50"}


def sweep_page() -> None:
    """The section alone, over the selection of the URL; `use` puts a setting in A's place."""
    from rag_variants.ui.compare import read_plans
    from rag_variants.ui.sweeping import draw_sweeps
    from rag_variants.ui.url import current_selection, select

    selection = current_selection()
    _, plan, _ = read_plans(selection)
    assert plan is not None
    for follow in draw_sweeps(selection.a, plan, lambda variant: select(a=variant)):
        follow()


@pytest.fixture(autouse=True)
def links(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The selections of links to other pages, which the section alone does not have."""
    made: list[Any] = []
    monkeypatch.setattr(sweep_result, "draw_page_link", lambda file, label, selection: made.append(selection))
    return made


def visit(parameters: dict[str, str]) -> AppTest:
    page = AppTest.from_function(sweep_page, default_timeout=120)
    for name, value in parameters.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception
    return page


def start(page: AppTest) -> None:
    page.button(key="start sweep").click().run()
    assert not page.exception


def table(page: AppTest) -> dict[str, list[str]]:
    """The table of settings, by column."""
    frame = page.dataframe[0].value
    return {name: list(frame[name]) for name in frame.columns}


def test_before_it_begins_it_says_how_much_that_is(base: dict[str, str]) -> None:
    page = visit({**base, "a": "keyword"})
    assert page.text_input(key="sweep values 0").value == "1..10"
    assert "10 settings × 3 questions · 0 settings tried on these questions so far" in texts(page)
    assert page.selectbox(key="selected decides").options[0] == "Evidence recall (the usual)"
    assert page.code[0].value.startswith("rag-variants sweep keyword --over top_k=1..10 --kb ")
    assert page.code[0].value.endswith("--metrics retrieval")
    assert page.button(key="start sweep").label == "Start the sweep"
    assert "No question is tagged `split=holdout`" in texts(page)
    assert "use recommended" not in keys(page)


def test_a_sweep_says_what_to_take_and_counts_what_was_tried(base: dict[str, str]) -> None:
    page = visit({**base, "a": "keyword", "over": "top_k=1,2,5"})
    start(page)
    # No word of the third question stands in a document: (1 + 1 + 0) ÷ 3.
    headline = page.subheader[0].value.replace("\\", "")
    assert headline.startswith("No question differs, so there is nothing to choose by: every setting has evidence reca")
    found = table(page)
    assert sorted(found["settings"]) == ["top_k=1", "top_k=2", "top_k=5"]
    assert set(found["scored"]) == {"3 of 3"}
    assert "start" in found["marks"][found["settings"].index("top_k=5")]
    assert "3 settings were tried on these questions." in texts(page)
    assert "3 settings tried on these questions so far" in texts(page)
    assert (page.button(key="start sweep").label, page.button(key="start sweep").disabled) == ("Measured", True)
    assert len(page.get("vega_lite_chart")) == 1, "the same evidence at every setting: no frontier to draw"


def test_two_settings_stand_in_the_link_with_values_that_suit_them(base: dict[str, str]) -> None:
    page = visit({**base, "a": "keyword"})
    assert page.text_input(key="sweep values 1").disabled
    page.selectbox(key="sweep setting 1").select("chunk_size").run()
    assert page.query_params["over"] == "top_k=1..10;chunk_size=200,600,1200"
    page.text_input(key="sweep values 0").set_value("1,2").run()
    page.text_input(key="sweep values 1").set_value("50;200").run()
    assert page.query_params["over"] == "top_k=1,2;chunk_size=50,200"
    assert "3 settings × 3 questions · 2 impossible combinations left out" in texts(page)  # overlap 100 is above 50
    start(page)
    assert "chunk_size=50: chunk_overlap is 100" in "\n".join(each.value for each in page.text)
    page.selectbox(key="sweep setting 1").select("").run()
    assert page.query_params["over"] == "top_k=1,2"
    assert "The last sweep: keyword over top_k, chunk_size." in texts(page), "a result stays until another is there"


@pytest.mark.parametrize(
    ("over", "sentence"),
    [
        ("top_k=0..5", "top_k is 0, out of bounds. Use 1 to 50."),
        ("top_k=5..1", "The range '5..1' is empty"),
        ("top_k=", "top_k has no values yet."),
        ("top_k=1..50;k1=0..4:0.01", "The sweep has 20,050 combinations; 10,000 are the most."),  # 50 · 401
        ("rrf_k=1..5", "keyword has no setting rrf_k"),
        ("chunk_size=50;chunk_overlap=60", "No combination is possible"),
        ("temperature=0,1", "Nothing in this sweep reads temperature"),
        ("top_k=1;b=0.5;k1=1", "two settings at most"),
        ("top_k=<b>", "top_k is '<b>', which is not a whole number"),
    ],
)
def test_what_cannot_be_is_said_where_it_is_set(base: dict[str, str], over: str, sentence: str) -> None:
    page = visit({**base, "a": "keyword", "over": over})
    said = "\n".join(each.value for each in page.error).replace("\\", "")
    assert sentence.lower() in said.lower()
    wrong_alone = over.startswith(("rrf_k", "top_k=1;b"))  # the rest of the form can be swept
    assert page.button(key="start sweep").disabled is not wrong_alone


def test_a_metric_that_is_not_measured_is_named(base: dict[str, str]) -> None:
    page = visit({**base, "a": "keyword", "decides": "faithfulness"})
    assert "There is no metric in this sweep called 'faithfulness'" in "".join(e.value for e in page.error).replace(
        "\\", ""
    )
    page.selectbox(key="selected decides").select("mrr").run()
    assert page.query_params["decides"] == "mrr"
    assert "--metric mrr" in page.code[0].value
    start(page)
    assert "reciprocal rank" in page.subheader[0].value


def test_a_stop_is_gone_on_with_where_it_was(base: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    page = visit({**base, "a": "keyword", "over": "top_k=1,2,5"})
    made: list[str] = []
    make, steps = RowMaker.make_rows, SweepWork.steps

    async def counted(self: RowMaker, question: Any) -> Any:
        made.append(question.id)
        return await make(self, question)

    monkeypatch.setattr(RowMaker, "make_rows", counted)
    monkeypatch.setattr(SweepWork, "steps", lambda self: islice((p for p in steps(self) if p.step == "answers"), 2))
    start(page)
    assert "Stopped early: 2 of 3 questions were asked." in texts(page)
    assert page.button(key="start sweep").label == "Go on"
    monkeypatch.setattr(SweepWork, "steps", steps)
    start(page)
    assert made == ["q1", "q2", "q3"], "no question is asked twice"
    assert "Stopped early" not in texts(page)
    assert page.button(key="start sweep").label == "Measured"
    assert set(table(page)["scored"]) == {"3 of 3"}


def test_a_failure_is_one_sentence_and_can_be_gone_on_with(
    base: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = visit({**base, "a": "keyword", "over": "top_k=1,2"})
    steps = Experiment.steps

    def fail(self: Experiment) -> Iterator[Any]:
        raise ModelError("The model is away. Come back later.")

    monkeypatch.setattr(Experiment, "steps", fail)
    start(page)
    assert [each.value for each in page.error] == ["The model is away\\. Come back later\\."]
    monkeypatch.setattr(Experiment, "steps", steps)
    assert page.button(key="start sweep").label == "Go on"
    start(page)
    assert not page.error
    assert page.subheader


def test_the_recommended_setting_is_used(tmp_path: Path, links: list[Any]) -> None:
    page = visit({**write_base(tmp_path / "more", questions=[*QUESTIONS, *MORE]), **WON})
    start(page)
    assert page.button(key="use recommended").label.replace("\\", "") == "Use min_score=0"
    assert [(each.a.min_score, each.b.min_score) for each in links[-1:]] == [(50, 0)]
    page.button(key="use recommended").click().run()
    assert page.query_params["a"] == "keyword"
    assert page.button(key="use recommended").disabled
    assert page.subheader, "the sweep that recommended it stays"


def test_nothing_is_recommended_where_too_few_questions_differ(tmp_path: Path) -> None:
    page = visit({**write_base(tmp_path / "few", questions=HELD), **WON})  # two questions outside the hold-out
    start(page)
    assert page.subheader[0].value.startswith("Too few questions differ to choose: no setting differs from min")
    assert "use recommended" not in keys(page)
    assert not any("recommended" in each for each in table(page)["marks"])
    assert "Too few questions differ to choose, so the hold-out stays closed" in texts(page)
    assert "final check now" not in keys(page)


def test_a_link_with_two_settings_in_two_places_takes_both(base: dict[str, str]) -> None:
    page = AppTest.from_function(sweep_page, default_timeout=120)
    for name, value in {**base, "a": "keyword"}.items():
        page.query_params[name] = value
    page.query_params["over"] = ["top_k=1,2", "chunk_size=200,400"]
    page.run()
    assert [page.text_input(key=f"sweep values {at}").value for at in (0, 1)] == ["1,2", "200,400"]
    page.text_input(key="sweep values 0").set_value("1,3").run()
    assert page.query_params["over"] == "top_k=1,3;chunk_size=200,400"


def test_a_final_check_opens_the_holdout_once_and_says_so_from_then_on(tmp_path: Path) -> None:
    page = visit({**write_base(tmp_path / "held", questions=[*HELD, *MORE]), **WON})
    assert "2 settings × 8 questions · 1 held-out question stays out" in texts(page)
    start(page)
    assert "final check now" in keys(page)
    assert "It can be done once." in texts(page)
    assert "was opened before" not in texts(page)
    page.button(key="final check now").click().run()
    assert not page.exception
    said = texts(page).replace("\u2060", "")
    assert "Final check on 1 held-out question: keyword against keyword:min_score=50, evidence recall +1.000" in said
    assert "final check now" not in keys(page)
    page.text_input(key="sweep values 0").set_value("0,1,50").run()
    start(page)
    assert "The hold-out was opened before, on " in texts(page), "a later sweep says that it was opened"


def test_the_holdout_stays_closed_where_the_start_is_kept(tmp_path: Path) -> None:
    page = visit({**write_base(tmp_path / "held", questions=HELD), "a": "keyword", "over": "top_k=1,5"})
    start(page)
    assert "final check now" not in keys(page)


def test_another_visit_sees_the_finished_sweep_at_once(base: dict[str, str]) -> None:
    parameters = {**base, "a": "keyword", "over": "top_k=1,2"}
    start(visit(parameters))
    page = visit(parameters)
    assert page.button(key="start sweep").label == "Measured"
    assert visit({**parameters, "over": "top_k=1,3"}).button(key="start sweep").label == "Start the sweep"


def test_settings_tried_since_raise_the_bar_for_luck(base: dict[str, str]) -> None:
    page = visit({**base, "a": "keyword", "over": "top_k=1,2"})
    start(page)
    assert "3 settings were tried on these questions." in texts(page)  # 1, 2 and the start's 5
    start(visit({**base, "a": "keyword", "over": "top_k=3,4"}))
    page.run()
    assert "5 settings were tried on these questions." in texts(page)


def test_questions_that_are_all_held_out_are_not_swept(tmp_path: Path) -> None:
    held = [{**each, "tags": {"split": "holdout"}} for each in QUESTIONS]
    page = visit({**write_base(tmp_path / "held", questions=held), "a": "keyword", "slice": "split=holdout"})
    assert "held-out questions (tag split=holdout) stay out, and there are no others here" in texts(page)
    assert "start sweep" not in keys(page)


def test_a_sweep_that_asks_an_endpoint_says_what_it_would_cost_first(
    base: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Stub(filled) as stub:
        monkeypatch.setenv("RAG_VARIANTS_ENDPOINTS__STUB__BASE_URL", stub.url)
        page = visit({**base, "a": "keyword", "over": "answerer=embedded,stub:small"})
        assert stub.requests == []
        forecast = next(each.value for each in page.markdown if "may cost money" in each.value)
        assert "Press **Start the sweep**." in forecast
        count = int(re.search(r"about (\d+) calls", forecast)[1])  # type: ignore[index]
        start(page)
        assert len(stub.requests) == count == 3  # questions, asked by one of the two settings
        assert not any("may cost money" in each.value for each in page.markdown)
