"""The latest finished results, by what decides them; all visits share them."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

from rag_variants.evaluation.identity import Key, comparison_key
from rag_variants.evaluation.plan import Plan
from rag_variants.pipeline.variant import Variant
from rag_variants.ui.endpoints import visit_settings

T = TypeVar("T")


def key_of(a: Variant, b: Variant, plan: Plan) -> Key:
    """Everything that decides a comparison's numbers in this visit."""
    return comparison_key(a, b, plan, visit_settings())


class CachedResults(Generic[T]):
    """At most `limit` results; the one used longest ago goes first. Threads may share it.

    `weigh` says for how many a result counts, by default for one; the last result is kept whatever it weighs.
    """

    def __init__(self, limit: int = 8, weigh: Callable[[T], int] = lambda _: 1) -> None:
        self._limit, self._weigh = limit, weigh
        self._held: OrderedDict[Key, T] = OrderedDict()
        self._guard = threading.Lock()

    def find(self, key: Key) -> T | None:
        """The result of a key, or None."""
        with self._guard:
            if key in self._held:
                self._held.move_to_end(key)
            return self._held.get(key)

    def keep(self, key: Key, result: T) -> None:
        """Keeps a finished result."""
        with self._guard:
            self._held[key] = result
            weight = sum(map(self._weigh, self._held.values()))
            while weight > self._limit and len(self._held) > 1:
                weight -= self._weigh(self._held.popitem(last=False)[1])
