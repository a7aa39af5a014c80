"""A ladder as work: every rung over the same questions, question by question."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from rag_variants.experiment.compare import ComparisonError
from rag_variants.experiment.ladder import Ladder, build_ladder
from rag_variants.experiment.plan import Plan
from rag_variants.experiment.run import Experiment
from rag_variants.experiment.rungs import Rung
from rag_variants.experiment.runs import Run
from rag_variants.experiment.work import Progress
from rag_variants.variants.base import Variant
from rag_variants.variants.spec import print_variant
from rag_variants.variants.stages import Bench


class Climb:
    """The rungs of a ladder over a plan: `Work` whose result is the ladder over the questions done so far.

    `known` are runs over the same plan; a rung that has a complete one is not run again. Raises ComparisonError for a
    run over another plan, before any work is done.
    """

    def __init__(self, rungs: Sequence[Rung], plan: Plan, bench: Bench, known: Sequence[Run] = ()) -> None:
        for run in known:
            _refuse_other_plan(run, plan)
        self._rungs = tuple(rungs)
        self._known = {run.variant: run for run in known if run.complete}
        self._experiment = Experiment(missing_variants(rungs, known), plan, bench)

    def steps(self) -> Iterator[Progress]:
        """Answers and scores question by question on rungs that have no run. Raises UserError if it cannot start."""
        if self._experiment.variants:
            yield from self._experiment.steps()

    def result(self) -> Ladder | None:
        """The ladder over the questions that are done on every rung; None before the first."""
        made = self._experiment.runs()
        runs = {**self._known, **{run.variant: run for run in made}}
        if made:
            done = {row.record.question.id for row in made[0].rows}
            runs = {variant: _restrict(run, done) for variant, run in runs.items()}
        climbed = [runs[rung.variant] for rung in self._rungs]
        return build_ladder(self._rungs, climbed) if climbed[0].rows else None

    @property
    def complete(self) -> bool:
        """Whether every question is done on every rung."""
        return all(run.complete for run in self._experiment.runs())


def missing_variants(rungs: Sequence[Rung], known: Sequence[Run]) -> tuple[Variant, ...]:
    """The variants on the way that have no complete run yet."""
    have = {run.variant for run in known if run.complete}
    return tuple(rung.variant for rung in rungs if rung.variant not in have)


def _refuse_other_plan(run: Run, plan: Plan) -> None:
    unlike = {
        "documents": run.knowledge.fingerprint != plan.knowledge.fingerprint,
        "questions": run.questions.fingerprint != plan.questions.fingerprint,
        "metrics": run.metrics != tuple(metric.name for metric in plan.metrics),
    }
    names = " and ".join(name for name, differs in unlike.items() if differs)
    if names:
        raise ComparisonError(
            f"The kept run of {print_variant(run.variant)} has other {names} than this ladder. Run it again on the "
            f"same {names}, or give the variant itself."
        )


def _restrict(run: Run, questions: Collection[str]) -> Run:
    """A run over some of its questions, so that every rung has the same ones."""
    rows = tuple(row for row in run.rows if row.record.question.id in questions)
    return run if len(rows) == len(run.rows) else replace(run, rows=rows, complete=False)
