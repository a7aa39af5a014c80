"""Pieces side by side: their order, how many at once, and what an error and an end leave behind."""

import asyncio
import gc
import random
import threading

import pytest

from rag_variants.llm.flow import side_by_side, together
from rag_variants.llm.waiting import is_inside, on_loop, wait_for


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("at_once", [1, 3, 20])
def test_pieces_begin_in_order_and_never_more_than_asked_for(at_once: int, seed: int) -> None:
    chance, begun, now, most, done = random.Random(seed), [], set(), 0, dict[int, int]()

    async def piece(at: int) -> int:
        nonlocal most
        begun.append(at)
        now.add(at)
        most = max(most, len(now))
        for _ in range(1 + chance.randrange(9)):
            await asyncio.sleep(0)
        now.discard(at)
        return at * at

    for _ in side_by_side(piece, 10, at_once, done):
        pass
    assert begun == list(range(10))
    assert most == min(at_once, 10)
    assert done == {at: at * at for at in range(10)}


def test_an_error_is_raised_after_what_ended_beside_it_was_kept() -> None:
    done: dict[int, int] = {}

    async def piece(at: int) -> int:
        await asyncio.sleep(0)
        if at in (1, 2):
            raise KeyError(at)
        return at

    with pytest.raises(KeyError, match="1"):
        list(side_by_side(piece, 4, 4, done))
    assert done == {0: 0, 3: 3}


async def for_ever(at: int) -> int:
    await asyncio.Event().wait()
    return at


def test_a_step_ends_after_a_while_without_a_new_piece() -> None:
    done: dict[int, int] = {}
    steps = side_by_side(for_ever, 2, 2, done, 0.001)
    next(steps)
    next(steps)
    steps.close()
    assert done == {}


@pytest.mark.parametrize("depth", range(4))
def test_pieces_that_fail_while_they_are_cancelled_are_not_printed(depth: int, caplog) -> None:
    """Whatever is in the making, however deep inside a piece, has ended at the end, and asyncio says nothing."""
    ended, done = [], dict[int, int]()

    async def fail_when_cancelled(inside: int) -> int:
        try:
            if inside:
                await together(fail_when_cancelled(inside - 1), for_ever(0))
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise KeyError("the key was refused") from None
        finally:
            ended.append(inside)
        return inside

    async def piece(at: int) -> int:
        return at if at == 0 else await fail_when_cancelled(depth)

    steps = side_by_side(piece, 3, 3, done)
    next(steps)
    steps.close()
    gc.collect()
    assert done == {0: 0}
    assert sorted(ended) == sorted(2 * [*range(depth + 1)])
    assert caplog.messages == []


def test_the_first_error_stops_the_others_and_comes_alone() -> None:
    stopped = []

    async def fail() -> int:
        raise KeyError("refused")

    async def wait() -> int:
        try:
            return await for_ever(1)
        finally:
            stopped.append(1)

    with pytest.raises(KeyError, match="refused"):
        wait_for(together(wait(), fail(), wait()))
    assert stopped == [1, 1]
    assert wait_for(together(*(asyncio.sleep(0, at) for at in range(3)))) == [0, 1, 2]


def test_all_threads_and_loops_share_one_loop() -> None:
    @on_loop
    async def where() -> tuple[bool, str]:
        return is_inside(), threading.current_thread().name

    assert asyncio.run(where()) == wait_for(where()) == (True, "calls")
    assert not is_inside()


def test_waiting_inside_the_loop_for_itself_is_an_error() -> None:
    async def inside() -> int:
        return wait_for(asyncio.sleep(0, 1))

    with pytest.raises(RuntimeError, match="Await the call"):
        wait_for(inside())


def test_an_interrupted_caller_stops_the_work(monkeypatch) -> None:
    stopped = threading.Event()

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    class Interrupted:
        def __init__(self, future) -> None:
            self.cancel = future.cancel

        def result(self) -> None:
            raise KeyboardInterrupt

    submit = asyncio.run_coroutine_threadsafe
    monkeypatch.setattr(asyncio, "run_coroutine_threadsafe", lambda *given: Interrupted(submit(*given)))
    begun = work()
    with pytest.raises(KeyboardInterrupt):
        wait_for(begun)
    monkeypatch.undo()
    wait_for(asyncio.sleep(0))
    assert stopped.wait(10) or begun.cr_frame is None
