"""A trial whose runs are saved."""

from collections.abc import Iterator

from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.trial import Trial
from rag_variants.evaluation.tuning.tuning_log import open_tuning_log, opening_holdout
from rag_variants.evaluation.work import Progress
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.variant import Variant
from rag_variants.storage.saved_runs import save_finished


class SavedTrial(Trial):
    """A and B over a plan, both runs put on disk once the last question is done.

    A plan that asks held-out questions opens them: that is remembered. Raises StateError if it cannot be.
    """

    def __init__(self, a: Variant, b: Variant, plan: Plan, bench: Bench) -> None:
        self._settings = bench.settings
        super().__init__(a, b, opening_holdout(plan, open_tuning_log(bench.settings)), bench)

    def steps(self) -> Iterator[Progress]:
        """Answers and scores question by question. Raises UserError if it cannot start, or a run cannot be saved."""
        yield from super().steps()
        save_finished(self.runs, self._settings)
