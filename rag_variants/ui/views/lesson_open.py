"""Open it: the question that shows the difference best, or any other of the lesson, worst first."""

import streamlit as st

from rag_variants.lessons.outcome import LessonOutcome
from rag_variants.lessons.words import LessonWords
from rag_variants.report.words import signed
from rag_variants.ui.rows import QuestionRow, question_rows
from rag_variants.ui.url import Selection, select
from rag_variants.ui.views.question import draw_question


def draw_opened(outcome: LessonOutcome, selection: Selection, say: LessonWords) -> None:
    """A choice among the lesson's questions, and the chosen one from its text down to both chunk lists."""
    lesson = outcome.lesson
    rows = {row.question.id: row for row in question_rows(outcome.comparison, lesson.metric)}
    opened = next((each for each in (selection.question, lesson.show) if each in rows), next(iter(rows)))
    st.session_state["lesson question"] = opened
    st.selectbox(
        say("open_question"),
        list(rows),
        format_func=lambda each: _words(rows[each], lesson.show == each, say),
        key="lesson question",
        filter_mode="contains",
        on_change=lambda: select(question=st.session_state["lesson question"] or ""),
    )
    draw_question(outcome.comparison, rows[opened].question)


def _words(row: QuestionRow, best: bool, say: LessonWords) -> str:
    mark = f" ★ {say('shows_best')}" if best else ""
    return f"{say.figures(signed(row.delta))} · {row.question.id} · {row.question.user_input}{mark}"
