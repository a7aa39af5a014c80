"""The reveal: the watched metric first, the guesses beside it, and why."""

from dataclasses import replace

import streamlit as st

from rag_variants.evaluation.plan import Plan
from rag_variants.lessons.outcome import LessonOutcome
from rag_variants.lessons.words import LessonWords
from rag_variants.metrics import all_metrics
from rag_variants.report.charts import ChartRow, delta_rows
from rag_variants.report.words import digits_needed, plain, signed, wins_words
from rag_variants.ui.controls import BADGES
from rag_variants.ui.frame import show_note
from rag_variants.ui.text import as_typed
from rag_variants.ui.url import Selection, print_selection
from rag_variants.ui.views.ablation import draw_ablation
from rag_variants.ui.views.changed import draw_changed, draw_deltas
from rag_variants.ui.views.faults import draw_faults
from rag_variants.ui.views.lesson_room import draw_room
from rag_variants.ui.views.lesson_where import draw_lesson_where
from rag_variants.ui.workplace import Follow


def draw_reveal(outcome: LessonOutcome, plan: Plan, selection: Selection, say: LessonWords) -> Follow | None:
    """The numbers that the lesson is about, the guesses beside them, the reason; all metrics on request.

    Returns the place for the progress of a ladder, None if there is no ladder.
    """
    draw_not_here(outcome, say)
    # In large type the chart needs the whole width.
    wide = selection.room == "presentation"
    found, guessed = (st.container(), st.container()) if wide else st.columns([3, 2], gap="medium")
    with found.container(border=True):
        st.markdown(_headline(outcome, say))
        draw_deltas(lesson_rows(outcome, say), (say("metric"), "B − A", say("verdict")), comma=say.language == "pl")
        st.caption(as_typed(" ".join([say("legend"), *_keyless_notes(outcome, say)])))
    with guessed.container(border=True):
        draw_room(outcome, say)
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
    walk = draw_ablation(outcome.comparison, watched, plan)
    with st.expander(say("numbers")):
        draw_changed(outcome.comparison)
    st.page_link(
        "app.py",
        label=say("open_in_compare"),
        icon=":material/compare_arrows:",
        query_params=print_selection(_in_compare(outcome, selection)),
    )
    return walk


def draw_not_here(outcome: LessonOutcome, say: LessonWords) -> None:
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


def lesson_rows(outcome: LessonOutcome, say: LessonWords) -> tuple[ChartRow, ...]:
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
                change=say.figures(known[finding.metric].change),
                values=say.figures(known[finding.metric].values),
                verdict=say.verdict(delta),
                counts=f"{wins_words(delta)} · n = {delta.n}",
            )
        )
    return tuple(rows)


def _keyless_notes(outcome: LessonOutcome, say: LessonWords) -> list[str]:
    judge = outcome.comparison.judge
    return [note for each in outcome.findings if (note := say.keyless_note(each.metric, judge))]


def _headline(outcome: LessonOutcome, say: LessonWords) -> str:
    """`Faithfulness A 0.98 → B 0.61: B is worse`."""
    compared = outcome.comparison.metrics[outcome.lesson.metric]
    digits = digits_needed(compared)
    a, b = (say.figures(plain(side.mean, digits)) for side in (compared.a, compared.b))
    metric = as_typed(say.metric(outcome.lesson.metric, outcome.comparison.judge))
    change = as_typed(say.figures(signed(compared.delta.mean, digits)))
    verdict = as_typed(say.verdict(compared.delta))
    return f"**{metric}**\n### {BADGES['a']} {as_typed(a)} → {BADGES['b']} {as_typed(b)} ({change}): {verdict}"


def _in_compare(outcome: LessonOutcome, selection: Selection) -> Selection:
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
