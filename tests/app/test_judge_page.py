"""The Judge page: labels given with the judge's word hidden, kept, taken back, taken along; other judges."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from rag_variants.evaluation.judging.label_queue import offer_verdicts
from rag_variants.questions.label_lines import labels_jsonl
from rag_variants.questions.labels import read_labels
from rag_variants.questions.own_labels import OwnLabels
from tests.app.conftest import OpenPage, visit
from tests.app.test_compare_page import texts

Open = Callable[[dict[str, str]], AppTest]
JUDGED = "retrieval,faithfulness,context_precision,context_recall"


@pytest.fixture
def open_judge() -> Open:
    """Opens the page at URL parameters and runs it until the judge is there."""

    def open_at(parameters: dict[str, str]) -> AppTest:
        return visit(parameters, "pages/judge.py")

    return open_at


@pytest.fixture
def judged(base: dict[str, str]) -> dict[str, str]:
    return {**base, "metrics": JUDGED, "a": "keyword", "b": "keyword:top_k=1"}


@pytest.fixture
def labels_file(tmp_path: Path) -> Callable[[], Path]:
    return lambda: next((tmp_path / "home" / "labels").glob("*.jsonl"))


def press(page: AppTest, key: str) -> AppTest:
    page.button(key=key).click().run()
    assert not page.exception
    return page


def statement(page: AppTest) -> str:
    return next(str(each.value) for each in page.text if "·" in str(each.value))


def test_the_judges_word_is_hidden_until_a_label_is_given(open_judge: Open, judged: dict[str, str]) -> None:
    page = open_judge(judged)
    comparison = page.session_state["workplaces"]["compare"].shown.result
    words = {each.value for each in page.text}
    (shown,) = (
        each for each in offer_verdicts(comparison, "faithfulness") if {each.case.statement, each.case.context} <= words
    )
    assert shown.reason
    assert shown.reason not in texts(page)
    page = press(page, "label yes")
    assert f"Your last label: **yes** · the judge **{'agrees' if shown.verdict.judged else 'says no'}" in texts(page)
    assert shown.reason in texts(page)


def test_labels_are_counted_kept_and_taken_back(
    open_judge: Open, judged: dict[str, str], labels_file: Callable[[], Path]
) -> None:
    page = open_judge(judged)
    first = page.button(key="label yes")
    assert not first.disabled
    assert page.button(key="label undo").disabled
    press(page, "label yes")
    press(page, "label no")
    assert [label.supported for label in read_labels(labels_file()).labels] == [True, False]
    assert {label.metric for label in read_labels(labels_file()).labels} == {"faithfulness"}
    press(page, "label undo")
    assert [label.supported for label in read_labels(labels_file()).labels] == [True]
    assert "labels given here" in texts(open_judge(judged)), "another visit finds them"


def test_a_skipped_one_comes_back_at_the_end(open_judge: Open, judged: dict[str, str]) -> None:
    page = open_judge(judged)
    seen = [statement(page)]
    press(page, "label skip")
    while "All of these are labelled" not in texts(page):
        seen.append(statement(page))
        press(page, "label yes")
    assert seen[0] == seen[-1]
    assert page.button(key="label yes").disabled


def test_the_compare_page_names_the_labels_given(open_judge: Open, open_page: OpenPage, judged: dict[str, str]) -> None:
    press(open_judge(judged), "label yes")
    assert "of 1 labels given here" in texts(open_page(judged))


def test_gold_marks_and_other_judges_stand_beside_the_judge(open_judge: Open, judged: dict[str, str]) -> None:
    page = open_judge(judged)
    assert "embedded and the gold marks say the same of" in texts(page)
    page = press(page, "judge again")
    page.run()
    sources = {
        source for frame in page.dataframe if "verdicts by" in frame.value for source in frame.value["verdicts by"]
    }
    assert {"embedded", "gold marks", "overlap"} <= sources


def test_a_comparison_without_a_judge_says_so(open_judge: Open, base: dict[str, str]) -> None:
    assert "No metric of this comparison asks a judge" in texts(open_judge(base))


def test_a_broken_label_file_is_named_and_nothing_is_lost(
    open_judge: Open, judged: dict[str, str], labels_file: Callable[[], Path]
) -> None:
    press(open_judge(judged), "label yes")
    path = labels_file()
    path.write_text(path.read_text(encoding="utf-8") + '{"statement": "cut', encoding="utf-8")
    page = open_judge(judged)
    assert "Of the labels kept here 1 cannot be used" in texts(page)
    press(page, "label no")
    assert len(read_labels(path).labels) == 2
    assert path.with_suffix(".jsonl.broken").exists()


def test_hostile_labels_are_shown_as_typed(
    open_judge: Open, judged: dict[str, str], labels_file: Callable[[], Path]
) -> None:
    press(open_judge(judged), "label yes")
    (label,) = read_labels(labels_file()).labels
    wild: Any = label.__class__("x", label.context, "<script>alert(1)</script> **bold** $x$", True)
    labels_file().write_text(labels_jsonl(OwnLabels().add([label, wild]).labels), encoding="utf-8")
    page = open_judge(judged)
    assert not [each for each in page.markdown if "<script>" in str(each.value)]
    assert "1 label on other texts or runs" in texts(page)
