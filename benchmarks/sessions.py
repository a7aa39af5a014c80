"""Ten browser sessions at one server, each with documents of its own: `python -m benchmarks.sessions --minutes 5`.

Every session moves a slider, runs a comparison and sends files, in turn, on questions that carry its own mark. What it
sees has to bear its mark and nobody else's, and no page may end in an error. Printed are how often each was done and
how long the page took to answer, from the click to the last number.
"""

import argparse
import asyncio
import random
import re
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from benchmarks.served import serving
from benchmarks.tuning_browser import FLAGS, chromium

QUESTIONS = 8
PATIENCE = 120_000  # milliseconds for one answer of the page
_FRUIT = ("plum", "pear", "fig", "quince", "medlar", "cherry", "apricot", "mulberry")
_IDLE = "document.querySelector('[data-testid=stApp]').dataset.testScriptState === 'notRunning'"


def mark_of(at: int) -> str:
    """What stands in every question and document of a session: `lot3x`."""
    return f"lot{at}x"


def write_files(folder: Path, at: int) -> tuple[Path, Path]:
    """A session's documents and its questions about them."""
    mark = mark_of(at)
    documents = folder / mark
    documents.mkdir()
    lines = []
    for number, fruit in enumerate(_FRUIT[:QUESTIONS]):
        text = f"The {fruit} of {mark} costs {10 * at + number} EUR a crate."
        (documents / f"{fruit}.md").write_text(f"# {fruit.title()}\n\n{text}\n", encoding="utf-8")
        lines.append(
            f'{{"id": "{mark}-{number}", "user_input": "What does the {fruit} of {mark} cost?", '
            f'"evidence": [{{"document": "{fruit}.md", "quote": "{text}"}}]}}'
        )
    questions = folder / f"{mark}.jsonl"
    questions.write_text("\n".join(lines), encoding="utf-8")
    return documents, questions


class Session:
    """One visitor: a browser context of its own, and what it did and saw."""

    def __init__(self, at: int, page: Any, address: str, files: tuple[Path, Path]) -> None:
        self._mark, self._page, self._address = mark_of(at), page, address
        self._documents, self._questions = files
        self._dice = random.Random(at)
        self.seconds: defaultdict[str, list[float]] = defaultdict(list)
        self.faults: list[str] = []

    async def go_on(self, until: float) -> None:
        """One thing after the other until the time is over; a fault is noted and the next thing begun."""
        from playwright.async_api import Error

        while time.monotonic() < until:
            for name, do in (("run", self._run), ("move", self._move), ("send", self._send)):
                begin = time.monotonic()
                try:
                    await do()
                    self._look(name, await self._page.locator("[data-testid=stMain]").inner_text())
                    self.seconds[name].append(time.monotonic() - begin)
                except Error as error:
                    self.faults.append(f"{self._mark} {name}: {str(error).splitlines()[0]}")

    def _look(self, name: str, seen: str) -> None:
        others = set(re.findall(r"lot\d+x", seen)) - {self._mark}
        if others:
            self.faults.append(f"{self._mark} {name}: saw {', '.join(sorted(others))}")
        if self._mark not in seen:
            self.faults.append(f"{self._mark} {name}: saw nothing of its own")

    async def _open(self, path: str, **more: str) -> None:
        chosen = {"a": "keyword", "kb": str(self._documents), "questions": str(self._questions), **more}
        await self._page.goto(f"{self._address}/{path}?{urlencode(chosen)}")

    async def _settled(self, sign: str) -> None:
        await self._page.get_by_text(sign).first.wait_for(timeout=PATIENCE)
        await self._page.wait_for_function(_IDLE, timeout=PATIENCE)
        if await self._page.locator("[data-testid=stException]").count():
            self.faults.append(f"{self._mark}: an exception on the page")

    async def _run(self) -> None:
        await self._open("", b=f"hybrid:top_k={self._dice.randint(1, 9)}", metrics="retrieval")
        await self._settled("questions, paired")

    async def _move(self) -> None:
        await self._open("tune", b="keyword", judged="off")
        await self._settled("Where the first gold chunk stands")
        slider = self._page.get_by_role("slider", name="top_k").first
        await slider.focus()
        await self._page.keyboard.press(self._dice.choice(("ArrowLeft", "ArrowRight")))
        await self._settled("Where the first gold chunk stands")

    async def _send(self) -> None:
        await self._page.goto(f"{self._address}/?a=keyword&b=keyword:top_k=2&metrics=retrieval")
        await self._page.get_by_role("button", name="Documents:").click()
        chosen = self._page.locator("input[type=file]")
        await chosen.first.wait_for(state="attached", timeout=PATIENCE)
        await chosen.nth(0).set_input_files([str(each) for each in sorted(self._documents.iterdir())])
        await chosen.nth(1).set_input_files(str(self._questions))
        await self._page.get_by_role("button", name="Use these files").click()
        await self._page.wait_for_url("**kb=**", timeout=PATIENCE)
        await self._page.wait_for_function(_IDLE, timeout=PATIENCE)
        await self._page.keyboard.press("Escape")
        await self._page.get_by_role("button", name="Run comparison").click()
        await self._settled(f"{QUESTIONS} questions, paired")


async def visit(address: str, folder: Path, sessions: int, seconds: float) -> list[Session]:
    """All sessions side by side in one browser."""
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        visitors = []
        for at in range(sessions):
            context = await browser.new_context(viewport={"width": 1280, "height": 900})
            page = await context.new_page()
            page.set_default_timeout(PATIENCE)
            visitors.append(Session(at, page, address, write_files(folder, at)))
        until = time.monotonic() + seconds
        await asyncio.gather(*(each.go_on(until) for each in visitors))
        await browser.close()
        return visitors


def main() -> int:
    """Prints what was done and how long it took; 1 if something failed or was seen by another."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sessions", type=int, default=10)
    parser.add_argument("--minutes", type=float, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as home, tempfile.TemporaryDirectory() as files, serving(Path(home)) as server:
        visitors = asyncio.run(visit(server.address, Path(files), given.sessions, given.minutes * 60))
    for name in ("run", "move", "send"):
        taken = sorted(second for visitor in visitors for second in visitor.seconds[name])
        if taken:
            print(f"{name:5} {len(taken):>5} ×   median {statistics.median(taken):6.1f} s   slowest {taken[-1]:6.1f} s")
    faults = [fault for visitor in visitors for fault in visitor.faults]
    print(f"faults: {len(faults)}", *faults[:20], sep="\n")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
