"""Two variants over the same questions, step by step, up to their comparison."""

from collections.abc import Iterator

from rag_variants.evaluation.compare import compare_runs
from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.run import Experiment
from rag_variants.evaluation.runs import Run
from rag_variants.evaluation.work import Progress
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.variant import Variant


class Trial:
    """A and B over a plan: `Work` whose result is their comparison over the questions done so far."""

    def __init__(self, a: Variant, b: Variant, plan: Plan, bench: Bench) -> None:
        self._experiment = Experiment([a, b], plan, bench)

    def steps(self) -> Iterator[Progress]:
        """Answers and scores question by question on both sides. Raises UserError if it cannot start."""
        return self._experiment.steps()

    @property
    def runs(self) -> tuple[Run, ...]:
        """Both runs over the questions done so far."""
        return self._experiment.runs()

    def result(self) -> Comparison | None:
        """The comparison over the questions that are done; None before the first."""
        a, b = self._experiment.runs()
        return compare_runs(a, b) if a.rows else None

    @property
    def complete(self) -> bool:
        """Whether every question is done."""
        return all(run.complete for run in self._experiment.runs())
