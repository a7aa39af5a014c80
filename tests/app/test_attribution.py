"""What moved it, on the page."""

from tests.app.conftest import OpenPage
from tests.app.test_compare_page import texts


def test_both_parts_are_taken_apart_at_a_press(base: dict[str, str], open_page: OpenPage) -> None:
    chosen = {**base, "metrics": "retrieval,key_facts", "a": "keyword:top_k=1", "b": "keyword:answerer=embedded:digest"}
    page = open_page(chosen)
    assert page.button(key="attribute").label.startswith("Take it apart (2 more runs")
    page.button(key="attribute").click().run()
    assert not page.exception
    assert page.button(key="attribute").disabled
    frame = next(table.value for table in page.table if "from other chunks" in table.value.columns)
    assert "Evidence recall" in set(frame["metric"])
    rows = frame.set_index("metric")
    assert rows.loc["Evidence recall", "from another way of answering"] == "0.00"


def test_where_one_part_differs_nothing_is_run_and_it_is_said(base: dict[str, str], open_page: OpenPage) -> None:
    page = open_page({**base, "a": "keyword", "b": "keyword:top_k=1"})
    assert "differ in how chunks are found alone" in texts(page)
    assert not any(each.key == "attribute" for each in page.button)


def test_a_variant_against_itself_has_nothing_to_take_apart(base: dict[str, str], open_page: OpenPage) -> None:
    page = open_page({**base, "a": "keyword", "b": "keyword"})
    assert not any(each.key == "attribute" for each in page.button)
    assert "What moved it" not in texts(page)
