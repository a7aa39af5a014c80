from collections.abc import Iterator

import pytest

from rag_variants.llm import dispatcher
from tests.house import House
from tests.making import WordVectors
from tests.ticking_clock import TickingClock


@pytest.fixture
def house(monkeypatch, tmp_path, capsys) -> Iterator[House]:
    """The command line against an endpoint called house, in a state folder of its own.

    Waits take no time, and the embedded encoder counts words: neither is what these tests are about.
    """
    clock = TickingClock()
    monkeypatch.setattr("rag_variants.llm.dispatcher.SystemClock", lambda: clock)
    dispatcher._dispatcher.cache_clear()  # a port may come back with another server behind it
    monkeypatch.setattr("rag_variants.llm.embedded.open_embedded", lambda name: WordVectors())
    monkeypatch.setenv("RAG_VARIANTS_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)

    def read() -> tuple[str, str]:
        shown = capsys.readouterr()
        return shown.out, shown.err

    return House(tmp_path, monkeypatch, clock, read)
