"""Pieces side by side: their order, how many at once, and what an error and an end leave behind."""

import asyncio
import gc
import random
import threading

import pytest

from rag_variants.evaluation.flow import Flow, beside, event_loop, here


async def finish(flow: Flow[int], count: int) -> None:
    while len(flow.done) < count:
        await flow.advance()


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("at_once", [1, 3, 20])
def test_pieces_begin_in_order_and_never_more_than_asked_for(at_once: int, seed: int) -> None:
    chance, begun, now, most = random.Random(seed), [], set(), 0

    async def piece(at: int) -> int:
        nonlocal most
        begun.append(at)
        now.add(at)
        most = max(most, len(now))
        for _ in range(1 + chance.randrange(9)):
            await asyncio.sleep(0)
        now.discard(at)
        return at * at

    flow = Flow(piece, 10, at_once)
    asyncio.run(finish(flow, 10))
    assert begun == list(range(10))
    assert most == min(at_once, 10)
    assert flow.done == {at: at * at for at in range(10)}


def test_an_error_is_raised_after_what_ended_beside_it_was_kept() -> None:
    async def piece(at: int) -> int:
        if at in (1, 2):
            raise KeyError(at)
        return at

    flow = Flow(piece, 4, 4)
    with pytest.raises(KeyError, match="1"):
        asyncio.run(flow.advance())
    assert flow.done == {0: 0, 3: 3}


def test_a_step_ends_after_a_while_without_a_new_piece() -> None:
    async def piece(at: int) -> int:
        await asyncio.Event().wait()
        return at

    flow = Flow(piece, 2, 2)
    asyncio.run(flow.advance(0.001))
    assert flow.done == {}


def test_closing_the_loop_cancels_what_is_in_the_making() -> None:
    cancelled = []

    async def piece(at: int) -> int:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append(at)
            raise
        return at

    asyncio.run(Flow(piece, 9, 3).advance(0.001))
    assert sorted(cancelled) == [0, 1, 2]


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


@pytest.mark.parametrize("depth", range(4))
def test_pieces_that_fail_while_they_are_cancelled_are_not_printed(depth: int, caplog) -> None:
    """Whatever is in the making, however deep inside a piece, ends before the loop does, and asyncio says nothing."""
    ended = []

    async def fail_when_cancelled(inside: int) -> int:
        try:
            if inside:
                await asyncio.gather(fail_when_cancelled(inside - 1), asyncio.Event().wait())
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise KeyError("the key was refused") from None
        finally:
            ended.append(inside)
        return inside

    async def piece(at: int) -> int:
        return at if at == 0 else await fail_when_cancelled(depth)

    flow = Flow(piece, 3, 3)
    with event_loop() as runner:
        runner.run(flow.advance())
    gc.collect()
    assert flow.done == {0: 0}
    assert sorted(ended) == sorted(2 * [*range(depth + 1)])
    assert caplog.messages == []


def test_an_error_in_the_loop_reaches_the_caller() -> None:
    async def piece(at: int) -> int:
        raise KeyError(at)

    with pytest.raises(KeyError, match="0"), event_loop() as runner:
        runner.run(Flow(piece, 1, 1).advance())
