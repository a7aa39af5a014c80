"""Critical questions: a fixed set whose changes are reported one by one, apart from every mean."""

from collections.abc import Iterable
from dataclasses import dataclass

from rag_variants.errors import QuestionsError
from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.runs import ScoredRecord
from rag_variants.evaluation.statistics.signflips import TOLERANCE
from rag_variants.metrics import all_metrics
from rag_variants.questions.slices import Slice, read_slice
from rag_variants.types import Question

USUAL = "risk=high"


@dataclass(frozen=True, slots=True)
class ScoreChange:
    """A metric of one question on both sides; `delta` is B − A, None if a side has no score."""

    metric: str
    a: float | None
    b: float | None

    @property
    def delta(self) -> float | None:
        """B − A; differences under 1e-9 are 0."""
        if self.a is None or self.b is None:
            return None
        return 0.0 if abs(self.b - self.a) < TOLERANCE else self.b - self.a

    @property
    def regressed(self) -> bool:
        """Whether B is worse in the metric's own direction, or has lost the score that A has."""
        if self.delta is None:
            return self.a is not None and self.b is None
        return (self.delta < 0) if all_metrics()[self.metric].higher_is_better else (self.delta > 0)


@dataclass(frozen=True, slots=True)
class CriticalQuestion:
    """A critical question with its changes by the headline metrics."""

    question: Question
    changes: tuple[ScoreChange, ...]

    @property
    def regressed(self) -> bool:
        """Whether any headline metric is worse on B."""
        return any(change.regressed for change in self.changes)

    @property
    def moved(self) -> bool:
        """Whether anything differs, or can no longer be told."""
        return self.regressed or any(change.delta for change in self.changes)


@dataclass(frozen=True, slots=True)
class Critical:
    """The critical questions of a comparison: which they are, the metrics looked at, and each question's changes."""

    chosen: str
    metrics: tuple[str, ...]
    questions: tuple[CriticalQuestion, ...]

    @property
    def regressed(self) -> tuple[CriticalQuestion, ...]:
        """Those that are worse on B, in file order."""
        return tuple(each for each in self.questions if each.regressed)


def read_critical(text: str, questions: Iterable[Question]) -> Slice:
    """The questions that `TAG=VALUE` (or any other slice) means. Raises QuestionsError for a text that is none."""
    try:
        return read_slice(text, questions)
    except QuestionsError as error:
        raise QuestionsError(f"Critical questions: {error}") from error


def critical_questions(comparison: Comparison) -> Critical | None:
    """The critical questions of a comparison (`comparison.critical`, else `risk=high`) by the headline metrics.

    None if none were chosen and no question carries `risk=high`; without questions if nobody carries what was chosen.
    Raises QuestionsError for a choice that is no slice.
    """
    asked = [row.record.question for row, _ in comparison.pairs]
    chosen = comparison.critical or USUAL
    wanted = read_critical(chosen, asked)
    metrics = comparison.headline.metrics
    found = tuple(
        CriticalQuestion(left.record.question, tuple(_change(left, right, name) for name in metrics))
        for left, right in comparison.pairs
        if wanted.holds(left.record.question)
    )
    return Critical(chosen, metrics, found) if found or comparison.critical else None


def _change(left: ScoredRecord, right: ScoredRecord, metric: str) -> ScoreChange:
    a, b = (row.scores[metric].value if metric in row.scores else None for row in (left, right))
    return ScoreChange(metric, a, b)
