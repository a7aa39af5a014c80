"""A trial whose runs are kept."""

from collections.abc import Iterator

from rag_variants.experiment.trial import Trial
from rag_variants.experiment.work import Progress
from rag_variants.kept_runs import keep_finished


class KeptTrial(Trial):
    """A and B over a plan, both runs put on disk once the last question is done."""

    def steps(self) -> Iterator[Progress]:
        """Answers and scores question by question. Raises UserError if it cannot start, or a run cannot be kept."""
        yield from super().steps()
        keep_finished(self.runs)
