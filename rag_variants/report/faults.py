"""Planted faults in words: what a reader of simulated answers has to know."""

from collections.abc import Sequence

from rag_variants.evaluation.judging.faults import FaultReview, review_faults
from rag_variants.evaluation.runs import Run
from rag_variants.types import FaultKind

KIND_WORDS: dict[FaultKind, str] = {
    "number": "a number changed",
    "date": "a date changed",
    "negation": "a negation added or taken away",
    "elsewhere": "a sentence from another document",
}


def fault_lines(sides: Sequence[tuple[str, Run]]) -> list[str]:
    """A line for each run with simulated answers: `side` and run, `""` for a run alone."""
    return [fault_line(side, review) for side, run in sides if (review := review_faults(run))]


def fault_line(side: str, review: FaultReview) -> str:
    """That answers are simulated, and how many of the planted faults the judge caught, by kind."""
    judged = sum(each.caught + each.missed for each in review.counts)
    caught = sum(each.caught for each in review.counts)
    kinds = ", ".join(f"{each.kind} {each.caught} of {each.caught + each.missed}" for each in review.counts)
    line = f"{side}: " * bool(side) + f"simulated answers: {review.answers}, with planted faults: {len(review.faults)}."
    if not judged:
        return f"{line} None was judged: choose the metric faithfulness." if review.faults else line
    left = len(review.faults) - judged
    return (
        f"{line} The judge caught {caught} of {judged} ({kinds}){f'; not judged: {left}' if left else ''}. "
        f"False alarms: {len(review.false_alarms)} of {review.honest} statements without a fault."
    )
