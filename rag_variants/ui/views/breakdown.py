"""Where the difference lives: one card with four parts, of which the open one alone is made."""

import streamlit as st

from rag_variants.evaluation.comparison import Comparison
from rag_variants.types import Question
from rag_variants.ui.url import BREAKDOWNS, Selection, select
from rag_variants.ui.views.critical import draw_critical
from rag_variants.ui.views.signals import draw_run_signals
from rag_variants.ui.views.slices import draw_slices
from rag_variants.ui.views.spread import draw_spread
from rag_variants.ui.views.where import chosen_metric

_WORDS = {"tags": "By tag", "spread": "Spread", "critical": "Critical questions", "signals": "Signals"}
_ABOUT = {
    "tags": "**Where it lives**: the mean difference in every part of the questions, without a verdict",
    "spread": "**Where it lives**: one metric, question by question",
    "critical": "**Where it lives**: the questions that must not get worse, one by one",
    "signals": "**Where it lives**: what the scores point at, and what is worth trying",
}


def draw_breakdown(comparison: Comparison, selection: Selection, opened: Question | None) -> None:
    """The choice of a part, and that part."""
    metric = chosen_metric(comparison, selection)
    if metric is None:
        return
    part = selection.breakdown
    with st.container(border=True, key="breakdown card"):
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            st.markdown(_ABOUT[part], width="stretch")
            _draw_choice(part)
        if part == "tags":
            draw_slices(comparison, selection, metric)
        elif part == "spread":
            draw_spread(comparison, selection, metric, opened)
        elif part == "critical":
            draw_critical(comparison)
        else:
            draw_run_signals(comparison, selection)


def _draw_choice(part: str) -> None:
    st.session_state["breakdown"] = part
    st.segmented_control(
        "Broken down",
        BREAKDOWNS,
        format_func=lambda name: _WORDS[name],
        key="breakdown",
        required=True,
        label_visibility="collapsed",
        on_change=lambda: select(breakdown=st.session_state["breakdown"] or part),
        width="content",
    )
