"""One lesson, step by step: story, what differs, guess, reveal, open it, takeaway."""

import streamlit as st

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.plan import Plan
from rag_variants.lessons.lesson import Lesson
from rag_variants.lessons.outcome import LessonOutcome, lesson_plan
from rag_variants.lessons.reader import LessonSet
from rag_variants.lessons.words import LessonWords
from rag_variants.pipeline import print_variant
from rag_variants.pipeline.setting import settings_of
from rag_variants.pipeline.spec import differing_settings
from rag_variants.pipeline.variant import Variant
from rag_variants.ui.controls import BADGES
from rag_variants.ui.frame import begin_at_top, show_note
from rag_variants.ui.lesson_runs import follow_lesson, shown_outcome
from rag_variants.ui.text import as_typed
from rag_variants.ui.url import STEPS, Selection, select
from rag_variants.ui.views.language_switch import draw_language
from rag_variants.ui.views.lesson_guess import draw_guess
from rag_variants.ui.views.lesson_open import draw_opened
from rag_variants.ui.views.lesson_reveal import draw_not_here, draw_reveal
from rag_variants.ui.workplace import Follow, Workplace

AFTER_GUESS = ("reveal", "open", "takeaway")


def draw_lesson(lesson: Lesson, lessons: LessonSet, plan: Plan, selection: Selection, say: LessonWords) -> None:
    """The step that the URL names. The variants run in the background from the first step on."""
    place = follow_lesson(lesson, plan)
    begin_at_top(lessons.lessons.index(lesson), STEPS.index(selection.step))
    _draw_head(lesson, selection, say)
    _draw_moves(lesson, lessons, selection, say, "top", ("Left", "Right"))
    st.caption(f":material/co_present: {as_typed(say(f'cue_{selection.step}'))}")
    progress = st.empty()
    walk = None
    if selection.step in AFTER_GUESS:
        walk = _draw_after(lesson, plan, place, selection, say)
    else:
        _draw_before(lesson, plan, selection.step, say)
    _draw_moves(lesson, lessons, selection, say, "bottom", ("PageUp", "PageDown"))
    if selection.room == "presentation":
        st.caption(as_typed(say("keys")))
    if selection.step in AFTER_GUESS:
        place.draw_progress(progress)
    if walk is not None:
        walk()


def _draw_before(lesson: Lesson, plan: Plan, step: str, say: LessonWords) -> None:
    size = sum(map(lesson.part.holds, plan.questions.questions))
    if step == "story":
        with st.container(key="lead story"):
            st.text(lesson.story.say(say.language))
    elif step == "differs":
        _draw_differs(lesson, size, say)
    else:
        draw_guess(lesson, size, say)


def _draw_after(
    lesson: Lesson, plan: Plan, place: Workplace[Comparison], selection: Selection, say: LessonWords
) -> Follow | None:
    """The steps that need a result; while there is none, why. Returns what follows a ladder's progress, if any."""
    outcome = shown_outcome(lesson, plan, place)
    if outcome is None:
        _draw_waiting(place, say)
    elif selection.step == "reveal":
        return draw_reveal(outcome, lesson_plan(lesson, plan), selection, say)
    elif selection.step == "open":
        draw_opened(outcome, selection, say)
    else:
        _draw_takeaway(outcome, say)
    return None


def _draw_waiting(place: Workplace[Comparison], say: LessonWords) -> None:
    place.draw_problem()
    if place.job is not None:
        st.caption(as_typed(say("still_running")))
        return
    if not place.problem:
        show_note(as_typed(say("stopped")), "stopped", "timelapse")

    def again() -> None:
        place.tried = place.shown = None

    st.button(say("run_again"), key="run again", on_click=again)


def _draw_head(lesson: Lesson, selection: Selection, say: LessonWords) -> None:
    """Chapter and title; the language, and the switch to large type and back."""
    presenting = selection.room == "presentation"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        with st.container(gap=None, width="stretch"):
            st.caption(as_typed(lesson.chapter.say(say.language)))
            st.subheader(as_typed(lesson.title.say(say.language)), anchor=False)
        if not presenting:
            with st.container(width="content"):
                draw_language(selection, say("language"))
        st.button(
            say("leave" if presenting else "present"),
            key="present",
            width="content",
            icon=":material/close:" if presenting else ":material/present_to_all:",
            shortcut="Esc" if presenting else None,
            on_click=select,
            kwargs={"room": "lessons" if presenting else "presentation"},
        )


def _draw_moves(
    lesson: Lesson, lessons: LessonSet, selection: Selection, say: LessonWords, where: str, keys: tuple[str, str]
) -> None:
    """Back, where one is, next; at both ends the list and the next lesson."""
    at = STEPS.index(selection.step)
    row = st.container(
        horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", gap="small",
        key=f"moves {where}",
    )  # fmt: skip
    with row:
        if at:
            _move(say("back"), f"back {where}", keys[0], step=STEPS[at - 1])
        else:
            _move(say("all_lessons"), f"list {where}", keys[0], lesson="", room="lessons")
        if where == "top":
            names = [f"**{say(step)}**" if step == selection.step else say(step) for step in STEPS]
            st.markdown(" › ".join(names), width="content")
        if at < len(STEPS) - 1:
            _move(say("next"), f"next {where}", keys[1], primary=True, step=STEPS[at + 1])
            return
        ids = [each.id for each in lessons.lessons]
        following = ids[ids.index(lesson.id) + 1 :]
        if following:
            _move(say("next_lesson"), f"lesson {where}", keys[1], primary=True, lesson=following[0], step=STEPS[0])
        else:
            _move(say("all_lessons"), f"end {where}", keys[1], primary=True, lesson="", step=STEPS[0], room="lessons")


def _move(label: str, key: str, shortcut: str, primary: bool = False, **changes: str) -> None:
    st.button(
        label, key=f"move {key}", type="primary" if primary else "secondary", shortcut=shortcut,
        on_click=select, kwargs={"question": "", **changes},
    )  # fmt: skip


def _draw_differs(lesson: Lesson, size: int, say: LessonWords) -> None:
    """Both variants in full, each setting that differs with its meaning, and the metric to watch."""
    for side, column in zip("ab", st.columns(2, gap="medium"), strict=True):
        with column.container(border=True):
            variant = lesson.a if side == "a" else lesson.b
            st.markdown(f"{BADGES[side]} **{as_typed(print_variant(variant))}**")
            if lesson.a.name != lesson.b.name:
                st.markdown(as_typed(say.variant_summary(variant.name, variant.summary)))
    for name, left, right in differing_settings(lesson.a, lesson.b):
        label, help_ = _setting_words(lesson.a, name, say)
        values = f":blue-badge[{as_typed(left or '–')}] → :orange-badge[{as_typed(right or '–')}]"
        st.markdown(f"**{as_typed(label)}**: {values}")
        if help_:
            st.caption(help_)  # Markdown of the setting's own, as in the settings panel
    if lesson.choose:
        st.markdown(as_typed(say("same_questions_only", n=size)))
        return
    metric = say.metric(lesson.metric)
    st.markdown(as_typed(say("same_questions", n=size, metric=metric)))
    st.caption(f"**{as_typed(metric)}**: {as_typed(say.metric_help(lesson.metric))}")


def _setting_words(variant: Variant, name: str, say: LessonWords) -> tuple[str, str]:
    """A setting's label and help; the kind of variant has a label alone."""
    if name == "variant":
        return say("variant"), ""
    texts = settings_of(variant)[name][1]
    return texts.label, say.setting_help(name, texts.help)


def _draw_takeaway(outcome: LessonOutcome, say: LessonWords) -> None:
    draw_not_here(outcome, say)
    if outcome.holds:
        with st.container(key="lead takeaway"):
            st.text(outcome.lesson.takeaway.say(say.language))
