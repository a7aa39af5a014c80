"""The Tune page in a browser: sliders by keyboard, and ten visits at once that do not see each other."""

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.app.conftest import write_base

VISITS = 10
# Each document answers one question, and says its words once more than the one before: what stands where depends on
# top_k alone, and how much text is read says which top_k it was.
DOCUMENTS = {
    f"part{n}.md": f"# Part {n}\n\nThe valve of pump {n} opens at {n} bar. {'Valve. ' * n}" for n in range(1, 13)
}
QUESTIONS = [
    {
        "id": f"q{n}", "user_input": f"At what pressure does the valve of pump {n} open?", "answerable": True,
        "evidence": [{"document": f"part{n}.md", "quote": f"The valve of pump {n} opens at {n} bar."}],
    }
    for n in range(1, 13)
]  # fmt: skip


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return write_base(tmp_path_factory.mktemp("tuned") / "kb", DOCUMENTS, QUESTIONS)


def open_tune(page: Page, address: str, parameters: dict[str, str]) -> None:
    page.goto(f"{address}/tune?{urlencode(parameters)}")
    expect(tile(page, "Text read")).to_be_visible(timeout=60_000)


def tile(page: Page, label: str) -> Locator:
    return page.locator(".tile").filter(has_text=re.compile(f"^{label}"))


def value(page: Page, label: str) -> str:
    return tile(page, label).locator(".tile-value").inner_text()


def slider(page: Page, name: str) -> Locator:
    return page.get_by_role("slider", name=name, exact=False)


def test_a_slider_moves_every_number_by_keyboard(page: Page, address: str, base: dict[str, str]) -> None:
    open_tune(page, address, base | {"a": "vector", "b": "keyword", "judged": "off"})
    expect(page.get_by_role("heading", level=3)).to_contain_text("the pinned setting")
    before = value(page, "Text read")
    slider(page, "top_k").press("ArrowLeft")
    page.wait_for_url(re.compile("tune=keyword%3Atop_k%3D4"))
    expect(tile(page, "Text read").locator(".tile-value")).not_to_have_text(before)
    expect(tile(page, "Text read")).to_contain_text("less")
    page.get_by_role("button", name="Undo").click()
    expect(tile(page, "Text read").locator(".tile-value")).to_have_text(before)


def test_ten_visits_at_once_see_their_own_numbers(browser: Browser, address: str, base: dict[str, str]) -> None:
    """Each of ten visits has a pin of its own and moves top_k to 1, 2 or 3, all before any of them is looked at."""
    parameters = base | {"a": "vector", "b": "keyword:candidates=101", "judged": "off"}
    contexts = [browser.new_context(viewport={"width": 1280, "height": 720}) for _ in range(VISITS)]
    try:
        pages = [context.new_page() for context in contexts]
        for at, page in enumerate(pages):
            page.set_default_timeout(60_000)
            page.goto(
                f"{address}/tune?{urlencode(parameters | {'pin': f'keyword:candidates=101,top_k={at + 11}'})}",
                wait_until="commit",
            )
        for page in pages:
            expect(tile(page, "Text read")).to_be_visible(timeout=60_000)
        for at, page in enumerate(pages):
            slider(page, "top_k").press("Home")
            for _ in range(at % 3):
                slider(page, "top_k").press("ArrowRight")
        seen = {}
        for at, page in enumerate(pages):
            wanted = 1 + at % 3
            whose = page.locator(f".tiles[data-of='keyword:candidates=101,top_k={wanted}']")
            expect(whose).to_be_visible()
            expect(page.get_by_text(re.compile(rf"Pinned: keyword:.?candidates=101,top_k={at + 11}\."))).to_be_visible()
            seen[at] = (wanted, value(page, "Text read"))
    finally:
        for context in contexts:
            context.close()
    by_setting: dict[int, set[str]] = {}
    for wanted, read in seen.values():
        by_setting.setdefault(wanted, set()).add(read)
    assert all(len(reads) == 1 for reads in by_setting.values())  # the same setting, the same numbers in every visit
    assert len(set.union(*by_setting.values())) == 3  # and unlike settings unlike ones
