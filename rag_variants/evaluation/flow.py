"""Pieces of work that wait side by side, so many at once."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any, Generic, TypeVar

T = TypeVar("T")
# Does what is computed and waits for nobody.
Aside = Callable[[Callable[[], Any]], Awaitable[Any]]


class Flow(Generic[T]):
    """Pieces 0…count−1, begun in this order, at most `at_once` of them in the making.

    `done` holds what has ended, by piece, in whatever order it ended. `event_loop` cancels the rest when it ends.
    """

    def __init__(self, make: Callable[[int], Coroutine[Any, Any, T]], count: int, at_once: int) -> None:
        self.done: dict[int, T] = {}
        self._make = make
        self._waiting = iter(range(count))
        self._at_once = at_once
        self._running: dict[asyncio.Task[T], int] = {}

    async def advance(self, seconds: float | None = None) -> None:
        """Waits until a piece has ended, or that long. Raises a piece's error after keeping what ended beside it."""
        self._begin()
        ended, _ = await asyncio.wait(self._running, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        errors: list[BaseException] = []
        for task in sorted(ended, key=self._running.__getitem__):
            at, error = self._running.pop(task), task.exception()
            if error is None:
                self.done[at] = task.result()
            else:
                errors.append(error)
        if errors:
            raise errors[0]

    def _begin(self) -> None:
        free = self._at_once - len(self._running)
        for _, at in zip(range(free), self._waiting, strict=False):
            task = asyncio.create_task(self._make(at))
            task.add_done_callback(_hear)
            self._running[task] = at


def _hear(task: "asyncio.Task[Any]") -> None:
    """Takes note of an error, also of a piece that nobody waits for any more, so that asyncio does not print it."""
    if not task.cancelled():
        task.exception()


@contextmanager
def event_loop() -> Iterator[asyncio.Runner]:
    """Runs pieces. What is still in the making at the end is cancelled and its errors heard, so that none is printed.

    asyncio alone cancels too, but prints the error of a task that fails while it is being cancelled.
    """
    with asyncio.Runner() as runner:
        try:
            yield runner
        finally:
            runner.run(_end_the_rest())


async def _end_the_rest() -> None:
    while rest := asyncio.all_tasks() - {asyncio.current_task()}:
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)


async def here(step: Callable[[], T]) -> T:
    """Computes right here: the event loop waits."""
    return step()


@contextmanager
def beside() -> Iterator[Aside]:
    """Computes in a thread of its own, one thing after the other, so that an event loop can go on with its calls."""
    pool = ThreadPoolExecutor(1, "rag-variants beside the calls")
    try:
        yield partial(_in_pool, pool)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


async def _in_pool(pool: ThreadPoolExecutor, step: Callable[[], Any]) -> Any:
    return await asyncio.get_running_loop().run_in_executor(pool, step)
