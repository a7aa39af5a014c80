"""Where it lives: parts made only when they are open, filters that move no number, and what each part says."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from rag_variants.report import slice_chart
from tests.app.conftest import APP, QUESTIONS, OpenPage, write_base
from tests.app.test_compare_page import numbers, texts

PARTS = ("tags", "spread", "critical", "signals")


@pytest.fixture
def tagged(tmp_path: Any) -> dict[str, str]:
    """The small base with one critical question, whose chunk B (top_k 1 of another tokenizer) may lose."""
    questions = [{**each, "tags": {**each["tags"], "risk": "high" if each["id"] == "q3" else "normal"}}
                 for each in QUESTIONS]  # fmt: skip
    return {**write_base(tmp_path / "tagged", questions=questions), "a": "vector", "b": "keyword"}


def charts(page: AppTest) -> int:
    """How many charts the page draws."""
    return len(page.get("vega_lite_chart"))


def ids(page: AppTest) -> set[str]:
    """The questions that can be opened."""
    return {each.split(" ")[0] for each in page.selectbox(key="question").options}


@pytest.mark.parametrize("part", PARTS)
def test_every_part_opens_from_its_address(open_page: OpenPage, tagged: dict[str, str], part: str) -> None:
    page = open_page({**tagged, "by": part, "show": "all"})
    assert "**Where it lives**" in texts(page)
    assert page.segmented_control(key="breakdown").value == part
    assert charts(page) == {"tags": 1, "spread": 2, "critical": 0, "signals": 0}[part]


def test_charts_are_made_for_the_open_part_alone(
    open_page: OpenPage, tagged: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []
    fills = slice_chart._fills

    def counted(*arguments: Any) -> Any:
        made.append(1)
        return fills(*arguments)

    monkeypatch.setattr(slice_chart, "_fills", counted)
    page = open_page({**tagged, "by": "signals"})
    page.segmented_control(key="breakdown").set_value("spread").run()
    assert made == []
    page.segmented_control(key="breakdown").set_value("tags").run()
    assert len(made) == 1
    assert "by" not in page.query_params, "the first part is the default"


def test_no_filter_or_part_moves_a_number(open_page: OpenPage, tagged: dict[str, str]) -> None:
    page = open_page({**tagged, "show": "all"})
    before, sentence = numbers(page), page.subheader[0].value
    for part in PARTS[1:]:
        page.segmented_control(key="breakdown").set_value(part).run()
        assert numbers(page).equals(before)
    page.selectbox(key="signal").select("both_low").run()
    assert page.query_params["signal"] == "both_low"
    assert numbers(page).equals(before)
    page.selectbox(key="tag").select("kind=paraphrase").run()
    assert numbers(page).equals(before)
    page.segmented_control(key="breakdown").set_value("critical").run()
    page.selectbox(key="critical").select("kind=lookup").run()
    assert page.query_params["critical"] == "kind=lookup"
    assert numbers(page).equals(before)
    assert page.subheader[0].value == sentence
    assert not page.exception


def test_a_signal_filters_the_questions_and_lets_go(open_page: OpenPage, tagged: dict[str, str]) -> None:
    page = open_page({**tagged, "by": "signals", "show": "all"})
    everyone = ids(page)
    assert everyone == {"q1", "q2", "q3"}
    options = page.selectbox(key="signal").options
    assert any(option.startswith("Search misses: 1") for option in options), options
    page.selectbox(key="signal").select("both_low").run()
    assert ids(page) == {"q3"}
    assert ":material/flag: **Search misses**, on A or B: 1" in texts(page)
    page.button(key="signal off").click().run()
    assert ids(page) == everyone
    assert "signal" not in page.query_params


def test_a_question_says_what_its_scores_point_at(open_page: OpenPage, tagged: dict[str, str]) -> None:
    shown = texts(open_page({**tagged, "q": "q3"})).replace("\\", "")
    assert "**Search misses**: evidence recall 0.00 (at least" not in shown
    assert "**Search misses**: evidence recall 0.00 (below 0.8), reciprocal rank 0.00 (below 0.5)" in shown
    assert "another variant or encoder" in shown
    assert "faithfulness not scored: the run did not measure it" in shown


def test_critical_questions_are_named(open_page: OpenPage, tagged: dict[str, str]) -> None:
    page = open_page({**tagged, "by": "critical"})
    assert "1 critical question (risk=high): 1 is worse on B: q3." in texts(page).replace("\\", "")
    frame = next(each.value for each in page.dataframe if "Evidence recall" in each.value.columns)
    assert list(frame["Evidence recall"]) == ["1.00 → 0.00  −1.00 ▼"]


def test_without_critical_questions_it_says_so(open_page: OpenPage, base: dict[str, str]) -> None:
    assert "No question carries risk=high" in texts(open_page({**base, "by": "critical"}))


def test_questions_without_tags_have_no_parts(open_page: OpenPage, tmp_path: Any) -> None:
    bare = [{name: value for name, value in each.items() if name != "tags"} for each in QUESTIONS]
    page = open_page(write_base(tmp_path / "bare", questions=bare))
    assert "No tag tells these questions apart" in texts(page)


def test_a_chosen_tag_and_metric_are_said_in_words(open_page: OpenPage, tagged: dict[str, str]) -> None:
    page = open_page({**tagged, "tag": "risk=high", "metric": "mrr", "show": "all"})
    shown = texts(page).replace("\\", "")
    assert "risk=high · Reciprocal rank: −1.00 over 1 question (0 ▲ 0 = 1 ▼)" in shown
    assert "Fewer than 5 questions" in shown


def test_a_link_with_a_bad_choice_shows_the_default(open_page: OpenPage, tagged: dict[str, str]) -> None:
    page = open_page({**tagged, "by": "nonsense", "critical": "risk", "signal": "nothing"})
    shown = texts(page)
    assert shown.count("cannot be used") == 3
    assert page.segmented_control(key="breakdown").value == "tags"


HOSTILE = "<b onerror=x>$x$_y_ [z](http://z)"


@pytest.mark.parametrize("part", PARTS)
def test_tags_and_ids_are_shown_as_typed(open_page: OpenPage, tmp_path: Any, part: str) -> None:
    questions = [{**each, "id": f"{each['id']}{HOSTILE}", "tags": {"kind": HOSTILE if at else "x", "risk": "high"}}
                 for at, each in enumerate(QUESTIONS)]  # fmt: skip
    base = write_base(tmp_path / "hostile", questions=questions)
    tag = f"kind={HOSTILE}"
    page = open_page({**base, "a": "vector", "b": "keyword", "by": part, "tag": tag, "show": "all"})
    assert not page.exception
    cells = [str(cell) for table in page.table for cell in table.value.to_numpy().ravel()]
    for text in [each.value for each in (*page.markdown, *page.caption)] + cells:
        assert HOSTILE not in text
        assert "$x$" not in text
        assert "](http" not in text
    assert not any(each.proto.allow_html for each in page.markdown)


def test_the_question_page_keeps_the_order_that_a_signal_leaves(tagged: dict[str, str]) -> None:
    page = AppTest.from_file(str(APP), default_timeout=120)
    page.switch_page("pages/question.py")
    for name, value in {**tagged, "signal": "both_low", "show": "all"}.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception
    assert [option.split(" · ")[1] for option in page.selectbox(key="question").options] == ["q3"]
    assert "**Search misses**" in texts(page)
