"""Results kept by value while the program runs, each made once, the least recently used going first."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Timed(Generic[T]):
    """A value and the milliseconds that it took when it was made."""

    value: T
    milliseconds: float


def timed(make: Callable[[], T]) -> Timed[T]:
    """What `make` gives, with the milliseconds it took."""
    begin = time.perf_counter()
    value = make()
    return Timed(value, (time.perf_counter() - begin) * 1000)


class StageCache:
    """The latest results of each kind, shared by all variants, by threads and by later runs. It knows none of them.

    Two threads that ask for the same key make it once; one that fails leaves nothing behind, and the next one tries
    again. At most `limit` results of a kind are held, unless `get` names another limit.
    """

    def __init__(self, limit: int = 24) -> None:
        self._limit = limit
        self._held: dict[str, OrderedDict[Hashable, Any]] = {}
        self._locks: dict[tuple[str, Hashable], threading.Lock] = {}
        self._guard = threading.Lock()

    def get(self, kind: str, key: Hashable, make: Callable[[], T], limit: int | None = None) -> T:
        """The result of a kind for a key, made if there is none. Raises what `make` raises."""
        with self._guard:
            shelf = self._held.setdefault(kind, OrderedDict())
            if key in shelf:
                shelf.move_to_end(key)
                return shelf[key]  # type: ignore[no-any-return]
            lock = self._locks.setdefault((kind, key), threading.Lock())
        try:
            with lock:
                with self._guard:
                    if key in shelf:
                        return shelf[key]  # type: ignore[no-any-return]
                made = make()
                with self._guard:
                    shelf[key] = made
                    while len(shelf) > (limit or self._limit):
                        shelf.popitem(last=False)
                return made
        finally:
            with self._guard:
                self._locks.pop((kind, key), None)

    def has(self, kind: str, key: Hashable) -> bool:
        """Whether there is a result of a kind for a key."""
        with self._guard:
            return key in self._held.get(kind, ())

    def forget(self, kind: str) -> None:
        """Drops all results of a kind."""
        with self._guard:
            self._held.pop(kind, None)
