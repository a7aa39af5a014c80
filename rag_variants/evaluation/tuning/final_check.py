"""The one look at the held-out questions: the setting that a sweep recommends against its start."""

from collections.abc import Iterator
from dataclasses import replace

from rag_variants.errors import QuestionsError
from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.trial import Trial
from rag_variants.evaluation.tuning.tuning_log import TuningLog, opening_holdout
from rag_variants.evaluation.work import Progress
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.variant import Variant
from rag_variants.questions.holdout import HOLDOUT_PART, holdout_questions


class FinalCheck:
    """`Work` whose result compares two variants on held-out questions; the first step opens them.

    That they were opened is remembered before anything is asked. Raises StateError if it cannot be.
    """

    def __init__(self, start: Variant, found: Variant, held: Plan, bench: Bench, log: TuningLog) -> None:
        self._pair, self._held, self._bench, self._log = (start, found), held, bench, log
        self._trial: Trial | None = None

    def steps(self) -> Iterator[Progress]:
        """Opens the hold-out, then answers and scores question by question on both."""
        if self._trial is None:
            self._trial = Trial(*self._pair, opening_holdout(self._held, self._log), self._bench)
        yield from self._trial.steps()

    def result(self) -> Comparison | None:
        """The comparison over the held-out questions that are done; None before the first."""
        return self._trial.result() if self._trial else None

    @property
    def complete(self) -> bool:
        """Whether every held-out question is done."""
        return self._trial is not None and self._trial.complete


def held_out_plan(plan: Plan) -> Plan:
    """The plan over the held-out questions of its file. Raises QuestionsError if the file has none."""
    held = holdout_questions(plan.whole or plan.questions)
    if not held.questions:
        raise QuestionsError(
            f"A final check needs held-out questions, and none of {held.name} is tagged {HOLDOUT_PART}. Tag some "
            f"before tuning, or leave the final check away."
        )
    return replace(plan, questions=held, slice=HOLDOUT_PART, notes=())


def opened_before(plan: Plan, log: TuningLog) -> str | None:
    """The day (YYYY-MM-DD) on which a held-out question of the plan's file was asked first; None if none was."""
    return log.opened((plan.whole or plan.questions).questions)
