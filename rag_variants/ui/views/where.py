"""Where it changed: the questions for a metric, worst first, their filters, and which question is open below."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.reasons.signal_rules import RULES
from rag_variants.metrics import all_metrics, full_label_of
from rag_variants.report.words import leading_metric, signed
from rag_variants.types import Question
from rag_variants.ui.frame import show_note
from rag_variants.ui.rows import QuestionRow, count_states, filter_rows, find_signalled, first_filter, question_rows
from rag_variants.ui.url import SHOWN, Selection, select
from rag_variants.ui.views.glossary import chosen_glossary
from rag_variants.ui.views.question import draw_page_link

_NUMBERS = {side: st.column_config.NumberColumn(side, format="%.2f", width=52) for side in ("A", "B")}
_COLUMNS = {
    "id": st.column_config.TextColumn("id", width=66),
    "question": st.column_config.TextColumn("question", width=200),
    **_NUMBERS,
    "Δ": st.column_config.TextColumn("Δ", width=52),
    "kind": st.column_config.TextColumn("kind", width=84),
    "language": st.column_config.TextColumn("language", width=66),
}


def draw_where(comparison: Comparison, selection: Selection) -> Question | None:
    """The filters and the table; the question that is open."""
    metric = chosen_metric(comparison, selection)
    if metric is None:
        st.caption("No metric was asked for that can be compared question by question.")
        return None
    st.markdown("**Where**: one row a question, worst for B first")
    left, right = st.columns(2, gap="small")
    with left:
        draw_metric_choice(comparison, metric)
    with right:
        _draw_tag(comparison, selection.tag)
    signalled = find_signalled(comparison, selection.signal)
    if signalled is not None:
        _draw_signal(selection.signal, len(signalled))
    opened = _draw_questions(comparison, selection, metric, signalled)
    if opened:
        draw_page_link(comparison, opened)
    return opened


def chosen_metric(comparison: Comparison, selection: Selection) -> str | None:
    """The metric chosen, else the one to look at first; None without metrics."""
    return selection.metric if selection.metric in comparison.metrics else leading_metric(comparison)


def draw_metric_choice(comparison: Comparison, metric: str, key: str = "metric") -> None:
    """The metric that the page looks at; every place that offers the choice changes all of them."""
    judge = comparison.judge
    st.session_state[key] = metric
    st.selectbox(
        "Metric",
        list(comparison.metrics),
        format_func=lambda name: full_label_of(all_metrics()[name], judge),
        key=key,
        help=chosen_glossary().metric(metric, comparison.judge).line,
        on_change=lambda: select(metric=st.session_state[key], shown="", question=""),
    )


def _draw_signal(signal: str, count: int) -> None:
    """The signal that filters the table, and the way back."""
    title = next(rule.title for rule in RULES if rule.name == signal)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f":material/flag: **{title}**, on A or B: {count}", width="content")
        st.button("Show all", key="signal off", type="tertiary", on_click=lambda: select(signal="", question=""))


def _draw_questions(
    comparison: Comparison, selection: Selection, metric: str, among: frozenset[str] | None
) -> Question | None:
    rows = question_rows(comparison, metric)
    counts = count_states(rows, selection.tag, among)
    shown = selection.shown or first_filter(counts)
    _draw_filter(shown, counts)
    kept = filter_rows(rows, shown, selection.tag, among)
    if not kept:
        word = {"all": "questions", "ties": "ties", "unscored": "unscored questions"}.get(shown, shown)
        show_note(f"No {word} here. Choose another filter, tag or metric.", "no rows", "filter_alt_off")
    ids = [row.question.id for row in kept]
    known = {row.question.id: row.question for row in rows}
    opened = selection.question if selection.question in known else (ids[0] if ids else None)
    if kept:
        _draw_table(kept, opened)
    _draw_select([*ids, *([opened] if opened and opened not in ids else [])], known, opened)
    return known[opened] if opened else None


def _draw_filter(shown: str, counts: dict[str, int]) -> None:
    st.session_state["shown"] = shown
    st.segmented_control(
        "Show",
        SHOWN,
        format_func=lambda name: f"{name.capitalize()} {counts[name]}",
        key="shown",
        required=True,
        label_visibility="collapsed",
        on_change=lambda: select(shown=st.session_state["shown"] or "", question=""),
    )


def _draw_tag(comparison: Comparison, tag: str) -> None:
    options = sorted({f"{name}={value}" for row, _ in comparison.pairs for name, value in row.record.question.tags})
    st.session_state["tag"] = tag if tag in options else ""
    st.selectbox(
        "Tag",
        ["", *options],
        format_func=lambda each: each or "every tag",
        key="tag",
        help="Shows the questions that carry a tag. The verdicts stay those of the whole run.",
        on_change=lambda: select(tag=st.session_state["tag"] or "", question=""),
    )


def _draw_table(rows: Sequence[QuestionRow], opened: str | None) -> None:
    ids = [row.question.id for row in rows]
    frame = pd.DataFrame(
        [
            {
                "id": row.question.id,
                "question": row.question.user_input,
                "A": row.a,
                "B": row.b,
                "Δ": signed(row.delta),
                "kind": row.question.tag("kind") or "",
                "language": row.question.tag("language") or "",
            }
            for row in rows
        ]
    )
    key = f"table {'|'.join(ids)} {opened}"  # a new table when another question is open, so that its row is marked
    at = [ids.index(opened)] if opened in ids else []
    st.dataframe(
        frame,
        hide_index=True,
        column_config=_COLUMNS,
        height=min(38 + 35 * len(rows), 318),
        placeholder="–",
        key=key,
        on_select=lambda: _open_row(key, ids),
        selection_mode="single-row",
        selection_default={"selection": {"rows": at}},
    )


def _open_row(key: str, ids: Sequence[str]) -> None:
    rows = st.session_state[key]["selection"]["rows"]
    if rows:
        select(question=ids[rows[0]])


def _draw_select(ids: Sequence[str], known: dict[str, Question], opened: str | None) -> None:
    if not ids:
        return
    st.session_state["question"] = opened
    st.selectbox(
        "Open a question",
        ids,
        format_func=lambda each: f"{each} · {known[each].user_input}",
        key="question",
        filter_mode="contains",
        on_change=lambda: select(question=st.session_state["question"] or ""),
    )
