"""The app as it is served, in a real Chromium."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Error, Page, expect, sync_playwright

from rag_variants.ui.server import server_options

ROOT = Path(__file__).parents[2]
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
REQUIRED = os.environ.get("RAG_VARIANTS_REQUIRE_BROWSER") == "1"
HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.xdist_group("browser"))  # one server, one browser


def _system_chromium() -> str | None:
    return "/usr/bin/chromium" if Path("/usr/bin/chromium").exists() else shutil.which("chromium")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The system's Chromium, else Playwright's own; without either the test is skipped, or fails where CI asks.

    It is closed with its module: while it is open its event loop runs, and no other test could run one.
    """
    with sync_playwright() as playwright:
        try:
            found = playwright.chromium.launch(executable_path=_system_chromium(), args=list(FLAGS))
        except Error as error:
            reason = f"no Chromium could be started ({str(error).splitlines()[0]}); apt install chromium"
            if REQUIRED:
                pytest.fail(reason)
            pytest.skip(reason)
        yield found
        found.close()


@pytest.fixture(scope="module")
def address(browser: Browser, request: pytest.FixtureRequest) -> str:
    """The address of a server of the tests' own. It is started once, and only where there is a browser."""
    found: str = request.getfixturevalue("served")
    return found


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One server for all browser tests: what it has embedded and compared is at hand for the next file."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    home = tmp_path_factory.mktemp("home")
    command = [sys.executable, "-m", "streamlit", "run", str(ROOT / "app.py")]
    command += server_options(port, "127.0.0.1")
    log = (home / "server.log").open("w")
    environment = {**os.environ, "RAG_VARIANTS_HOME": str(home)}
    server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=subprocess.STDOUT)
    try:
        _wait_for(f"http://127.0.0.1:{port}/_stcore/health", server, home / "server.log")
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
        log.close()


def _wait_for(url: str, server: "subprocess.Popen[bytes]", log: Path) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        assert server.poll() is None, log.read_text()
        try:
            urllib.request.urlopen(url, timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError(log.read_text())


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A visitor with a window of 1280 × 900."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(60_000)
    expect.set_options(timeout=60_000)
    yield context.new_page()
    context.close()


def visit(page: Page, address: str, parameters: dict[str, str], path: str = "/") -> None:
    """Opens a page and waits until its result is drawn to the end."""
    page.goto(f"{address}{path}?{urlencode(parameters)}")
    expect(page.get_by_role("button", name="Markdown")).to_be_visible(timeout=60_000)
