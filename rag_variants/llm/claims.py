"""What several threads want made is made by the first that asks."""

import threading
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)


class Claims(Generic[K]):
    """Keys that are being made, each by one thread, for all who want them."""

    def __init__(self) -> None:
        self._running: dict[K, Future[None]] = {}
        self._guard = threading.Lock()

    def make(self, wanted: Sequence[K], is_made: Callable[[K], bool], make: Callable[[list[K]], None]) -> None:
        """Returns when all are made. What nobody has made or is making is made here, then the others are waited for.

        Raises what `make` raises, here or in the other thread.
        """
        mine_done: Future[None] = Future()
        with self._guard:
            others = {self._running[key] for key in wanted if key in self._running}
            mine = [key for key in wanted if key not in self._running and not is_made(key)]
            self._running.update(dict.fromkeys(mine, mine_done))
        try:
            if mine:
                make(mine)
            mine_done.set_result(None)
        except BaseException as error:
            mine_done.set_exception(error)
            raise
        finally:
            with self._guard:
                for key in mine:
                    del self._running[key]
        for other in others:
            other.result()
