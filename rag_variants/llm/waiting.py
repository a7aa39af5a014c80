"""The process's one event loop: whatever waits for somebody else's computer waits in its thread, side by side.

Nothing is computed there that takes longer than some milliseconds: all calls of all threads would stand still.
"""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from functools import cache, wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
Work = Coroutine[Any, Any, T]


def wait_for(work: Work[T]) -> T:
    """What the coroutine gives; raises what it raises. Stops it if the caller is interrupted.

    Raises RuntimeError in the loop's own thread, which would wait for itself.
    """
    if is_inside():
        work.close()
        raise RuntimeError("This waits for a call in the loop that makes it. Await the call, or wait in a thread.")
    running = asyncio.run_coroutine_threadsafe(work, _loop())
    try:
        return running.result()
    except BaseException:
        running.cancel()
        raise


def send_off(work: Work[None]) -> None:
    """Has the coroutine run in the loop some time soon; nobody waits for it."""
    asyncio.run_coroutine_threadsafe(work, _loop())


def on_loop(method: Callable[P, Work[T]]) -> Callable[P, Work[T]]:
    """The same method, run in the one loop whatever loop awaits it: limits and calls in the making live there."""

    @wraps(method)
    async def run(*given: P.args, **named: P.kwargs) -> T:
        if is_inside():
            return await method(*given, **named)
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(method(*given, **named), _loop()))

    return run


def is_inside() -> bool:
    """Whether this is called in the thread of the one loop."""
    try:
        return asyncio.get_running_loop() is _loop()
    except RuntimeError:  # no loop runs in this thread
        return False


def begin(work: Work[T]) -> "asyncio.Task[T]":
    """A task of the running loop. Its error is heard even if nobody waits for it any more; asyncio would print it."""
    task = asyncio.create_task(work)
    task.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
    return task


_starting = threading.Lock()


def _loop() -> asyncio.AbstractEventLoop:
    with _starting:  # a cache alone would let two threads start one each
        return _started()


@cache
def _started() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="calls", daemon=True).start()
    return loop
