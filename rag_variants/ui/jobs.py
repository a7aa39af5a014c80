"""Work being done in a thread of its own. Nothing here calls Streamlit."""

import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

from rag_variants.errors import UserError
from rag_variants.evaluation.work import STEP_WORDS, Progress, Work
from rag_variants.report.calls import calls_words

T = TypeVar("T")
Key = tuple[Hashable, ...]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """How far a job is: what it does in words, and the share 0…1 of that step."""

    words: str
    share: float


class Job(Generic[T]):
    """Does work in the background. What was finished is kept, whenever it is stopped.

    `key` is everything that decides the result; `open_work` is called in the thread, because the libraries it needs
    take seconds to load; `keep` gets a result that is complete. `calls` is how many a forecast has named, 0 if there
    was none: then they measure the progress, since questions end late and many at once.
    """

    def __init__(
        self, key: Key, open_work: Callable[[], Work[T]], keep: Callable[[Key, T], None], calls: int = 0
    ) -> None:
        self.key = key
        self._calls = calls
        self.result: T | None = None
        self.complete = False
        self.problem: str | None = None
        self._open_work, self._keep = open_work, keep
        self._stop = threading.Event()
        self._snapshot = Snapshot("Loading the libraries", 0.0)
        self._thread = threading.Thread(target=self._run, name="rag-variants job", daemon=True)

    def start(self) -> None:
        """Begins the work."""
        self._thread.start()

    def stop(self) -> None:
        """Asks the job to end after the step at hand."""
        self._stop.set()

    def wait(self, seconds: float) -> bool:
        """Waits that long at most; True if the job has ended."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    @property
    def snapshot(self) -> Snapshot:
        """How far it is now."""
        return self._snapshot

    def _run(self) -> None:
        try:
            self._work()
        except UserError as error:
            self.problem = str(error)
        except Exception as error:  # a variant or metric may come from any package; the page must hear of it
            name = type(error).__name__
            self.problem = f"The run failed ({name}: {error}). Try again, or change a setting."

    def _work(self) -> None:
        work = self._open_work()
        try:
            self._follow(work)
        except UserError as error:  # what was finished before it is shown all the same
            self.problem = str(error)
        result = work.result()
        if result is None:
            self.problem = self.problem or "Stopped before the first result. Try again to have one."
            return
        self.result, self.complete = result, work.complete
        if self.complete:
            self._keep(self.key, result)

    def _follow(self, work: Work[T]) -> None:
        step, begin, first = "", time.perf_counter(), 0
        for progress in work.steps():
            done = _amount(progress, self._calls)[0]
            # Pace is measured from the first finished piece on; what comes before it says nothing.
            if progress.step != step or first == 0:
                step, begin, first = progress.step, time.perf_counter(), done
            self._snapshot = _describe(progress, self._calls, time.perf_counter() - begin, first)
            if self._stop.is_set():
                return


def _amount(progress: Progress, calls: int) -> tuple[int, int]:
    """How much of how much is done: calls, where it is known how many there will be, else questions."""
    if calls and progress.answering:
        return min(progress.calls.issued if progress.calls else 0, calls), calls
    return progress.done, progress.of


def _describe(progress: Progress, calls: int, seconds: float, first: int) -> Snapshot:
    done, of = _amount(progress, calls)
    counted = done - first
    left = f", about {seconds_words(seconds / counted * (of - done))} left" if counted and done < of else ""
    asked = f" · {calls_words(progress.calls, calls)}" if progress.calls else ""
    words = f"{progress.done:,} of {progress.of:,} {STEP_WORDS[progress.step]}{left}{asked}"
    return Snapshot(words, done / of if of else 1.0)


def seconds_words(seconds: float) -> str:
    """A time as a person says it: `4 s`, `2 min`."""
    return f"{max(1, round(seconds))} s" if seconds < 90 else f"{round(seconds / 60)} min"
