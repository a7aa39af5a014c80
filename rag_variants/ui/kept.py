"""The latest finished results, by what decides them."""

import threading
from collections import OrderedDict
from typing import Generic, TypeVar

from rag_variants.experiment.plan import Plan
from rag_variants.ui.jobs import Key
from rag_variants.variants.answering.recordings import recording_stamp
from rag_variants.variants.base import Variant

T = TypeVar("T")


def key_of(a: Variant, b: Variant, plan: Plan) -> Key:
    """Everything that decides a comparison's numbers."""
    names = tuple(metric.name for metric in plan.metrics)
    sources = (plan.knowledge.fingerprint, plan.questions.fingerprint, plan.knowledge.name, plan.questions.name)
    files = (recording_stamp(a.answerer), recording_stamp(b.answerer))
    return (a, b, *files, *sources, names, plan.judge, plan.judge_embeddings, plan.seed, plan.today, plan.slice)


class KeptResults(Generic[T]):
    """At most `limit` results; the one used longest ago goes first. Threads may share it."""

    def __init__(self, limit: int = 8) -> None:
        self._limit = limit
        self._kept: OrderedDict[Key, T] = OrderedDict()
        self._guard = threading.Lock()

    def find(self, key: Key) -> T | None:
        """The result of a key, or None."""
        with self._guard:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def keep(self, key: Key, result: T) -> None:
        """Keeps a finished result."""
        with self._guard:
            self._kept[key] = result
            while len(self._kept) > self._limit:
                self._kept.popitem(last=False)
