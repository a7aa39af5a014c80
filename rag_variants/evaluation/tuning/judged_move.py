"""The metrics that need answers or a judge, for a moved setting against its pin."""

from collections.abc import Iterator, Sequence

from rag_variants.evaluation.compare import compare_runs
from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.known_runs import KnownRuns
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.runs import Run
from rag_variants.evaluation.work import Progress
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.variant import Variant


class JudgedMove:
    """`Work` whose result compares the pin (A) with the setting at hand (B); known runs are not made again.

    So a move costs the answers and verdicts of one variant. Raises ComparisonError for a known run of another plan.
    """

    def __init__(self, pin: Variant, now: Variant, plan: Plan, bench: Bench, known: Sequence[Run] = ()) -> None:
        self._pin, self._now = pin, now
        self._runs = KnownRuns([pin, now], plan, bench, known)

    def steps(self) -> Iterator[Progress]:
        """Answers and scores question by question. Raises UserError if it cannot start."""
        return self._runs.steps()

    def result(self) -> Comparison | None:
        """The comparison over the questions done on both; None before the first."""
        runs = self._runs.runs()
        pin, now = runs[self._pin], runs[self._now]
        return compare_runs(pin, now) if pin.rows else None

    @property
    def complete(self) -> bool:
        """Whether every question is done on both."""
        return self._runs.complete
