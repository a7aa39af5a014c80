"""Pieces of work that wait side by side, so many at once, for a caller that follows them step by step."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from typing import Any, TypeVar

from rag_variants.llm.waiting import begin, wait_for

T = TypeVar("T")
# Does what is computed and waits for nobody.
Aside = Callable[[Callable[[], Any]], Awaitable[Any]]


def side_by_side(
    make: Callable[[int], Coroutine[Any, Any, T]],
    count: int,
    at_once: int,
    done: dict[int, T],
    tick: float | None = None,
) -> Iterator[None]:
    """Makes pieces 0…count−1 on the one event loop, begun in this order, at most `at_once` of them in the making.

    Yields when some have ended and lie in `done`, in whatever order they ended, and after `tick` seconds without one.
    Raises a piece's error after keeping what ended beside it. A caller that stops reading stops what is in the making,
    which has ended when this returns.
    """
    pieces, running = iter(range(count)), dict[asyncio.Task[T], int]()

    async def advance() -> None:
        for _, at in zip(range(at_once - len(running)), pieces, strict=False):
            running[begin(make(at))] = at
        ended, _ = await asyncio.wait(running, timeout=tick, return_when=asyncio.FIRST_COMPLETED)
        failed = None
        for task in sorted(ended, key=running.__getitem__):
            at, error = running.pop(task), task.exception()
            if error is None:
                done[at] = task.result()
            failed = failed or error
        if failed is not None:
            raise failed

    async def end() -> None:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    try:
        while len(done) < count:
            wait_for(advance())
            yield
    finally:
        if running:
            wait_for(end())


async def in_turn(*works: Coroutine[Any, Any, T]) -> list[T]:
    """As `together`, one after the other: works that wait for nobody need no tasks."""
    try:
        return [await work for work in works]
    finally:
        for work in works:  # those after an error; to close one that has ended does nothing
            work.close()


async def together(*works: Coroutine[Any, Any, T]) -> list[T]:
    """What all of them give, in their order. The first error stops the others and is raised."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(work) for work in works]
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from None
    return [task.result() for task in tasks]
