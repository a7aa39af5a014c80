"""The browser is opened once the server answers, and not at all if it never does."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from rag_variants.cli import browser


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    found: list[str] = []
    monkeypatch.setattr(browser.webbrowser, "open", lambda address: found.append(address) is None)
    return found


@pytest.fixture
def served() -> Iterator[str]:
    class Healthy(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    server = HTTPServer(("127.0.0.1", 0), Healthy)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_a_served_page_is_opened(served: str, opened: list[str]) -> None:
    assert browser.open_when_served(served, patience=10)
    assert opened == [served]


def test_nothing_is_opened_where_nobody_serves(opened: list[str]) -> None:
    assert not browser.open_when_served("http://127.0.0.1:9", patience=0.1)
    assert opened == []
