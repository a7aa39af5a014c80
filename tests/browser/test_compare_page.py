"""The Compare page as a person meets it."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.app.conftest import write_base
from tests.app.test_hostile_text import COSTS, LINES, QUESTION, hostile_base
from tests.browser.conftest import visit


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return write_base(tmp_path_factory.mktemp("base") / "kb")


def settle(page: Page) -> None:
    """Waits until the page has been drawn anew; before, a list that is opened closes again."""
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")


def numbers(page: Page) -> list[list[str]]:
    """The table of numbers: metric, A, B of every row."""
    settle(page)
    table = page.get_by_role("table").filter(has_text="p (adjusted)")
    if not table.is_visible():
        page.get_by_text("The numbers, and what each metric means").click()
    expect(table).to_be_visible()
    found: list[list[str]] = table.evaluate(
        "table => [...table.tBodies[0].rows].map(row => [...row.cells].slice(0, 3).map(cell => cell.textContent))"
    )  # in one call, so that no redraw comes between two cells
    return found


def open_question(page: Page) -> Locator:
    """The title of the question that is open."""
    return page.locator(".st-key-large-question")


def test_the_first_visit_shows_a_result_without_a_click(page: Page, address: str) -> None:
    asked_elsewhere: list[str] = []
    page.on("request", lambda request: asked_elsewhere.append(request.url) if address not in request.url else None)
    visit(page, address, {"metrics": "retrieval"})
    expect(page.get_by_role("heading", name=re.compile("retrieval"))).to_be_visible()
    expect(page.get_by_text("76 questions, paired")).to_be_visible()
    expect(page.locator(".deltas").first).to_be_visible()
    assert [url for url in asked_elsewhere if url.startswith("http")] == []


def test_top_k_of_b_changes_b_alone(page: Page, address: str, base: dict[str, str]) -> None:
    visit(page, address, base)
    before = numbers(page)
    page.get_by_role("button", name="Settings").nth(1).click()
    slider = page.get_by_role("slider", name="top_k")
    slider.focus()
    slider.press("Home")
    page.wait_for_url(re.compile("top_k%3D1"))
    page.keyboard.press("Escape")
    expect(page.get_by_text("Settings changed: run to update")).to_be_visible()
    page.get_by_role("button", name="Run comparison").click()
    expect(page.get_by_text("Settings changed: run to update")).to_have_count(0)
    expect(page.get_by_text("B reads")).to_be_visible()
    after = numbers(page)
    assert [row[:2] for row in after] == [row[:2] for row in before]
    assert [row[2] for row in after] != [row[2] for row in before]


def test_filters_and_questions_by_mouse(page: Page, address: str, base: dict[str, str]) -> None:
    visit(page, address, base)
    page.get_by_role("radio", name=re.compile("^All 3")).or_(page.get_by_role("button", name="All 3")).click()
    page.wait_for_url(re.compile("show=all"))
    expect(open_question(page)).to_contain_text("q1")
    table = page.get_by_test_id("stDataFrame").first
    table.click(position={"x": 18, "y": 35 + 35 + 17})  # the box of the second row
    page.wait_for_url(re.compile("[?&]q=q"))
    expect(open_question(page)).not_to_contain_text("q1")


def test_filters_and_questions_by_keyboard(page: Page, address: str, base: dict[str, str]) -> None:
    visit(page, address, base)
    page.get_by_test_id("stButtonGroup").get_by_role("radio", name=re.compile("^All ")).focus()
    page.keyboard.press("Space")
    page.wait_for_url(re.compile("show=all"))
    settle(page)
    box = page.get_by_role("combobox", name=re.compile("Open a question"))
    box.focus()
    box.press("ArrowDown")
    options = page.get_by_role("option")
    expect(options).to_have_count(3)
    page.keyboard.type("q3")
    expect(options).to_have_count(1)
    page.keyboard.press("ArrowDown")
    expect(page.locator("[role=option][data-focused]")).to_contain_text("q3")
    page.keyboard.press("Enter")
    expect(open_question(page)).to_contain_text("When may guests come by?")
    assert "q=q3" in page.url


def test_a_copied_url_reproduces_the_screen(page: Page, address: str, base: dict[str, str]) -> None:
    chosen = {**base, "a": "keyword:top_k=2", "b": "vector", "metric": "mrr", "show": "all", "q": "q2"}
    visit(page, address, chosen)
    heading = page.get_by_role("heading").first.inner_text()
    expect(open_question(page)).to_contain_text("What does ERR-4031 mean?")
    with page.context.browser.new_context() as other:  # type: ignore[union-attr]
        copy = other.new_page()
        copy.goto(page.url)
        expect(copy.get_by_role("heading").first).to_have_text(heading, timeout=60_000)
        expect(open_question(copy)).to_contain_text("What does ERR-4031 mean?")
        expect(copy.locator('input[aria-label="Metric"]').first).to_have_value("Reciprocal rank (MRR)")


def test_going_back_shows_what_was_there(page: Page, address: str, base: dict[str, str]) -> None:
    visit(page, address, {**base, "show": "all", "q": "q2"})
    expect(open_question(page)).to_contain_text("q2")
    page.get_by_role("button", name="Swap A and B").or_(page.locator(".st-key-swap button")).first.click()
    page.wait_for_url(re.compile("a=hybrid"))
    page.go_back()
    expect(page).not_to_have_url(re.compile("a=hybrid"))
    expect(page.get_by_text("Settings changed: run to update")).to_have_count(0)
    expect(open_question(page)).to_contain_text("q2")


def test_between_pages_the_selection_stays(page: Page, address: str, base: dict[str, str]) -> None:
    visit(page, address, {**base, "b": "hybrid:top_k=2", "show": "all", "q": "q2"})
    page.get_by_role("link", name="Knowledge").click()
    expect(page).to_have_url(re.compile("knowledge.*top_k%3D2|knowledge.*top_k=2"))
    page.go_back()
    expect(open_question(page)).to_contain_text("q2")
    page.go_forward()
    expect(page).to_have_url(re.compile("knowledge"))
    page.get_by_role("link", name="Compare").click()
    expect(page.get_by_text("top_k 2 ·")).to_be_visible()
    expect(open_question(page)).to_contain_text("q2")
    expect(page.get_by_text("Settings changed: run to update")).to_have_count(0)


def test_hostile_text_shows_as_typed(page: Page, address: str, tmp_path: Path) -> None:
    visit(page, address, hostile_base(tmp_path / "hostile"))
    expect(open_question(page)).to_contain_text(QUESTION)
    chunk = page.locator("[class*='st-key-chunk-a-1']")
    for line in (COSTS, *LINES):
        expect(chunk).to_contain_text(line)
    expect(page).to_have_title("Compare · RAG Variants")
    assert page.locator("[data-testid=stMain] img").count() == 0
    assert page.locator(".katex").count() == 0


def test_a_bad_folder_is_one_box(page: Page, address: str, base: dict[str, str]) -> None:
    visit(page, address, base)
    page.get_by_role("button", name="Documents:").click()
    page.get_by_role("textbox", name="Folder of documents").fill("/no/such/folder")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("stAlert")).to_have_count(1)
    expect(page.get_by_test_id("stAlert")).to_contain_text("There is no folder /no/such/folder")
    expect(page.get_by_test_id("stException")).to_have_count(0)


@pytest.mark.parametrize("width", [1280, 1920])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_the_window(
    page: Page, address: str, base: dict[str, str], width: int, scheme: str
) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    visit(page, address, base)
    wide = page.evaluate("(() => { const m = document.querySelector('[data-testid=stMain]'); "
                         "return m.scrollWidth - m.clientWidth; })()")  # fmt: skip
    assert wide <= 0
