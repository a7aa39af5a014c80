"""What several want at the same time is made once, on the one event loop."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable, Iterable, Sequence
from typing import Any, Generic, TypeVar

from rag_variants.llm.waiting import begin

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


class _Making(Generic[K, T]):
    """What is being made for some keys, and how many wait for it."""

    def __init__(self, keys: Sequence[K], task: "asyncio.Task[T]") -> None:
        self.keys, self.task, self.waiting = tuple(keys), task, 0


class InFlight(Generic[K, T]):
    """Work that is being done, by key: who wants the same waits for it. What nobody waits for any more is stopped."""

    def __init__(self) -> None:
        self._making: dict[K, _Making[K, T]] = {}

    async def once(self, key: K, make: Callable[[], Coroutine[Any, Any, T]]) -> tuple[T, bool]:
        """What `make` gives, and whether somebody else had begun it. Raises what `make` raises."""
        shared = key in self._making
        making = self._making[key] if shared else self._begin((key,), make())
        await self._wait([making])
        return making.task.result(), shared

    async def all(self, keys: Iterable[K], make: Callable[[Sequence[K]], Coroutine[Any, Any, T]]) -> None:
        """Returns when all are made: `make` is given those that nobody is making. Raises what making them raised."""
        wanted = tuple(dict.fromkeys(keys))
        found = list(dict.fromkeys(self._making[key] for key in wanted if key in self._making))
        mine = [key for key in wanted if key not in self._making]
        if mine:
            found.insert(0, self._begin(mine, make(mine)))
        await self._wait(found)
        for each in found:
            each.task.result()

    def _begin(self, keys: Sequence[K], work: Coroutine[Any, Any, T]) -> _Making[K, T]:
        making = _Making(keys, begin(work))
        self._making.update(dict.fromkeys(keys, making))
        making.task.add_done_callback(lambda _: self._end(making))
        return making

    def _end(self, making: _Making[K, T]) -> None:
        for key in making.keys:
            if self._making.get(key) is making:
                del self._making[key]

    async def _wait(self, found: Sequence[_Making[K, T]]) -> None:
        for each in found:
            each.waiting += 1
        try:
            await asyncio.wait([each.task for each in found])
        finally:
            for each in found:
                each.waiting -= 1
                if not each.waiting and not each.task.done():
                    self._end(each)  # at once: whoever comes now begins anew
                    each.task.cancel()
