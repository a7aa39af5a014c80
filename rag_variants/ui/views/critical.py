"""Critical questions: which they are, which are worse on B, and each one's change."""

import pandas as pd
import streamlit as st

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.reasons.critical import USUAL, Critical, critical_questions
from rag_variants.metrics import all_metrics, label_of
from rag_variants.report.critical import change_cell, critical_sentence
from rag_variants.ui.frame import show_note
from rag_variants.ui.text import as_typed
from rag_variants.ui.url import select


def draw_critical(comparison: Comparison) -> None:
    """The choice of the set, how many are worse, and a table of every change, worse ones first."""
    critical = critical_questions(comparison)
    words, choice = st.columns([3, 1], gap="medium", vertical_alignment="bottom")
    with choice:
        _draw_choice(comparison)
    with words:
        if critical is None:
            show_note(f"No question carries {USUAL}. Choose a tag that marks your critical questions.", "no critical")
            return
        icon = ":material/error:" if critical.regressed else ":material/check:"
        st.markdown(f"{icon} **{as_typed(critical_sentence(critical))}**" if critical.questions else "")
        if not critical.questions:
            show_note(as_typed(critical_sentence(critical)), "no critical")
            return
    if critical.questions:
        _draw_table(comparison, critical)


def _draw_choice(comparison: Comparison) -> None:
    tags = list(comparison.slices)
    chosen = comparison.critical or (USUAL if USUAL in tags else "")
    options = list(dict.fromkeys([*([""] if not chosen else []), *([chosen] if chosen else []), *tags]))
    st.session_state["critical"] = chosen
    st.selectbox(
        "Critical questions",
        options,
        format_func=lambda each: each or "choose a tag",
        key="critical",
        help="A fixed set whose every change is listed. It changes no mean and no verdict.",
        on_change=_choose,
    )


def _choose() -> None:
    chosen = st.session_state["critical"] or ""
    select(critical="" if chosen == USUAL else chosen)


def _draw_table(comparison: Comparison, critical: Critical) -> None:
    rows = sorted(critical.questions, key=lambda each: (not each.regressed, not each.moved))
    ids = [row.question.id for row in rows]
    labels = {name: label_of(all_metrics()[name], comparison.judge) for name in critical.metrics}
    frame = pd.DataFrame(
        [
            {
                "": "worse" if row.regressed else "better" if row.moved else "same",
                "id": row.question.id,
                "question": row.question.user_input,
                **{labels[change.metric]: change_cell(change) for change in row.changes},
            }
            for row in rows
        ]
    )
    key = f"critical table {'|'.join(ids)}"
    st.dataframe(
        frame,
        hide_index=True,
        height=min(38 + 35 * len(frame), 388),
        column_config={
            "": st.column_config.TextColumn("", width=60),
            "id": st.column_config.TextColumn("id", width=76),
            "question": st.column_config.TextColumn("question", width=420),
        },
        key=key,
        on_select=lambda: _open_row(key, ids),
        selection_mode="single-row",
    )
    st.caption("A → B by the two headline metrics, fixed beforehand. Choosing a row opens that question below.")


def _open_row(key: str, ids: list[str]) -> None:
    rows = st.session_state[key]["selection"]["rows"]
    if rows:
        select(question=ids[rows[0]])
