"""Identical calls in flight are one call, over all threads and event loops of the process."""

import asyncio
import copy
import threading
from collections.abc import Awaitable, Callable, Hashable
from concurrent.futures import Future
from typing import Generic, TypeVar

from rag_variants.errors import UserError

T = TypeVar("T")


class _LeftError(Exception):
    """The one who made the call was stopped; somebody else has to make it."""


class InFlight(Generic[T]):
    """Calls that are being made, by key."""

    def __init__(self) -> None:
        self._running: dict[Hashable, Future[T]] = {}
        self._guard = threading.Lock()

    async def once(self, key: Hashable, make: Callable[[], Awaitable[T]]) -> tuple[T, bool]:
        """What `make` gives, and whether somebody else had made it. Raises what `make` raises."""
        while True:
            with self._guard:
                running = self._running.get(key)
                if running is None:
                    mine = self._running[key] = Future()
                    mine.set_running_or_notify_cancel()  # so that one who stops waiting does not stop the others
            if running is None:
                return await self._make(key, mine, make), False
            try:
                return await asyncio.wrap_future(running), True
            except _LeftError:
                continue
            except UserError as error:
                raise copy.copy(error) from None

    async def _make(self, key: Hashable, mine: "Future[T]", make: Callable[[], Awaitable[T]]) -> T:
        try:
            made = await make()
        except BaseException as error:
            self._end(key)
            mine.set_exception(copy.copy(error) if isinstance(error, UserError) else _LeftError())
            raise
        self._end(key)
        mine.set_result(made)
        return made

    def _end(self, key: Hashable) -> None:
        with self._guard:
            del self._running[key]
