"""The Lessons page as a teacher meets it: led by keys, guessed at, read in another language, opened from a link."""

import json
import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from rag_variants.sample import sample_lessons_file
from rag_variants.ui.url import STEPS
from tests.browser.test_compare_page import settle

LESSON = "stale-faithfulness"
TEXTS = {
    line["id"]: line for line in map(json.loads, sample_lessons_file().read_text(encoding="utf-8").splitlines()) if line
}
HOSTILE = "<img src=x onerror=\"document.title='pwned'\"> **bold** $5 and $9 :smile:"
SCROLLED = "document.querySelector('[data-testid=stMain]').scrollTop"


def open_lesson(page: Page, address: str, **parameters: str) -> None:
    """Opens the lesson and waits until its title and its last button are drawn."""
    page.goto(f"{address}/lessons?{urlencode({'lesson': LESSON, **parameters})}")
    title = TEXTS[LESSON]["title"][parameters.get("lang", "en")]
    expect(page.get_by_role("heading", name=title)).to_be_visible(timeout=60_000)
    expect(page.locator("[class*='st-key-move-'][class*='-bottom'] button")).to_have_count(2)
    settle(page)


def expect_step(page: Page, step: str) -> None:
    """Waits until the step stands in the address (the first one is the default) and is drawn."""
    page.wait_for_url(lambda url: f"step={step}" in url or (step == STEPS[0] and "step=" not in url))
    names = {"story": "The story", "differs": "What differs", "guess": "Guess", "reveal": "Reveal", "open": "Open it"}
    expect(page.locator("strong", has_text=re.compile(f"^{names.get(step, 'Takeaway')}$")).first).to_be_visible()
    drawn = {"reveal": "lead-explain", "open": "large-question", "takeaway": "lead-takeaway"}.get(step)
    if drawn:  # these need the result; a key pressed while the page is drawn anew for it would be lost
        expect(page.locator(f".st-key-{drawn}")).to_be_visible()
    settle(page)


@pytest.mark.parametrize(("forth", "back"), [("ArrowRight", "ArrowLeft"), ("PageDown", "PageUp")])
def test_a_presentation_is_led_by_keys_alone(page: Page, address: str, forth: str, back: str) -> None:
    open_lesson(page, address, room="presentation")
    expect(page.get_by_role("link", name="Knowledge")).to_have_count(0)
    for step in STEPS[1:]:
        page.keyboard.press(forth)
        expect_step(page, step)
    expect(page.locator(".st-key-lead-takeaway")).to_have_text(TEXTS[LESSON]["takeaway"]["en"], timeout=60_000)
    page.keyboard.press(back)
    expect_step(page, "open")
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="Knowledge")).to_be_visible()
    assert "step=open" in page.url


def test_a_step_reached_by_key_begins_at_the_top(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 500})
    open_lesson(page, address, step="reveal")
    expect(page.locator(".st-key-lead-explain")).to_be_visible(timeout=60_000)
    page.evaluate("document.querySelector('[data-testid=stMain]').scrollTo(0, 400)")
    assert page.evaluate(SCROLLED) > 0
    page.keyboard.press("PageDown")
    expect_step(page, "open")
    page.wait_for_function(f"{SCROLLED} === 0")


def test_keys_in_a_number_stay_there(page: Page, address: str) -> None:
    open_lesson(page, address, step="guess")
    hands = page.locator(f".st-key-hands-{LESSON}-better input")
    hands.fill("4")
    for key in ("ArrowLeft", "ArrowRight", "ArrowUp"):
        hands.press(key)
    hands.press("Enter")
    settle(page)
    expect(hands).to_have_value("5")  # 4, one up
    assert "step=guess" in page.url


def test_hands_and_names_stand_beside_the_result(page: Page, address: str) -> None:
    open_lesson(page, address, step="guess")
    hands = page.locator(f".st-key-hands-{LESSON}-better input")
    hands.fill("4")
    hands.press("Enter")
    settle(page)
    page.get_by_text("Guesses by name").or_(page.get_by_test_id("stExpander").locator("summary")).first.click()
    page.locator(f".st-key-guess-name-{LESSON} input").fill(HOSTILE[:40])
    page.locator(f".st-key-guess-changed-{LESSON} input").fill("7")
    page.keyboard.press("Tab")  # the hint under the field goes, and what stands below moves up
    settle(page)
    page.get_by_role("button", name="Add guess").click()
    expect(page.get_by_text(HOSTILE[:30])).to_be_visible()
    assert page.locator("[data-testid=stMain] img").count() == 0
    assert page.locator(".katex").count() == 0
    expect(page).to_have_title("Lessons · RAG Variants")
    page.get_by_role("button", name="Next").first.click()
    expect_step(page, "reveal")
    row = page.get_by_role("row").filter(has_text="4 / 4")  # four hands for better, which is what came out
    expect(row).to_be_visible(timeout=60_000)
    expect(page.get_by_text("the guesses: 7")).to_be_visible()


def test_the_language_changes_the_texts_and_keeps_the_place(page: Page, address: str) -> None:
    open_lesson(page, address, step="guess")
    for language, name in (("pl", "Polski"), ("zh", "中文")):
        page.get_by_role("radio", name=name).click()
        expect(page.get_by_role("heading", name=TEXTS[LESSON]["title"][language])).to_be_visible()
        expect(page.locator(".st-key-lead-ask")).to_have_text(TEXTS[LESSON]["ask"][language])
        assert "step=guess" in page.url and f"lang={language}" in page.url


def test_a_link_to_the_reveal_draws_the_result(page: Page, address: str) -> None:
    open_lesson(page, address, step="reveal", lang="pl")
    expect(page.locator(".st-key-lead-explain")).to_have_text(TEXTS[LESSON]["explain"]["pl"], timeout=60_000)
    expect(page.locator(".deltas").first).to_be_visible()


def test_hostile_text_in_a_link_does_not_act(page: Page, address: str) -> None:
    page.goto(f"{address}/lessons?{urlencode({'lesson': HOSTILE, 'step': HOSTILE, 'lang': HOSTILE})}")
    expect(page.get_by_test_id("stAlert")).to_contain_text("<img src=x", timeout=60_000)
    settle(page)
    assert page.locator("[data-testid=stMain] img").count() == 0
    expect(page).to_have_title("Lessons · RAG Variants")
