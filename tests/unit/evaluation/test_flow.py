"""Pieces one after the other in this thread, or beside calls."""

import asyncio
import threading

import pytest

from rag_variants.evaluation.flow import beside, here, make_pieces


def test_what_is_computed_beside_lets_the_loop_go_on() -> None:
    async def both() -> tuple[str, str, str]:
        gone_on = threading.Event()
        with beside() as aside:
            waiting = asyncio.create_task(aside(lambda: gone_on.wait(10) and threading.current_thread().name))
            await asyncio.sleep(0)
            gone_on.set()
            first = await waiting
            return first, await aside(lambda: threading.current_thread().name), await here(lambda: "here")

    first, second, third = asyncio.run(both())
    assert first == second != threading.current_thread().name
    assert third == "here"


@pytest.mark.parametrize(("waits", "most"), [(False, 1), (True, 3)])
def test_pieces_that_wait_for_nobody_are_made_here_one_by_one(waits: bool, most: int) -> None:
    threads, now, reached, done = set(), set(), 0, dict[int, int]()

    async def piece(at: int) -> int:
        nonlocal reached
        threads.add(threading.current_thread().name)
        now.add(at)
        reached = max(reached, len(now))
        await asyncio.sleep(0)
        now.discard(at)
        return at

    for _ in make_pieces(piece, 5, done, waits=waits, at_once=3):
        assert done
    assert done == {at: at for at in range(5)}
    assert reached == most
    assert (threads == {threading.current_thread().name}) is not waits


@pytest.mark.parametrize("waits", [False, True])
def test_an_error_reaches_the_caller_and_what_was_made_is_kept(waits: bool) -> None:
    done: dict[int, int] = {}

    async def piece(at: int) -> int:
        if at == 1:
            raise KeyError(at)
        return at

    with pytest.raises(KeyError, match="1"):
        list(make_pieces(piece, 3, done, waits=waits, at_once=1))
    assert done == {0: 0}
