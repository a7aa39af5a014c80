"""All lessons by chapter, with the time they need and whether they hold here."""

from functools import partial

import streamlit as st

from rag_variants.evaluation.plan import Plan
from rag_variants.lessons.course import Taught
from rag_variants.lessons.lesson import Chapter, Lesson
from rag_variants.lessons.outcome import LessonOutcome
from rag_variants.lessons.reader import LessonSet
from rag_variants.lessons.words import LessonWords
from rag_variants.report.answer_sheet import SHEET_FORMATS
from rag_variants.ui.frame import show_note
from rag_variants.ui.lesson_runs import cached_outcome, course_place, start_course
from rag_variants.ui.text import as_typed
from rag_variants.ui.url import select
from rag_variants.ui.views.downloads import TYPES
from rag_variants.ui.views.lesson_words import pair_words

Outcomes = dict[str, LessonOutcome | None]


def draw_lesson_list(lessons: LessonSet, plan: Plan, say: LessonWords) -> None:
    """The chapters; above them the run of all lessons and the answer sheet; below them what was left out."""
    st.markdown(as_typed(say("intro")))
    place = course_place(lessons, plan)
    outcomes = {lesson.id: cached_outcome(lesson, plan) for lesson in lessons.lessons}
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        minutes = sum(chapter.minutes for chapter in lessons.chapters)
        st.caption(as_typed(say("n_lessons", n=len(lessons.lessons), minutes=minutes)), width="stretch")
        pressed = st.button(
            say("run_all"), key="run all", disabled=place.job is not None, help=say("run_all_help"),
            icon=":material/play_arrow:",
        )  # fmt: skip
        _draw_sheets(lessons, outcomes, say)
    if pressed and place.job is None:
        start_course(place, lessons, plan)
    progress = st.empty()
    place.draw_problem()
    for number, chapter in enumerate(lessons.chapters, 1):
        _draw_chapter(number, chapter, outcomes, say)
    if lessons.skipped:
        lines = " ".join(f"**{as_typed(each.name)}**: {as_typed(each.reason)}." for each in lessons.skipped)
        show_note(f"{as_typed(say('left_out'))}: {lines}", "left out", "warning")
    place.draw_progress(progress)


def _draw_chapter(number: int, chapter: Chapter, outcomes: Outcomes, say: LessonWords) -> None:
    with st.container(border=True):
        title, time = st.columns([8, 2], vertical_alignment="center")
        title.markdown(f"#### {number}. {as_typed(chapter.title.say(say.language))}")
        time.caption(as_typed(say("minutes", n=chapter.minutes)), text_alignment="right")
        for lesson in chapter.lessons:
            _draw_line(lesson, outcomes[lesson.id], say)


def _draw_line(lesson: Lesson, outcome: LessonOutcome | None, say: LessonWords) -> None:
    words, state, button = st.columns([8, 2.4, 1.6], vertical_alignment="center", gap="small")
    words.markdown(f"**{as_typed(lesson.title.say(say.language))}**  \n{pair_words(lesson)}")
    state.caption(_state(outcome, say))
    button.button(
        say("begin"), key=f"begin {lesson.id}", width="stretch", on_click=select,
        kwargs={"lesson": lesson.id, "step": "story", "question": ""},
    )  # fmt: skip


def _state(outcome: LessonOutcome | None, say: LessonWords) -> str:
    if outcome is None:
        return f":material/radio_button_unchecked: {as_typed(say('not_run'))}"
    if outcome.holds:
        return f":material/check_circle: {as_typed(say('holds'))}"
    return f"**:material/error: {as_typed(say('does_not_hold'))}**"


def _draw_sheets(lessons: LessonSet, outcomes: Outcomes, say: LessonWords) -> None:
    """The answer sheet of the lessons that were run, in both formats."""
    run = [Taught(lesson, outcome, None, 0.0) for lesson in lessons.lessons if (outcome := outcomes[lesson.id])]
    for ending, write in SHEET_FORMATS.items():
        label, mime = TYPES[ending]
        st.download_button(
            f"{say('sheet')} · {label}",
            data=partial(write, run, say.language),
            file_name=f"answer-sheet-{say.language}{ending}",
            mime=mime,
            key=f"sheet {ending}",
            on_click="ignore",
            disabled=not run,
            help=say("sheet_help"),
            icon=":material/print:",
        )
