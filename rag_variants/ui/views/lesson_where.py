"""Where a lesson's difference lies: by tag, and in the worst tenth of its questions. The mean may hide both."""

import math

import pandas as pd
import streamlit as st

from rag_variants.evaluation.comparison import SliceDelta
from rag_variants.lessons.outcome import LessonOutcome
from rag_variants.lessons.words import LessonWords
from rag_variants.report.words import signed, wins_words
from rag_variants.ui.rows import QuestionRow, question_rows
from rag_variants.ui.text import as_typed

# Tags that say which lesson a question was written for say nothing about the question.
_OF_LESSONS = ("lesson", "set")


def draw_lesson_where(outcome: LessonOutcome, say: LessonWords) -> None:
    """Slices of the watched metric and the worst tenth; open by itself where a slice goes against the mean."""
    metric = outcome.lesson.metric
    slices = {
        label: deltas[metric]
        for label, deltas in outcome.comparison.slices.items()
        if metric in deltas and not label.startswith(tuple(f"{tag}=" for tag in _OF_LESSONS))
    }
    worst = worst_tenth(question_rows(outcome.comparison, metric))
    against = any(_goes_against(each, outcome) for each in slices.values())
    with st.expander(say("where"), expanded=against):
        st.dataframe(
            pd.DataFrame(
                [
                    {say("tag"): label, "B − A": say.figures(signed(each.mean)), "n": each.n, "▲ = ▼": wins_words(each)}
                    for label, each in slices.items()
                ]
            ),
            hide_index=True,
            width="content",
        )
        if worst:
            mean = sum(row.delta or 0.0 for row in worst) / len(worst)
            ids = ", ".join(row.question.id for row in worst)
            st.markdown(as_typed(say("worst_tenth", n=len(worst), mean=say.figures(signed(mean)), ids=ids)))
        st.caption(as_typed(say("slices_note")))


def worst_tenth(rows: tuple[QuestionRow, ...]) -> tuple[QuestionRow, ...]:
    """The tenth of the questions (rounded up) on which B does worst against A; those without a delta do not count."""
    scored = tuple(row for row in rows if row.delta is not None)
    return scored[: math.ceil(len(scored) / 10)]


def _goes_against(part: SliceDelta, outcome: LessonOutcome) -> bool:
    """Whether B wins over all and loses in the slice, or the other way round."""
    whole = outcome.watched
    return (whole.wins - whole.losses) * (part.wins - part.losses) < 0
