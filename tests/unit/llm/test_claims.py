"""What two threads want is made once; a failure reaches both."""

import threading
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from rag_variants.llm.claims import Claims

PATIENCE = 30  # seconds, after which a test fails in place of hanging


class Workshop:
    """Makes letters for whoever asks; `x` is made only when it is let go."""

    def __init__(self, fails: bool = False) -> None:
        self.claims: Claims[str] = Claims()
        self.made: list[str] = []
        self.begun, self.go = threading.Event(), threading.Event()
        self._fails = fails

    def ask(self, letters: str) -> None:
        self.claims.make(letters, self.made.__contains__, self._make)

    def _make(self, letters: list[str]) -> None:
        if "x" in letters:
            self.begun.set()
            assert self.go.wait(PATIENCE)
            if self._fails:
                raise ValueError("no x today")
        self.made += letters


def ask_beside(shop: Workshop) -> tuple["Future[None]", "Future[None]"]:
    """The first thread is making x; the second wants x and y, and has made y when x is let go."""
    with ThreadPoolExecutor() as pool:
        first = pool.submit(shop.ask, "x")
        assert shop.begun.wait(PATIENCE)
        second = pool.submit(shop.ask, "xy")
        while "y" not in shop.made and not second.done():
            threading.Event().wait(0.001)
        assert not second.done()  # it waits for the other's x
        shop.go.set()
    return first, second


def test_what_another_thread_is_making_is_waited_for():
    shop = Workshop()
    for each in ask_beside(shop):
        each.result()
    assert shop.made == ["y", "x"]
    shop.ask("xy")
    assert shop.made == ["y", "x"]


def test_a_failure_reaches_all_who_wait_and_is_tried_again():
    shop = Workshop(fails=True)
    for each in ask_beside(shop):
        with pytest.raises(ValueError, match="no x today"):
            each.result()
    assert shop.made == ["y"]
    shop._fails = False
    shop.ask("x")
    assert shop.made == ["y", "x"]
