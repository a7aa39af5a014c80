"""What the room guessed beside what came out."""

from collections.abc import Mapping, Sequence

import streamlit as st

from rag_variants.lessons.guesses import changed_guesses, tally
from rag_variants.lessons.lesson import DIRECTIONS
from rag_variants.lessons.outcome import LessonOutcome
from rag_variants.lessons.words import LessonWords
from rag_variants.ui.text import as_typed
from rag_variants.ui.views.lesson_guess import Guesses, guesses_of


def draw_room(outcome: LessonOutcome, say: LessonWords) -> None:
    """The votes beside what came out, and the number of questions that changed."""
    guesses = guesses_of(outcome.lesson)
    st.markdown(f"**{as_typed(say('room'))}**")
    for table in (_chosen(outcome, guesses, say), _moves(outcome, guesses, say)):
        if table:
            st.table(table, border="horizontal", hide_index=True)
    room = () if guesses.changed is None else (guesses.changed,)
    st.markdown(as_typed(_changed_words(outcome, (*room, *changed_guesses(guesses.named)), say)))


def _chosen(outcome: LessonOutcome, guesses: Guesses, say: LessonWords) -> Mapping[str, Sequence[object]] | None:
    """Hands for each metric of a lesson that lets the room choose among them; None if nobody raised one."""
    lesson = outcome.lesson
    if not lesson.choose or not any(guesses.hands.values()):
        return None
    deltas = {name: outcome.comparison.metrics[name].delta for name in lesson.choose}
    marks = {name: f" {say('this_one')}" if name == lesson.metric else "" for name in lesson.choose}
    return {
        say("metric"): [say.metric(name, outcome.comparison.judge) for name in lesson.choose],
        say("votes"): [guesses.hands.get(name, 0) for name in lesson.choose],
        say("came_out"): [f"{say.verdict(deltas[name])}{marks[name]}" for name in lesson.choose],
    }


def _moves(outcome: LessonOutcome, guesses: Guesses, say: LessonWords) -> Mapping[str, Sequence[object]] | None:
    """Votes for each direction, a row for each metric that somebody guessed at; None if nobody did."""
    lesson = outcome.lesson
    hands = {} if lesson.choose else {each: guesses.hands.get(each, 0) for each in DIRECTIONS}
    every = [
        tally(finding, guesses.named, hands if finding.metric == lesson.metric else {}) for finding in outcome.findings
    ]
    tallies = [each for each in every if each.all]
    if not tallies:
        return None
    return {
        say("metric"): [say.metric(each.finding.metric, outcome.comparison.judge) for each in tallies],
        **{say(direction): [each.votes[direction] for each in tallies] for direction in DIRECTIONS},
        say("came_out"): [say(each.finding.found) for each in tallies],
        say("right"): [f"{each.right}\u00a0/\u00a0{each.all}" for each in tallies],
    }


def _changed_words(outcome: LessonOutcome, guessed: Sequence[int], say: LessonWords) -> str:
    found, n = outcome.changed, outcome.watched.n
    if not guessed:
        return say("changed_only", found=found, n=n)
    return say("changed_found", found=found, n=n, guesses=", ".join(map(str, guessed)))
