"""Which questions of a comparison are shown: filters over the rows that the report orders."""

from collections.abc import Collection, Sequence

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.reasons.signals import count_signals
from rag_variants.report.question_rows import QuestionRow, question_rows

__all__ = ["QuestionRow", "count_states", "filter_rows", "find_signalled", "first_filter", "question_rows"]


def filter_rows(
    rows: Sequence[QuestionRow], shown: str, tag: str = "", among: Collection[str] | None = None
) -> tuple[QuestionRow, ...]:
    """The rows of a state (`all`: of every state) that carry a tag such as `kind=stale`; improvements best first.

    `among` are the ids that may be shown; None means every one.
    """
    name, _, value = tag.partition("=")
    kept = [
        row
        for row in rows
        if shown in ("all", row.state)
        and (not tag or row.question.tag(name) == value)
        and (among is None or row.question.id in among)
    ]
    return tuple(reversed(kept) if shown == "improvements" else kept)


def count_states(rows: Sequence[QuestionRow], tag: str = "", among: Collection[str] | None = None) -> dict[str, int]:
    """How many rows each filter shows."""
    states = ("regressions", "improvements", "ties", "unscored", "all")
    return {state: len(filter_rows(rows, state, tag, among)) for state in states}


def first_filter(counts: dict[str, int]) -> str:
    """The filter to begin with: the first that shows something."""
    return next((state for state in ("regressions", "improvements") if counts[state]), "all")


def find_signalled(comparison: Comparison, signal: str) -> frozenset[str] | None:
    """The ids of the questions that show a signal on either side; None without one."""
    count = next((each for each in count_signals(comparison) if each.rule.name == signal), None) if signal else None
    return frozenset((*count.a.questions, *count.b.questions)) if count else None
