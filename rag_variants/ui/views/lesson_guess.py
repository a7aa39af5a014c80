"""The guess: what the room thinks, by hands or by name, before anything is shown."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import streamlit as st

from rag_variants.lessons.guesses import Guess
from rag_variants.lessons.lesson import DIRECTIONS, Direction, Lesson
from rag_variants.lessons.words import LessonWords
from rag_variants.ui.text import as_typed


@dataclass
class Guesses:
    """What was guessed about one lesson in this browser tab."""

    named: list[Guess] = field(default_factory=list)
    hands: dict[str, int] = field(default_factory=dict)  # by direction, or by metric where one is to be chosen
    changed: int | None = None  # what the room agreed on

    def remove(self, at: int) -> None:
        """Takes back the guess at a place."""
        del self.named[at]


def guesses_of(lesson: Lesson) -> Guesses:
    """This visitor's guesses about a lesson; nothing of them is stored or sent."""
    kept: dict[str, Guesses] = st.session_state.setdefault("guesses", {})
    return kept.setdefault(lesson.id, Guesses())


def draw_guess(lesson: Lesson, size: int, say: LessonWords) -> None:
    """The question to the room, hands to count, and a form for guesses by name."""
    with st.container(key="lead ask"):
        st.text(lesson.ask.say(say.language))
    asked = lesson.choose or (lesson.metric,)
    for name in asked:
        st.caption(f"**{as_typed(say.metric(name))}**: {as_typed(say.metric_help(name))}")
    guesses = guesses_of(lesson)
    with st.container(border=True):
        _draw_hands(lesson, guesses, say)
        if not lesson.choose:
            _draw_number(lesson, guesses, size, say)
    with st.expander(say("by_name"), expanded=bool(guesses.named)):
        _draw_form(lesson, guesses, size, say)
        _draw_named(lesson, guesses, say)
    st.caption(as_typed(say("stays_here")))


def _draw_hands(lesson: Lesson, guesses: Guesses, say: LessonWords) -> None:
    """Hands for each direction, or for each metric where the room chooses among them."""
    words = {name: say.metric(name) for name in lesson.choose} or {each: say(each) for each in DIRECTIONS}
    asked = say("ask_which") if lesson.choose else say("ask_metric", metric=say.metric(lesson.metric))
    st.markdown(f"**{as_typed(asked)}** {as_typed(say('hands'))}")
    for column, option in zip(st.columns(len(words)), words, strict=True):
        key = f"hands {lesson.id} {option}"
        st.session_state[key] = guesses.hands.get(option, 0)

        def count(option: str = option, key: str = key) -> None:
            guesses.hands[option] = int(st.session_state[key] or 0)

        column.number_input(words[option], 0, 1000, step=1, key=key, on_change=count)


def _draw_number(lesson: Lesson, guesses: Guesses, size: int, say: LessonWords) -> None:
    """The number of questions that the room expects to change: many a question asks for one."""
    key = f"room number {lesson.id}"
    st.session_state[key] = guesses.changed

    def keep() -> None:
        guesses.changed = st.session_state[key]

    words = say("how_many", n=size, metric=say.metric(lesson.metric))
    st.number_input(words, 0, size, step=1, key=key, on_change=keep, width=420)


def _draw_form(lesson: Lesson, guesses: Guesses, size: int, say: LessonWords) -> None:
    """One guess of one person: every metric of the lesson, and how many questions change."""
    with st.form(f"guess {lesson.id}", border=False, clear_on_submit=True):
        name = st.text_input(say("name"), max_chars=40, key=f"guess name {lesson.id}")
        asked = lesson.choose or tuple(name for name, _ in lesson.expected)
        moves = tuple((each, _draw_choice(lesson, each, say)) for each in asked)
        changed = None
        if not lesson.choose:  # the question names the watched metric
            question = say("how_many", n=size, metric=say.metric(lesson.metric))
            changed = st.number_input(question, 0, size, value=None, step=1, key=f"guess changed {lesson.id}")
        if st.form_submit_button(say("add")) and (changed is not None or any(move for _, move in moves)):
            guesses.named.append(Guess(name.strip() or "–", moves, changed))


def _draw_choice(lesson: Lesson, metric: str, say: LessonWords) -> Direction | None:
    chosen: Direction | None = st.segmented_control(
        say.metric(metric), DIRECTIONS, format_func=lambda each: say(each), key=f"guess {lesson.id} {metric}"
    )
    return chosen


def _draw_named(lesson: Lesson, guesses: Guesses, say: LessonWords) -> None:
    """The guesses by name with a button to take one back."""
    for at, guess in enumerate(guesses.named):
        words, button = st.columns([10, 1.5], vertical_alignment="center")
        words.markdown(f"**{as_typed(guess.name)}**: {as_typed(guess_words(guess, say))}")
        button.button(say("remove"), key=f"remove {lesson.id} {at}", on_click=guesses.remove, args=(at,))


def guess_words(guess: Guess, say: LessonWords) -> str:
    """A guess on one line."""
    moves: Mapping[str, Direction | None] = dict(guess.moves)
    parts = [f"{say.metric(metric)}: {say(move)}" for metric, move in moves.items() if move]
    return " · ".join([*parts, *([str(guess.changed)] if guess.changed is not None else [])])
