"""The Lessons page: the list, one lesson step by step, or the laboratory."""

import streamlit as st

from rag_variants.errors import LessonsError, UserError
from rag_variants.evaluation.plan import Plan
from rag_variants.lessons.reader import LessonSet
from rag_variants.lessons.words import LessonWords
from rag_variants.metrics import DEFAULT_METRICS
from rag_variants.ui.caches import read_plan, read_sample_lessons
from rag_variants.ui.frame import open_page, show_note, show_problem
from rag_variants.ui.text import as_typed
from rag_variants.ui.url import Selection, select
from rag_variants.ui.views.language_switch import draw_language
from rag_variants.ui.views.lesson import draw_lesson
from rag_variants.ui.views.lesson_list import draw_lesson_list


def draw_lessons_page() -> None:
    """The whole page in the chosen language. Where it is, and the language, stand in the URL."""
    selection = open_page("Lessons")
    say = LessonWords(selection.language)
    if selection.room == "laboratory":
        _draw_top(selection, say)
        _draw_laboratory(selection)
        return
    if selection.documents or selection.questions:
        _draw_top(selection, say)
        show_note(as_typed(say("no_lessons_here")), "no lessons", "school")
        st.button(say("use_sample"), on_click=lambda: select(documents="", questions="", slice="", question=""))
        return
    try:
        lessons = read_sample_lessons()
        plan = read_plan("", "", DEFAULT_METRICS)
    except UserError as error:
        _draw_top(selection, say)
        show_problem(str(error))
        return
    if selection.lesson:
        _draw_one(selection, lessons, plan, say)
    else:
        _draw_top(selection, say)
        draw_lesson_list(lessons, plan, say)


def _draw_one(selection: Selection, lessons: LessonSet, plan: Plan, say: LessonWords) -> None:
    try:
        lesson = lessons.find(selection.lesson)
    except LessonsError as error:
        show_problem(str(error))
        st.button(say("all_lessons"), on_click=lambda: select(lesson="", step="story"))
        return
    draw_lesson(lesson, lessons, plan, selection, say)


def _draw_top(selection: Selection, say: LessonWords) -> None:
    """Lessons or laboratory, and the language."""
    rooms, language = st.columns([6, 2], vertical_alignment="center")
    st.session_state["room"] = "laboratory" if selection.room == "laboratory" else "lessons"
    rooms.segmented_control(
        "Room", ["lessons", "laboratory"], format_func=lambda each: say(each), key="room", required=True,
        label_visibility="collapsed", on_change=lambda: select(room=st.session_state["room"]),
    )  # fmt: skip
    with language, st.container(horizontal=True, horizontal_alignment="right"):
        draw_language(selection, say("language"))


def _draw_laboratory(selection: Selection) -> None:
    from rag_variants.ui.views.laboratory import draw_laboratory

    draw_laboratory(selection.language)
