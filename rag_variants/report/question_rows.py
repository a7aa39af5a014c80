"""The questions of a comparison for one metric, worst first."""

from dataclasses import dataclass
from typing import Literal

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.runs import ScoredRecord
from rag_variants.metrics import all_metrics
from rag_variants.types import Question

State = Literal["regressions", "improvements", "ties", "unscored"]
_TIE = 1e-9


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """One question under a metric: both values, B − A, and what that is in the metric's own direction."""

    question: Question
    a: float | None
    b: float | None
    delta: float | None
    state: State


def question_rows(comparison: Comparison, metric: str) -> tuple[QuestionRow, ...]:
    """Every question, worst for B first; those without a delta last; ties in file order."""
    sign = 1 if all_metrics()[metric].higher_is_better else -1
    rows = [_row(left, right, metric, sign) for left, right in comparison.pairs]
    return tuple(sorted(rows, key=lambda row: (row.delta is None, sign * (row.delta or 0.0))))


def _row(left: ScoredRecord, right: ScoredRecord, metric: str, sign: int) -> QuestionRow:
    a, b = (row.scores[metric].value if metric in row.scores else None for row in (left, right))
    delta = None if a is None or b is None else b - a
    state: State = "ties"
    if delta is None:
        state = "unscored"
    elif sign * delta < -_TIE:
        state = "regressions"
    elif sign * delta > _TIE:
        state = "improvements"
    return QuestionRow(left.record.question, a, b, delta, state)
