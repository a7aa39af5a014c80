"""One comparison being made in a thread of its own. Nothing here calls Streamlit."""

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rag_variants.errors import UserError
from rag_variants.experiment.plan import Plan
from rag_variants.ui.kept import KeptComparisons, Key, key_of
from rag_variants.variants.base import Variant
from rag_variants.variants.stages import Bench

if TYPE_CHECKING:
    from rag_variants.experiment.compare import Comparison
    from rag_variants.experiment.run import Experiment


@dataclass(frozen=True, slots=True)
class Snapshot:
    """How far a job is: what it does in words, and the share 0…1 of that step."""

    words: str
    share: float


class Job:
    """Runs A and B over a plan. What was finished is kept, whenever it is stopped."""

    def __init__(self, a: Variant, b: Variant, plan: Plan, bench: Bench, kept: KeptComparisons) -> None:
        self.key: Key = key_of(a, b, plan)
        self.comparison: Comparison | None = None
        self.problem: str | None = None
        self._variants, self._plan, self._bench, self._kept = (a, b), plan, bench, kept
        self._stop = threading.Event()
        self._snapshot = Snapshot("Loading the libraries", 0.0)
        self._thread = threading.Thread(target=self._work, name="rag-variants job", daemon=True)

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

    def _work(self) -> None:
        try:
            self._compare()
        except UserError as error:
            self.problem = str(error)
        except Exception as error:  # a variant or metric may come from any package; the page must hear of it
            name = type(error).__name__
            self.problem = f"The comparison failed ({name}: {error}). Run it again, or change a setting."

    def _compare(self) -> None:
        from rag_variants.experiment.compare import compare_runs
        from rag_variants.experiment.run import Experiment

        experiment = Experiment(self._variants, self._plan, self._bench)
        self._follow(experiment)
        a, b = experiment.runs()
        if not a.rows:
            self.problem = "Stopped before the first question was done. Run it again for a result."
            return
        self.comparison = compare_runs(a, b)
        if a.complete and b.complete:
            self._kept.keep(self.key, self.comparison)

    def _follow(self, experiment: "Experiment") -> None:
        step, begin = "", time.perf_counter()
        for progress in experiment.steps():
            if progress.step != step:
                step, begin, first = progress.step, time.perf_counter(), progress.done
            self._snapshot = _describe(progress.step, progress.done, progress.of, time.perf_counter() - begin, first)
            if self._stop.is_set():
                return


def _describe(step: str, done: int, of: int, seconds: float, first: int) -> Snapshot:
    what = "new passages embedded" if step == "embedding" else "questions answered and scored"
    counted = done - first
    left = f", about {seconds_words(seconds / counted * (of - done))} left" if counted and done < of else ""
    return Snapshot(f"{done} of {of} {what}{left}", done / of if of else 1.0)


def seconds_words(seconds: float) -> str:
    """A time as a person says it: `4 s`, `2 min`."""
    return f"{max(1, round(seconds))} s" if seconds < 90 else f"{round(seconds / 60)} min"
