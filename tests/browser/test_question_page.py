"""The Question page as a person meets it: from the table, with a flipped verdict, and back."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.app.conftest import write_base
from tests.app.test_hostile_text import COSTS, QUESTION, hostile_base
from tests.browser.conftest import visit
from tests.browser.test_compare_page import settle

PAIR = {"a": "keyword", "b": "keyword:top_k=1", "show": "all"}


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return {**write_base(tmp_path_factory.mktemp("base") / "kb"), **PAIR, "metrics": "retrieval,faithfulness"}


def test_from_the_table_to_a_question_with_its_own_address_and_back(
    page: Page, address: str, base: dict[str, str]
) -> None:
    visit(page, address, {**base, "metric": "faithfulness", "q": "q2"})
    settle(page)
    page.get_by_role("link", name="Open q2 on its own page").first.click()
    page.wait_for_url(re.compile("/question.*q=q2"))
    settle(page)
    expect(page.get_by_test_id("stVegaLiteChart").first).to_be_visible()
    expect(page.locator(".st-key-large-question")).to_contain_text("What does ERR-4031 mean?")
    page.get_by_text("1 · supported by the chunks").first.click()
    expect(page.get_by_text("with your labels", exact=False).first).to_be_visible()
    expect(page.get_by_text("1 so far, the judge agrees with 0", exact=False)).to_be_visible()
    page.get_by_role("button", name="q3").click()
    page.wait_for_url(re.compile("q=q3"))
    expect(page.locator(".st-key-large-question")).to_contain_text("When may guests come by?")
    settle(page)
    page.get_by_role("link", name="All questions").click()
    page.wait_for_url(re.compile(r"/\?.*q=q3"))
    assert "metric=faithfulness" in page.url and "top_k%3D1" in page.url


def test_a_copied_link_opens_the_question_and_nothing_runs_over_the_edge(
    page: Page, address: str, base: dict[str, str]
) -> None:
    page.goto(f"{address}/question?" + "&".join(f"{name}={value}" for name, value in {**base, "q": "q1"}.items()))
    expect(page.get_by_text("was handed to the answer", exact=False).first).to_be_visible()
    settle(page)
    places = "[data-testid=stMain], .block-container"
    wider = page.evaluate(f"[...document.querySelectorAll('{places}')].map(e => e.scrollWidth - e.clientWidth)")
    assert max(wider) <= 1


def test_foreign_text_runs_no_script(page: Page, address: str, tmp_path: Path) -> None:
    parameters = {
        **hostile_base(tmp_path / "hostile"),
        "metrics": "retrieval,key_facts",
        "a": "keyword",
        "b": "keyword",
    }
    page.goto(f"{address}/question?" + "&".join(f"{name}={value}" for name, value in parameters.items()))
    expect(page.get_by_text(QUESTION, exact=False).first).to_be_visible()
    expect(page.get_by_text(COSTS, exact=False).first).to_be_visible()
    settle(page)
    assert page.locator("img[src='x']").count() == 0
    assert "pwned" not in page.title()
