"""Questions that stay out of tuning: those tagged `split=holdout`."""

from collections.abc import Iterable

from rag_variants.questions.sets import QuestionSet
from rag_variants.questions.slices import ID, Slice, read_slice
from rag_variants.types import Question

SPLIT = "split"
HOLDOUT = "holdout"
HOLDOUT_PART = f"{SPLIT}={HOLDOUT}"


def is_held_out(question: Question) -> bool:
    """Whether a question stays out of sweeps, and out of comparisons that do not ask for it."""
    return question.tag(SPLIT) == HOLDOUT


def tune_questions(questions: QuestionSet) -> QuestionSet:
    """The questions that settings may be chosen on, in file order."""
    return questions.chosen(each for each in questions.questions if not is_held_out(each))


def holdout_questions(questions: QuestionSet) -> QuestionSet:
    """The questions kept for one final check, in file order."""
    return questions.chosen(each for each in questions.questions if is_held_out(each))


def asks_for_holdout(part: str | Slice, questions: Iterable[Question]) -> bool:
    """Whether a slice means held-out questions: one that names a split, or questions by their id."""
    read = part if isinstance(part, Slice) else read_slice(part, questions)
    return any(name in (SPLIT, ID) for name, _ in read.wanted)
