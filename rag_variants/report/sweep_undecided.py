"""A sweep that decides nothing, in words: one setting alone, or too few questions that differ."""

from rag_variants.evaluation.statistics.signflips import MIN_DIFFERING
from rag_variants.evaluation.tuning.points import Point
from rag_variants.evaluation.tuning.sweep import Sweep
from rag_variants.report.sweep_rows import metric_label, point_words
from rag_variants.report.words import inside_sentence, plain


def undecided_sentence(sweep: Sweep, best: Point) -> str:
    """Why nothing is recommended: one setting alone, or too few questions that differ. The best mean is named."""
    mean = f"{inside_sentence(metric_label(sweep))} {plain(best.mean(sweep.metric), 3)}"
    differing = sweep.differing
    if differing is None:
        how = "measured" if len(sweep.points) == 1 else "scored"
        return f"Only one setting could be {how}, {point_words(sweep, best)} ({mean}), so nothing was compared."
    if differing == 0:
        return (
            f"No question differs, so there is nothing to choose by: every setting has {mean}. The simplest is "
            f"{point_words(sweep, best)}."
        )
    return (
        f"Too few questions differ to choose: no setting differs from {point_words(sweep, best)} on more than "
        f"{questions_words(differing)}, and {MIN_DIFFERING} are the least that can tell. The best mean is {mean}, of "
        f"{point_words(sweep, best)}."
    )


def closed_sentence(sweep: Sweep) -> str:
    """Why the hold-out stays closed after a sweep; "" where another setting than the start is recommended."""
    if sweep.best is None or sweep.differing is None:
        why = "nothing was compared"
    elif not sweep.decided:
        why = "too few questions differ to choose" if sweep.differing else "no question differs"
    else:
        why = "no other setting is recommended" if sweep.recommended is sweep.start else ""
    return f"{why[:1].upper()}{why[1:]}, so the hold-out stays closed." if why else ""


def questions_words(count: int) -> str:
    """`1 question`, `4,770 questions`."""
    return f"{count:,} question{'' if count == 1 else 's'}"
