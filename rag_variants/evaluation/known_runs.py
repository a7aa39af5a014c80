"""Several variants over one plan, those that have a run already left as they are."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from rag_variants.evaluation.compare import ComparisonError
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.run import Experiment
from rag_variants.evaluation.runs import Run
from rag_variants.evaluation.work import Progress
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.spec import print_variant
from rag_variants.pipeline.variant import Variant


class KnownRuns:
    """Runs of variants by value: complete known ones as they are, the others made side by side.

    Raises ComparisonError for a known run over another plan, before any work is done.
    """

    def __init__(self, variants: Iterable[Variant], plan: Plan, bench: Bench, known: Sequence[Run] = ()) -> None:
        for run in known:
            _refuse_other_plan(run, plan)
        self._known = {run.variant: run for run in known if run.complete}
        self._experiment = Experiment(missing_variants(variants, known), plan, bench)

    def steps(self) -> Iterator[Progress]:
        """Answers and scores question by question on variants that have no run. Raises UserError if it cannot start."""
        if self._experiment.variants:
            yield from self._experiment.steps()

    def runs(self) -> dict[Variant, Run]:
        """The run of every variant over the questions that are done on all of them."""
        made = self._experiment.runs()
        runs = {**self._known, **{run.variant: run for run in made}}
        if made:
            done = {row.record.question.id for row in made[0].rows}
            runs = {variant: _restrict(run, done) for variant, run in runs.items()}
        return runs

    @property
    def complete(self) -> bool:
        """Whether every question is done on every variant."""
        return all(run.complete for run in self._experiment.runs())


def missing_variants(variants: Iterable[Variant], known: Sequence[Run]) -> tuple[Variant, ...]:
    """The variants that have no complete run yet, each once, in order."""
    have = {run.variant for run in known if run.complete}
    return tuple(variant for variant in dict.fromkeys(variants) if variant not in have)


def _refuse_other_plan(run: Run, plan: Plan) -> None:
    unlike = {
        "documents": run.knowledge.fingerprint != plan.knowledge.fingerprint,
        "questions": run.questions.fingerprint != plan.questions.fingerprint,
        "metrics": run.metrics != tuple(metric.name for metric in plan.metrics),
    }
    names = " and ".join(name for name, differs in unlike.items() if differs)
    if names:
        raise ComparisonError(
            f"The kept run of {print_variant(run.variant)} has other {names} than this run. Run it again on the "
            f"same {names}, or give the variant itself."
        )


def _restrict(run: Run, questions: Collection[str]) -> Run:
    """A run over some of its questions, so that every variant has the same ones."""
    rows = tuple(row for row in run.rows if row.record.question.id in questions)
    return run if len(rows) == len(run.rows) else replace(run, rows=rows, complete=False)
