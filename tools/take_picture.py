"""Takes the README's picture, docs/compare.png, from an app that is already running.

`.venv/bin/rag-variants app --port 8777 --no-browser`, then `.venv/bin/python tools/take_picture.py --port 8777`.
"""

import argparse
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

PICTURE = Path(__file__).parent.parent / "docs" / "compare.png"
MOST_BYTES = 300_000
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


def take_picture(address: str, target: Path, chromium: str, height: int) -> int:
    """Opens the first page, waits for the finished comparison, keeps the picture; its size in bytes."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        page = browser.new_page(viewport={"width": 1440, "height": height}, color_scheme="light")
        page.goto(address)
        expect(page.get_by_role("button", name="Markdown")).to_be_visible(timeout=120_000)
        page.wait_for_timeout(2_000)  # charts draw after the text
        target.parent.mkdir(exist_ok=True)
        page.screenshot(path=target)
        browser.close()
    return target.stat().st_size


def main() -> None:
    """Reads the arguments and says what was written."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8501)
    parser.add_argument("--chromium", default="/usr/bin/chromium", metavar="PATH")
    parser.add_argument("--height", type=int, default=1000)
    options = parser.parse_args()
    size = take_picture(f"http://localhost:{options.port}", PICTURE, options.chromium, options.height)
    print(f"{PICTURE.name}: {size:,} bytes")
    if size > MOST_BYTES:
        raise SystemExit(f"More than {MOST_BYTES:,} bytes: take a lower --height.")


if __name__ == "__main__":
    main()
