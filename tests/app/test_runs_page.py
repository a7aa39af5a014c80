"""The Runs page: every finished comparison leaves its two runs there."""

import pytest
from streamlit.testing.v1 import AppTest

from rag_variants.settings import Settings
from rag_variants.storage.saved_runs import open_saved_runs
from tests.app.conftest import OpenPage, visit
from tests.app.test_compare_page import texts


@pytest.fixture
def three(open_page: OpenPage, base: dict[str, str]) -> list[str]:
    """The ids of three kept runs: keyword, hybrid, keyword:top_k=1."""
    open_page(base)
    open_page({**base, "b": "keyword:top_k=1"})
    notes, problems = open_saved_runs(Settings()).notes()
    assert problems == ()
    ids = {note.variant: note.id for note in notes}
    assert set(ids) == {"keyword", "hybrid", "keyword:top_k=1"}, "the same run again is no fourth one"
    return [ids["keyword"], ids["hybrid"], ids["keyword:top_k=1"]]


def open_runs(*ids: str) -> AppTest:
    """The page with these runs chosen."""
    return visit({"runs": ",".join(ids)} if ids else {}, "pages/runs.py")


def test_before_the_first_run_it_says_where_runs_come_from() -> None:
    assert "No run is kept yet" in texts(open_runs())


def test_the_newest_stand_first_with_their_headline_means(three: list[str]) -> None:
    page = open_runs()
    frame = page.dataframe[0].value
    assert len(frame) == 3
    assert list(frame["made"]) == sorted(frame["made"], reverse=True)
    assert set(frame["questions"]) == {"3 of questions.jsonl"}
    assert all("(n 3)" in mean for mean in frame["Evidence recall"])
    assert set(frame["Faithfulness"]) == {"–"}, "it was not measured"
    assert "Choose one run" in texts(page)


def test_one_run_is_named_marked_and_deleted(three: list[str]) -> None:
    page = open_runs(three[0])
    assert "3 of 3" in set(page.table[0].value["scored"])
    page.text_input(key=f"name {three[0]}").set_value("before").run()
    assert open_saved_runs(Settings()).find("before").id == three[0]
    next(each for each in page.button if "baseline" in each.label).click().run()
    assert open_saved_runs(Settings()).find("baseline").id == three[0]
    assert "before ⚑ baseline" in set(page.dataframe[0].value["name"])
    page.button(key=f"delete {three[0]}").click().run()
    assert not page.exception
    assert {note.id for note in open_saved_runs(Settings()).notes()[0]} == set(three[1:])
    assert "runs" not in page.query_params


def test_a_name_in_use_is_told_and_changes_nothing(three: list[str]) -> None:
    open_saved_runs(Settings()).rename(three[1], "mine")
    page = open_runs(three[0])
    page.text_input(key=f"name {three[0]}").set_value("mine").run()
    assert "in use" in page.error[0].value
    assert open_saved_runs(Settings()).find("mine").id == three[1]


def test_two_runs_are_compared_in_the_views_of_compare(three: list[str]) -> None:
    page = open_runs(three[0], three[2])
    assert "1 setting differs" in texts(page)
    assert "3 questions, paired" in texts(page)
    next(each for each in page.button if each.label == "Swap").click().run()
    assert page.query_params["runs"] in (f"{three[2]},{three[0]}", [f"{three[2]},{three[0]}"])
    assert not page.exception


def test_a_difference_is_named_before_any_number(three: list[str], open_page: OpenPage, base: dict[str, str]) -> None:
    open_page({**base, "slice": "kind=lookup"})
    other = next(note for note in open_saved_runs(Settings()).notes()[0] if note.answered == 1)
    page = open_runs(three[0], other.id)
    shown = [str(each.value).replace("\\", "") for each in page.main if each.type in ("markdown", "subheader")]
    named = next(at for at, each in enumerate(shown) if "Different questions: 1 in both; 2 in A alone" in each)
    numbers = [
        at for at, each in enumerate(shown) if "B" in each and "0." in each and "\n- **" not in each
    ]  # no glossary
    assert named < numbers[0]


def test_several_runs_stand_in_a_row(three: list[str]) -> None:
    page = open_runs(*three)
    assert "In a row" in texts(page)
    listed = next(text.value for text in page.text if str(text.value).startswith("1. "))
    variants = [line.split(" ")[1] for line in str(listed).splitlines()]
    assert sorted(variants) == ["hybrid", "keyword", "keyword:top_k=1"]
    next(each for each in page.button if "first with the last" in each.label).click().run()
    assert not page.exception
    assert "questions, paired" in texts(page)


def test_a_run_that_is_gone_and_one_that_is_broken_are_told(three: list[str]) -> None:
    assert "Not kept any more: 0000" in texts(open_runs("0000"))
    file = open_saved_runs(Settings()).folder / f"{three[0]}.json.gz"
    file.write_bytes(b"\x1f\x8bnonsense")
    assert "is broken" in open_runs(three[0], three[1]).error[0].value
    assert "ids of kept runs" in texts(open_runs("../x"))


def test_more_runs_in_an_address_than_fit_are_told(monkeypatch: pytest.MonkeyPatch, three: list[str]) -> None:
    monkeypatch.setattr("rag_variants.ui.runs.MOST", 2)
    page = open_runs(*three)
    assert "the first 2 of 3 are shown" in texts(page)
