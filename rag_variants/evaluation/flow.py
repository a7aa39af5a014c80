"""Pieces of work one after the other, or side by side where they wait for somebody else's computer."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar

from rag_variants.llm.flow import Aside, side_by_side

T = TypeVar("T")

# The usual limit of an endpoint, and the pieces in the making meanwhile: each makes several calls, one after another.
CALLS_AT_ONCE = 16
PIECES_AT_ONCE = 2 * CALLS_AT_ONCE
# Seconds after which a step ends without a new piece, so that a stop is heard.
TICK = 0.2


def make_pieces(
    make: Callable[[int], Coroutine[Any, Any, T]],
    count: int,
    done: dict[int, T],
    *,
    waits: bool,
    at_once: int | None = None,
) -> Iterator[None]:
    """Makes pieces 0…count−1 into `done`, one after the other in this thread; yields after each.

    Where a piece `waits` for calls they are made side by side, `at_once` of them (default: PIECES_AT_ONCE): see
    `side_by_side`. A step then ends after TICK at the latest.
    """
    if waits:
        yield from side_by_side(make, count, at_once or PIECES_AT_ONCE, done, TICK)
        return
    with asyncio.Runner() as runner:
        for at in range(count):
            # `runner.run` handles Ctrl-C anew for each piece, which takes a fifth of the time.
            done[at] = runner.get_loop().run_until_complete(make(at))
            yield


async def here(step: Callable[[], T]) -> T:
    """Computes right here."""
    return step()


@contextmanager
def beside() -> Iterator[Aside]:
    """Computes in a thread of its own, one thing after the other, so that calls can go on."""
    pool = ThreadPoolExecutor(1, "rag-variants beside the calls")
    try:
        yield partial(_in_pool, pool)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


async def _in_pool(pool: ThreadPoolExecutor, step: Callable[[], Any]) -> Any:
    return await asyncio.get_running_loop().run_in_executor(pool, step)
