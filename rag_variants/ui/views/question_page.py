"""One question: where it stands in the run, the flow of chunks, the answers, the score worked out."""

from collections.abc import Sequence

import streamlit as st

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.runs import ScoredRecord
from rag_variants.metrics import all_metrics, full_label_of
from rag_variants.report.words import digits_that_add_up, leading_metric, plain, signed
from rag_variants.types import Question
from rag_variants.ui.controls import BADGES
from rag_variants.ui.frame import show_note
from rag_variants.ui.rows import QuestionRow, count_states, filter_rows, find_signalled, first_filter, question_rows
from rag_variants.ui.text import as_typed
from rag_variants.ui.url import Selection, print_selection, select
from rag_variants.ui.views.answers import draw_answers, draw_claims
from rag_variants.ui.views.chunks import draw_chunks
from rag_variants.ui.views.flow import draw_flow
from rag_variants.ui.views.glossary import chosen_glossary
from rag_variants.ui.views.question import draw_known
from rag_variants.ui.views.scores import draw_scores
from rag_variants.ui.views.signals import draw_question_signals
from rag_variants.ui.views.worked import draw_worked


def draw_question_of(comparison: Comparison, selection: Selection) -> None:
    """The question of the selection, else the first of the table."""
    for at, warning in enumerate(comparison.warnings):
        show_note(as_typed(warning), f"warning {at}", "timelapse")
    metric = _chosen_metric(comparison, selection)
    if metric is None:
        show_note("No metric was asked for that can be compared question by question.", "no metric", "filter_alt_off")
        return
    rows = rows_in_order(comparison, selection, metric)
    ids = [row.question.id for row in rows]
    if selection.question and selection.question not in ids:
        show_note(f"{as_typed(selection.question)} is not among the questions of this run.", "no question", "link_off")
    opened = selection.question if selection.question in ids else ids[0]
    left, right = next(pair for pair in comparison.pairs if pair[0].record.question.id == opened)
    _draw_steps(comparison, selection, metric, rows, ids.index(opened))
    _draw_head(comparison, metric, left, right)
    flow, answers = st.columns(2, gap="small")
    with flow:
        draw_flow(comparison, left, right)
    with answers:
        draw_known(left.record.question)
        draw_answers(left.record.question, left, right)
    if metric != "faithfulness" and "faithfulness" in left.scores:
        draw_claims(left, right)
    draw_worked(comparison, metric, left, right)
    draw_question_signals(comparison, left, right)
    draw_scores(comparison, left, right)
    draw_chunks(comparison, left, right)


def rows_in_order(comparison: Comparison, selection: Selection, metric: str) -> Sequence[QuestionRow]:
    """The rows of the table on the Compare page, in its order; all of them where the question is not among those."""
    rows = question_rows(comparison, metric)
    among = find_signalled(comparison, selection.signal)
    counts = count_states(rows, selection.tag, among)
    kept = filter_rows(rows, selection.shown or first_filter(counts), selection.tag, among)
    asked = selection.question
    return kept if kept and (not asked or asked in [row.question.id for row in kept]) else rows


def _chosen_metric(comparison: Comparison, selection: Selection) -> str | None:
    return selection.metric if selection.metric in comparison.a.metrics else leading_metric(comparison)


def _draw_steps(
    comparison: Comparison, selection: Selection, metric: str, rows: Sequence[QuestionRow], at: int
) -> None:
    """Back to the table, to the question before and after in its order, to any question, and which metric."""
    ids = [row.question.id for row in rows]
    back, before, which, after, measured = st.columns([2, 1.6, 7, 1.6, 4], vertical_alignment="bottom", gap="small")
    with back:
        st.page_link(
            "app.py", label="All questions", icon=":material/arrow_back:", query_params=print_selection(selection)
        )
    _draw_step(before, ids[at - 1] if at else None, ":material/chevron_left:", "before")
    _draw_step(after, ids[at + 1] if at + 1 < len(ids) else None, ":material/chevron_right:", "after")
    known = {row.question.id: row for row in rows}
    st.session_state["question"] = ids[at]
    which.selectbox(
        f"Question {at + 1} of {len(ids)}, in the order of the table",
        ids,
        format_func=lambda each: f"{signed(known[each].delta)} · {each} · {known[each].question.user_input}",
        key="question",
        filter_mode="contains",
        on_change=lambda: select(question=st.session_state["question"] or ""),
    )
    opened = ids[at]
    st.session_state["metric"] = metric
    measured.selectbox(
        "Metric",
        [name for name in comparison.a.metrics if name in all_metrics()],
        format_func=lambda name: full_label_of(all_metrics()[name], comparison.judge),
        key="metric",
        help=chosen_glossary().metric(metric, comparison.judge).line,
        on_change=lambda: select(metric=st.session_state["metric"], question=opened),
    )


def _draw_step(column: st.delta_generator.DeltaGenerator, target: str | None, icon: str, word: str) -> None:
    column.button(
        target or "–",
        icon=icon,
        icon_position="left" if word == "before" else "right",
        key=f"question {word}",
        help=f"The question {word} this one in the table",
        disabled=target is None,
        on_click=lambda: select(question=target or ""),
        width="stretch",
    )


def _draw_head(comparison: Comparison, metric: str, left: ScoredRecord, right: ScoredRecord) -> None:
    """The question with its tags, what is known about its answer, and the chosen score on both sides."""
    question: Question = left.record.question
    with st.container(key="large question"):
        st.text(f"{question.id} · {question.user_input}")
    tags = " · ".join(f"{name} {value}" for name, value in question.tags)
    if tags:
        with st.container(key="quiet tags"):
            st.text(tags)
    a, b = (row.scores[metric].value for row in (left, right))
    delta = None if a is None or b is None else b - a
    name = as_typed(full_label_of(all_metrics()[metric], comparison.judge))
    digits = digits_that_add_up(a, b, delta)
    values = f"{BADGES['a']} {plain(a, digits)} → {BADGES['b']} {plain(b, digits)}"
    st.markdown(f"**{name}** {values} · Δ **{signed(delta, digits)}**")
