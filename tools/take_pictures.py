"""Takes the README's pictures from the lessons (`make pictures`): starts the app, leads it like a visitor, stops it.

The app gets a free port of this computer and a state folder of its own; `--home` names one to keep.
"""

import argparse
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Locator, Page, expect, sync_playwright

from rag_variants.ui.server import server_options

ROOT = Path(__file__).parent.parent
MOST_BYTES = 250_000
COLOURS = 256  # of a picture's palette: text and charts need no more
MARGIN = 16
MOST_SECONDS = 600  # without vectors at hand the whole sample is embedded first
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
Clip = tuple[Locator, Locator]  # the first element of a picture and the last


def lead_to_compare(page: Page, address: str) -> Clip:
    """A lesson's pair on the Compare page, from the headline to the table of metrics."""
    _open_pair(page, address, "mean-all")
    return page.get_by_text("RAG Variants", exact=True), page.locator(".deltas").first


def lead_to_lesson(page: Page, address: str) -> Clip:
    """The reveal of a lesson, with the guesses of a room that were entered a step before."""
    lesson = "stale-faithfulness"
    page.goto(f"{address}/lessons?lesson={lesson}&step=guess")
    for direction, hands in {"better": 4, "not-shown": 2, "worse": 9}.items():
        box = page.locator(f".st-key-hands-{lesson}-{direction} input")
        box.fill(str(hands))
        box.press("Enter")
        page.wait_for_timeout(1_000)  # the page begins to be drawn anew a moment later
        _settle(page)
    page.get_by_role("button", name="Next").first.click()
    expect(page.locator(".deltas").first).to_be_visible()
    return page.get_by_test_id("stCaptionContainer").first, page.locator(".st-key-lead-explain")


def lead_to_laboratory(page: Page, address: str) -> Clip:
    """Context precision in the laboratory with the noise first, beside the same chunks with the noise last."""
    page.goto(f"{address}/lessons?room=laboratory")
    page.get_by_role("radio", name="Context precision").click()
    page.get_by_role("radio", name="[noise, useful]").click()
    expect(page.locator(".st-key-laboratory-score")).to_contain_text("0.50")
    cards = page.locator("[class*='st-key-laboratory-card']")
    return page.get_by_role("radio", name="Context precision"), cards.last


def lead_to_ablation(page: Page, address: str) -> Clip:
    """A pair that differs in three settings, with its ladder climbed."""
    _open_pair(page, address, "ladder-three")
    page.get_by_role("button", name="Climb the ladder").click()
    ladder = page.locator(".st-key-ladder")
    expect(page.get_by_role("button", name="All steps are done")).to_be_visible()
    expect(ladder.get_by_test_id("stVegaLiteChart")).to_be_visible()
    return ladder, ladder


def lead_to_tune(page: Page, address: str) -> Clip:
    """A moved chunk size on the Tune page, from the headline to where the gold chunks stand; the judge has ended."""
    page.goto(f"{address}/tune?tune=vector:chunk_size=200&pin=vector")
    chart = page.get_by_test_id("stVegaLiteChart").first
    expect(chart).to_be_visible()
    expect(page.get_by_text("Context recall", exact=True)).to_be_visible()
    return page.get_by_text("RAG Variants", exact=True), chart


PICTURES: Mapping[str, Callable[[Page, str], Clip]] = {
    "compare": lead_to_compare,
    "tune": lead_to_tune,
    "lesson": lead_to_lesson,
    "laboratory": lead_to_laboratory,
    "ladder": lead_to_ablation,
}


def _open_pair(page: Page, address: str, lesson: str) -> None:
    """Follows a lesson's link to the Compare page and waits for the finished comparison."""
    page.goto(f"{address}/lessons?lesson={lesson}&step=reveal")
    page.get_by_role("link", name="Open in Compare").click()
    expect(page.get_by_role("button", name="Markdown").first).to_be_visible()


def _settle(page: Page) -> None:
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")


def take_picture(page: Page, clip: Clip, target: Path) -> int:
    """Keeps the part of the page from one element to another; its size in bytes."""
    _settle(page)
    height = page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
    width = page.viewport_size["width"] if page.viewport_size else 0
    page.set_viewport_size({"width": width, "height": height + MARGIN})  # all of it in view at once
    page.mouse.move(0, 0)  # no tooltip
    page.wait_for_timeout(2_000)  # charts and the caret fade in after the text
    first, last = (element.bounding_box() for element in clip)
    if first is None or last is None:
        raise SystemExit(f"{target.name}: what it shows is not on the page.")
    top = max(0.0, first["y"] - MARGIN)
    bottom = last["y"] + last["height"] + MARGIN
    page.screenshot(path=target, clip={"x": 0, "y": top, "width": width, "height": bottom - top}, animations="disabled")
    with Image.open(target) as picture:
        small = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    small.save(target, optimize=True)
    return target.stat().st_size


@contextmanager
def serve(home: str) -> Iterator[str]:
    """The address of an app that is stopped at the end; the state folder `home`, or one that is removed."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "streamlit", "run", str(ROOT / "app.py")]
        command += server_options(port, "127.0.0.1")
        environment = {**os.environ, "RAG_VARIANTS_HOME": home or folder}
        log = Path(folder) / "app.log"
        with log.open("w") as written:
            app = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=written, stderr=subprocess.STDOUT)
        try:
            _wait_for(f"http://127.0.0.1:{port}/_stcore/health", app, log)
            yield f"http://127.0.0.1:{port}"
        finally:
            app.terminate()
            app.wait(10)


def _wait_for(url: str, app: "subprocess.Popen[bytes]", log: Path) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until and app.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise SystemExit(f"The app did not start:\n{log.read_text()}")


def find_browser() -> str:
    """The path of a Chromium. Ends with what to install if there is none."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        raise SystemExit(
            f"No browser found (looked for {', '.join(BROWSERS)}): install one, e.g. apt install chromium."
        )
    return found


def main() -> None:
    """Takes all pictures, or those that are named, and says what was written."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pictures", nargs="*", default=list(PICTURES), metavar="|".join(PICTURES))
    parser.add_argument("--folder", type=Path, default=ROOT / "docs")
    parser.add_argument("--home", default="", metavar="FOLDER", help="a state folder to keep, with its vectors")
    options = parser.parse_args()
    if unknown := sorted(set(options.pictures) - set(PICTURES)):
        parser.error(f"no picture is called {', '.join(unknown)}; there are {', '.join(PICTURES)}")
    chromium = find_browser()
    expect.set_options(timeout=MOST_SECONDS * 1000)
    with serve(options.home) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for name in options.pictures:
            page = browser.new_page(
                viewport={"width": 1280, "height": 900}, color_scheme="light", device_scale_factor=1.5
            )
            page.set_default_timeout(MOST_SECONDS * 1000)
            size = take_picture(page, PICTURES[name](page, address), options.folder / f"{name}.png")
            page.close()
            print(f"{name}.png: {size:,} bytes")
            if size > MOST_BYTES:
                raise SystemExit(f"{name}.png has more than {MOST_BYTES:,} bytes: crop it closer.")
        browser.close()


if __name__ == "__main__":
    main()
