"""A ladder as work: every rung over the same questions, question by question."""

from collections.abc import Iterator, Sequence

from rag_variants.evaluation.known_runs import KnownRuns
from rag_variants.evaluation.ladder.ladder import Ladder, build_ladder
from rag_variants.evaluation.ladder.rungs import Rung
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.runs import Run
from rag_variants.evaluation.work import Progress
from rag_variants.pipeline.bench import Bench


class Climb:
    """The rungs of a ladder over a plan: `Work` whose result is the ladder over the questions done so far.

    `known` are runs over the same plan; a rung that has a complete one is not run again. Raises ComparisonError for a
    run over another plan, before any work is done.
    """

    def __init__(self, rungs: Sequence[Rung], plan: Plan, bench: Bench, known: Sequence[Run] = ()) -> None:
        self._rungs = tuple(rungs)
        self._runs = KnownRuns([rung.variant for rung in rungs], plan, bench, known)

    def steps(self) -> Iterator[Progress]:
        """Answers and scores question by question on rungs that have no run. Raises UserError if it cannot start."""
        return self._runs.steps()

    def result(self) -> Ladder | None:
        """The ladder over the questions that are done on every rung; None before the first."""
        runs = self._runs.runs()
        climbed = [runs[rung.variant] for rung in self._rungs]
        return build_ladder(self._rungs, climbed) if climbed[0].rows else None

    @property
    def complete(self) -> bool:
        """Whether every question is done on every rung."""
        return self._runs.complete
