"""A limit on what runs at once, for all event loops and threads of the process."""

import asyncio
import threading
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

_Waiter = tuple[asyncio.AbstractEventLoop, "asyncio.Future[None]"]


class Slots:
    """First come, first served; asyncio's own semaphore belongs to one loop."""

    def __init__(self, number: int) -> None:
        self._free = number
        self._waiting: deque[_Waiter] = deque()
        self._guard = threading.Lock()

    @asynccontextmanager
    async def taken(self) -> AsyncIterator[None]:
        """Holds one slot."""
        await self._take()
        try:
            yield
        finally:
            self._give()

    async def _take(self) -> None:
        with self._guard:
            if self._free:
                self._free -= 1
                return
            loop = asyncio.get_running_loop()
            turn: asyncio.Future[None] = loop.create_future()
            self._waiting.append((loop, turn))
        try:
            await turn
        except asyncio.CancelledError:
            with self._guard:
                waiting = (loop, turn) in self._waiting
                if waiting:
                    self._waiting.remove((loop, turn))
            if not waiting:  # it was this waiter's turn already
                self._give()
            raise

    def _give(self) -> None:
        with self._guard:
            while self._waiting:
                loop, turn = self._waiting.popleft()
                if not loop.is_closed():
                    break
            else:
                self._free += 1
                return
        try:
            loop.call_soon_threadsafe(_wake, turn)
        except RuntimeError:  # the loop was closed just now
            self._give()


def _wake(turn: "asyncio.Future[None]") -> None:
    if not turn.done():
        turn.set_result(None)
