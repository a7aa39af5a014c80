"""A real server with a real, small model on this computer: only where it is asked for."""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from rag_variants.llm.wire import Wire
from tools.local_server import LocalServer, missing_packages

REQUIRED = os.environ.get("RAG_VARIANTS_REQUIRE_LOCAL_LLM") == "1"
HERE = Path(__file__).parent
PREFIX = "RAG_VARIANTS_ENDPOINTS__LOCAL__"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    asked = REQUIRED or "local_llm" in str(config.getoption("markexpr"))
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.local_llm)
            item.add_marker(pytest.mark.xdist_group("local_llm"))  # one server
            if not asked:
                item.add_marker(pytest.mark.skip(reason="asks a real model: make test-local-llm"))


@pytest.fixture(scope="session")
def installed() -> None:
    """Skips where the packages are missing, or fails where CI asks."""
    if missing := missing_packages():
        reason = f"{' and '.join(missing)} not installed: make local-llm"
        if REQUIRED:
            pytest.fail(reason)
        pytest.skip(reason)


@pytest.fixture(scope="session")
def server(installed: None) -> Iterator[LocalServer]:
    """Chat and vectors at one address, for all tests."""
    with LocalServer(embeddings=True) as started:
        yield started


@pytest.fixture
def configure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Makes a server the endpoint `local` of the environment, with a state folder of the test's own."""
    monkeypatch.setenv("RAG_VARIANTS_HOME", str(tmp_path))

    def write(server: LocalServer, **more: Any) -> None:
        given = {"base_url": server.url, "api_key": server.key, "concurrency": 1, "timeout": 300, "attempts": 2}
        for name, value in (given | {"max_tokens": 200} | more).items():
            monkeypatch.setenv(f"{PREFIX}{name.upper()}", str(value))

    return write


@pytest.fixture
def local(server: LocalServer, configure: Callable[..., None]) -> LocalServer:
    """The server, as the endpoint `local`."""
    configure(server)
    return server


class Sent:
    """What goes over the wire: how many calls by path, and the texts that were sent."""

    def __init__(self) -> None:
        self.paths: Counter[str] = Counter()
        self.texts: list[str] = []


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Sent:
    """Counts the calls of a test."""
    seen, post = Sent(), Wire.post

    async def counting(self: Wire, path: str, body: Mapping[str, Any]) -> tuple[bytes, float]:
        seen.paths[path] += 1
        seen.texts += [turn["content"] for turn in body.get("messages", [])[-1:]]
        return await post(self, path, body)

    monkeypatch.setattr(Wire, "post", counting)
    return seen
