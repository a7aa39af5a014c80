"""The Question page: its own address, the order of the table, chunk flow, answers, and verdicts that can be flipped."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from rag_variants.evaluation.run import Experiment
from rag_variants.types import Question
from rag_variants.ui.url import read_selection
from rag_variants.ui.views.question import selection_of
from tests.app.conftest import OpenPage, visit
from tests.app.test_compare_page import texts
from tests.app.test_hostile_text import COSTS, LINES, QUESTION, hostile_base

Open = Callable[[dict[str, str]], AppTest]
JUDGED = "retrieval,faithfulness,context_precision,context_recall,answer_relevancy,key_facts"


@pytest.fixture
def open_question() -> Open:
    """Opens the page at URL parameters and runs it until the question is there."""

    def open_at(parameters: dict[str, str]) -> AppTest:
        return visit(parameters, "pages/question.py")

    return open_at


@pytest.fixture
def judged(base: dict[str, str]) -> dict[str, str]:
    """A pair over the test's own documents, with metrics of the judge: B hands over one chunk."""
    return {**base, "metrics": JUDGED, "a": "keyword", "b": "keyword:top_k=1", "show": "all"}


def boxes(page: AppTest, side: str) -> list[Any]:
    return [box for box in page.checkbox if str(box.key).startswith("verdict") and f" {side} " in str(box.key)]


def test_a_fresh_link_runs_its_comparison_and_opens_its_question(open_question: Open, base: dict[str, str]) -> None:
    page = open_question({**base, "a": "keyword", "b": "hybrid", "q": "q2"})
    words = texts(page)
    assert "q2 · What does ERR-4031 mean?" in words
    assert "B: the gold chunk is at rank 1 and was handed to the answer." in words
    assert page.query_params["q"] == "q2"


def test_a_comparison_at_hand_is_not_run_again(
    open_question: Open, open_page: OpenPage, base: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    open_page(base)
    monkeypatch.setattr(Experiment, "steps", lambda self: 1 / 0)
    assert "Chunk flow" in texts(open_question(base))


def test_questions_before_and_after_follow_the_order_of_the_table(open_question: Open, judged: dict[str, str]) -> None:
    page = open_question({**judged, "metric": "mrr", "q": "q1"})
    order = list(page.selectbox(key="question").options)
    assert len(order) == 3
    seen = [page.query_params.get("q")]
    while not page.button(key="question after").disabled:
        page.button(key="question after").click().run()
        seen.append(page.query_params.get("q"))
    shown = [option.split(" · ")[1] for option in order]
    assert seen == shown[shown.index("q1") :]
    assert page.query_params["metric"] == "mrr", "the rest of the selection stays"
    page.button(key="question before").click().run()
    assert page.query_params["q"] == shown[-2]


def test_another_metric_keeps_the_question(open_question: Open, judged: dict[str, str]) -> None:
    page = open_question({**judged, "q": "q2"})
    page.selectbox(key="metric").set_value("ndcg").run()
    assert (page.query_params["metric"], page.query_params["q"]) == ("ndcg", "q2")
    assert "nDCG, worked out" in texts(page)


def test_a_question_that_is_not_in_the_run_is_named(open_question: Open, base: dict[str, str]) -> None:
    page = open_question({**base, "q": "q9"})
    assert "q9 is not among the questions of this run" in texts(page)
    assert "Chunk flow" in texts(page)


def test_a_flipped_verdict_moves_score_and_delta_and_is_kept_as_a_label(
    open_question: Open, judged: dict[str, str]
) -> None:
    page = open_question({**judged, "metric": "faithfulness", "q": "q1"})
    own = texts(page)
    assert "1 / 1 = 1.00" in own, "A's answer makes one claim, and it is supported"
    assert "apart from the judge's, on this computer: none so far" in own
    boxes(page, "a")[0].uncheck().run()
    flipped = texts(page)
    assert "with your labels] **0 / 1 = 0.00**" in flipped
    assert "1 / 1 = 1.00" in flipped, "the judge's own score stays"
    assert "with your labels" in next(line for line in flipped.splitlines() if line.startswith("Whole run"))
    assert "1 so far, the judge agrees with 0" in flipped
    assert "your label · the judge says yes" in flipped
    page.button(key="remove labels").click().run()
    assert "with your labels" not in texts(page)


def test_labels_stay_while_one_goes_on(open_question: Open, judged: dict[str, str]) -> None:
    page = open_question({**judged, "metric": "faithfulness", "q": "q1"})
    boxes(page, "a")[0].uncheck().run()
    page.selectbox(key="question").set_value("q2").run()
    assert "1 so far, the judge agrees with 0" in texts(page)
    page.selectbox(key="question").set_value("q1").run()
    assert not boxes(page, "a")[0].value


def test_the_judge_can_be_confirmed(open_question: Open, judged: dict[str, str]) -> None:
    page = open_question({**judged, "metric": "faithfulness", "q": "q1"})
    page.button(key="confirm verdicts").click().run()
    words = texts(page)
    assert "your label · the judge agrees" in words
    assert "with your labels" not in words


@pytest.mark.parametrize("metric", ["context_precision", "context_recall", "answer_relevancy"])
def test_every_metric_of_the_judge_has_verdicts_to_flip(
    open_question: Open, judged: dict[str, str], metric: str
) -> None:
    page = open_question({**judged, "metric": metric, "q": "q1"})
    box = boxes(page, "b")[0]
    box.set_value(not box.value).run()
    assert "with your labels" in texts(page)
    assert not page.exception


def test_answers_can_be_held_against_the_reference(open_question: Open, judged: dict[str, str]) -> None:
    page = open_question({**judged, "q": "q1"})
    assert "Key fact “14 days”" in texts(page)
    page.session_state["answers against"] = "the reference"
    page.run()
    assert "Reference, with what A does not say marked" in texts(page)
    assert not page.exception


def test_a_pair_of_an_endpoint_is_offered_and_not_run(open_question: Open, base: dict[str, str]) -> None:
    page = open_question({**base, "a": "keyword:answerer=openai:some-model", "b": "keyword"})
    assert "may cost money" in texts(page)
    assert page.button(key="run")
    assert "Chunk flow" not in texts(page)


def test_documents_that_cannot_be_read_are_one_sentence(open_question: Open) -> None:
    error = open_question({"kb": "/no/such", "metrics": "retrieval"}).error
    assert [each.value.replace("\\", "").startswith("There is no folder /no/such.") for each in error] == [True]


def test_hostile_text_is_shown_as_typed(open_question: Open, tmp_path: Path) -> None:
    page = open_question(
        {**hostile_base(tmp_path / "hostile"), "metrics": "retrieval,key_facts", "a": "keyword", "b": "keyword"}
    )
    shown = [each.value for each in page.text]
    assert any(QUESTION in each for each in shown)
    assert any(COSTS in each for each in shown)
    assert not any(each.proto.allow_html for each in page.markdown)
    marked = "\n".join(each.value for each in (*page.markdown, *page.caption, *page.subheader))
    assert "onerror" not in marked and "$5" not in marked
    html = "\n".join(each.proto.body for each in page.get("html"))
    assert "words-a" in html, "the answers are there"
    assert not any(line in html for line in LINES if "<" in line)


def test_compare_links_to_the_page_of_the_open_question(open_page: OpenPage, base: dict[str, str]) -> None:
    page = open_page({**base, "q": "q2"})
    links = [each.proto for each in page.get("page_link")]
    link = next(each for each in links if "on its own page" in each.label)
    assert link.page == "question"
    assert "q=q2" in link.query_string and "b=hybrid" in link.query_string


def test_a_lessons_question_opens_with_the_lessons_pair() -> None:
    selection, _ = read_selection({"a": "keyword", "b": "hybrid", "lesson": "one", "room": "presentation"})
    pair, _ = read_selection({"a": "keyword:top_k=1", "b": "keyword:top_k=2"})

    class Made:
        class a:
            variant, slice = pair.a, "kind=stale"

        class b:
            variant = pair.b

    chosen = selection_of(Made, selection, Question("q7", "?"))  # type: ignore[arg-type]
    assert (chosen.a, chosen.b, chosen.slice, chosen.question) == (pair.a, pair.b, "kind=stale", "q7")
    assert chosen.room == "lessons"


def test_a_run_that_failed_is_offered_again_and_not_repeated(
    open_question: Open, base: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = Experiment.steps
    monkeypatch.setattr(Experiment, "steps", lambda self: 1 / 0)
    page = open_question({**base, "a": "keyword", "b": "keyword:top_k=1"})
    assert "ZeroDivisionError" in page.error[0].value
    monkeypatch.setattr(Experiment, "steps", steps)
    page.run()
    assert "Chunk flow" not in texts(page)
    page.button(key="run").click().run()
    assert "Chunk flow" in texts(page)
    assert not page.error
