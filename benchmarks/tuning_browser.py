"""The Tune page in a real Chromium: letting go of a slider → new numbers on the screen, beside kept ones.

The page that draws kept values draws the same tiles, charts and borders of the same settings: it is gone back over the
way that the new ones went.
"""

import shutil
import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from benchmarks.served import choose_files, serving

QUESTIONS = 100
# What the arrow key gives, from the default on.
SLIDERS = {
    "top_k": tuple(map(str, range(6, 14))),
    "keyword_weight": ("0.55", "0.6", "0.65", "0.7", "0.75", "0.8", "0.85", "0.9"),
}
LABELS = {"top_k": "top_k", "keyword_weight": "Keyword weight"}
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run")
# Waits until every number on the screen is the setting's, and the chart is drawn; gives milliseconds since the key.
WATCH = """([wanted, groups]) => new Promise(resolve => {
  const begin = performance.now();
  const look = () => {
    const tiles = [...document.querySelectorAll('.tiles')];
    const fresh = tiles.length === groups && tiles.every(each => each.dataset.of === wanted);
    if (fresh && document.querySelector('.st-key-ranks canvas, .st-key-ranks svg.marks')) {
      requestAnimationFrame(() => resolve(performance.now() - begin));
    } else setTimeout(look, 15);
  };
  look();
})"""


def main() -> None:
    """Prints both rows, or why there are none."""
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        print("browser rows skipped: playwright is not installed (make test installs it)")
        return
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        try:
            browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        except Error as error:
            print(f"browser rows skipped: no Chromium could be started ({str(error).splitlines()[0]})")
            return
        with serving(Path(folder)) as server:
            parameters = {"a": "keyword", "b": "hybrid", "slice": "all", **choose_files(Path(folder), QUESTIONS)}
            for judged, target in (("off", 2), ("on", 4)):
                url = f"{server.address}/tune?{urlencode(parameters | {'judged': judged})}"
                for name, values in SLIDERS.items():
                    page = browser.new_page(viewport={"width": 1280, "height": 900})
                    page.set_default_timeout(180_000)
                    new, kept = measure(page, url, (name, values), groups=2 if judged == "on" else 1)
                    page.close()
                    print(f"letting go of {name}, judge {judged}: {new:.0f} ms, from kept values {kept:.0f} ms")
                    print(f"{f'{name}, judge {judged}: new ÷ kept':48} {new / kept:6.2f}   target ≤ {target}")
        browser.close()


def measure(page: Any, url: str, moved: tuple[str, Sequence[str]], groups: int) -> tuple[float, float]:
    """Median milliseconds of moves to settings that nobody has measured, and of the way back over them.

    `groups` is how many groups of tiles have to be the setting's: with judged metrics two.
    """
    label, values = LABELS[moved[0]], moved[1]
    specs = [f"hybrid:{moved[0]}={value}" for value in values]
    page.goto(url)
    page.evaluate(WATCH, ["hybrid", groups])
    slider = page.get_by_role("slider", name=label)
    _move(page, slider, "ArrowRight", specs[0], groups)  # what a first move loads
    new = [_move(page, slider, "ArrowRight", spec, groups) for spec in specs[1:]]
    kept = [_move(page, slider, "ArrowLeft", spec, groups) for spec in reversed(specs[:-1])]
    return statistics.median(new), statistics.median(kept)


def _move(page: Any, slider: Any, key: str, wanted: str, groups: int) -> float:
    slider.focus()
    page.wait_for_function("document.querySelector('[data-testid=stApp]').dataset.testScriptState === 'notRunning'")
    page.keyboard.press(key)
    return float(page.evaluate(WATCH, [wanted, groups]))


def chromium() -> str | None:
    """Where the system has its Chromium; None for playwright's own."""
    return "/usr/bin/chromium" if Path("/usr/bin/chromium").exists() else shutil.which("chromium")


if __name__ == "__main__":
    main()
