"""The reveal: the watched metric first, the guesses beside it, and why."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from rag_variants.experiment.plan import Plan
from rag_variants.lessons.guesses import changed_guesses, tally
from rag_variants.lessons.lesson import DIRECTIONS
from rag_variants.lessons.outcome import Outcome
from rag_variants.lessons.words import LessonWords
from rag_variants.metrics import all_metrics
from rag_variants.report.charts import ChartRow, delta_rows
from rag_variants.report.words import digits_needed, plain, signed, wins_words
from rag_variants.ui.controls import BADGES
from rag_variants.ui.frame import show_note
from rag_variants.ui.text import as_typed
from rag_variants.ui.url import Selection, print_selection
from rag_variants.ui.views.changed import draw_changed, draw_deltas
from rag_variants.ui.views.faults import draw_faults
from rag_variants.ui.views.ladder import draw_ladder
from rag_variants.ui.views.lesson_guess import Guesses, guesses_of
from rag_variants.ui.views.lesson_where import draw_lesson_where


def draw_reveal(outcome: Outcome, plan: Plan, selection: Selection, say: LessonWords) -> Any:
    """The numbers that the lesson is about, the guesses beside them, the reason; all metrics on request.

    Returns the place for the progress of a ladder, None if there is no ladder.
    """
    draw_not_here(outcome, say)
    found, guessed = st.columns([3, 2], gap="medium")
    with found.container(border=True):
        st.markdown(_headline(outcome, say))
        draw_deltas(lesson_rows(outcome, say))
        for note in _keyless_notes(outcome, say):
            st.caption(as_typed(note))
    with guessed.container(border=True):
        _draw_guesses(outcome, guesses_of(outcome.lesson), say)
    if outcome.holds:
        st.markdown(f"**{as_typed(say('why'))}**")
        with st.container(key="lead explain"):
            st.text(outcome.lesson.explain.say(say.language))
    else:
        with st.expander(say("as_written")):
            st.text(outcome.lesson.explain.say(say.language))
    draw_lesson_where(outcome, say)
    draw_faults(outcome.comparison)
    watched = replace(selection, metric=selection.metric or outcome.lesson.metric)
    climbing = draw_ladder(outcome.comparison, watched, plan)
    with st.expander(say("numbers")):
        draw_changed(outcome.comparison)
    st.page_link(
        "app.py",
        label=say("open_in_compare"),
        icon=":material/compare_arrows:",
        query_params=print_selection(_in_compare(outcome, selection)),
    )
    return climbing


def draw_not_here(outcome: Outcome, say: LessonWords) -> None:
    """What the lesson says and its questions do not show here; an encoder that it was not verified with."""
    other = outcome.lesson.other_encoder()
    if other:
        show_note(as_typed(say("other_encoder", encoder=outcome.lesson.encoder, found=other)), "encoder", "memory")
    if outcome.holds:
        return
    lines = [
        say("not_here_line", metric=say.metric(each.metric), expected=say(each.expected), found=say(each.found))
        for each in outcome.broken
    ]
    words = " ".join(as_typed(line) for line in (*lines, say("not_here_why")))
    show_note(f"**{as_typed(say('not_here'))}.** {words}", "not here", "error")


def lesson_rows(outcome: Outcome, say: LessonWords) -> tuple[ChartRow, ...]:
    """The chart's lines for the lesson's metrics alone, the watched one first, in the lesson's language."""
    comparison = outcome.comparison
    judge = comparison.judge
    known = {row.name: row for row in delta_rows(comparison) if row.name}
    heading = ChartRow(0, left=f"← {say('worse')}", right=f"{say('better')} →")
    rows: list[ChartRow] = [heading]
    for finding in outcome.findings:
        delta = comparison.metrics[finding.metric].delta
        rows.append(
            replace(
                known[finding.metric],
                order=len(rows),
                label=say.metric(finding.metric, judge),
                verdict=say(finding.found),
                counts=f"{wins_words(delta)} · n = {delta.n}",
            )
        )
    return tuple(rows)


def _keyless_notes(outcome: Outcome, say: LessonWords) -> list[str]:
    judge = outcome.comparison.judge
    return [note for each in outcome.findings if (note := say.keyless_note(each.metric, judge))]


def _headline(outcome: Outcome, say: LessonWords) -> str:
    """`Faithfulness A 0.98 → B 0.61: B is worse`."""
    compared = outcome.comparison.metrics[outcome.lesson.metric]
    digits = digits_needed(compared)
    a, b = plain(compared.a.mean, digits), plain(compared.b.mean, digits)
    metric = as_typed(say.metric(outcome.lesson.metric, outcome.comparison.judge))
    change = as_typed(signed(compared.delta.mean, digits))
    verdict = as_typed(say(outcome.findings[0].found))
    return f"**{metric}**\n### {BADGES['a']} {as_typed(a)} → {BADGES['b']} {as_typed(b)} ({change}): {verdict}"


def _draw_guesses(outcome: Outcome, guesses: Guesses, say: LessonWords) -> None:
    """Votes by metric beside what came out, and the number of questions that changed."""
    st.markdown(f"**{as_typed(say('room'))}**")
    every = [
        tally(finding, guesses.named, guesses.hands if finding.metric == outcome.lesson.metric else {})
        for finding in outcome.findings
    ]
    tallies = [each for each in every if each.all]  # a row for each metric that somebody guessed at
    if tallies:
        st.table(
            {
                say("metric"): [say.metric(each.finding.metric) for each in tallies],
                **{say(direction): [each.votes[direction] for each in tallies] for direction in DIRECTIONS},
                say("came_out"): [say(each.finding.found) for each in tallies],
                say("right"): [f"{each.right}\u00a0/\u00a0{each.all}" for each in tallies],
            },
            border="horizontal",
            hide_index=True,
        )
    else:
        st.caption(as_typed(say("no_guess")))
    st.markdown(as_typed(_changed_words(outcome, changed_guesses(guesses.named), say)))


def _changed_words(outcome: Outcome, guessed: Sequence[int], say: LessonWords) -> str:
    found, n = outcome.changed, outcome.watched.n
    if not guessed:
        return say("changed_only", found=found, n=n)
    return say("changed_found", found=found, n=n, guesses=", ".join(map(str, guessed)))


def _in_compare(outcome: Outcome, selection: Selection) -> Selection:
    """The Compare page over the lesson's questions, the watched metric chosen."""
    lesson = outcome.lesson
    return replace(
        selection,
        a=lesson.a,
        b=lesson.b,
        slice=str(lesson.part),
        metric=lesson.metric if lesson.metric in all_metrics() else "",
        question=lesson.show or "",
        room="lessons",
    )
