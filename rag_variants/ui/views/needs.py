"""How many questions would show a change of a chosen size."""

import streamlit as st

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.statistics.planner import questions_needed
from rag_variants.metrics import all_metrics, label_of
from rag_variants.report.needs import need_sentence
from rag_variants.report.words import leading_metric
from rag_variants.ui.text import as_typed

CHANGES = (0.01, 0.02, 0.03, 0.05, 0.1, 0.2)
_HELP = (
    "From how much the two sides differ question by question here: so many questions, like these, would show the "
    "change in 8 of 10 comparisons."
)


def draw_need(comparison: Comparison) -> None:
    """One metric and one size to choose, and the sentence."""
    names = list(comparison.metrics)
    leading = leading_metric(comparison)
    if leading is None:
        return
    labels = {name: label_of(all_metrics()[name], comparison.judge) for name in names}
    with st.expander("**How many questions** would show a change?"):
        size, metric = st.columns([1, 2], gap="small")
        change = size.selectbox("Change to be shown", CHANGES, index=3, format_func="{:.2f}".format, key="need change")
        name = metric.selectbox(
            "in", names, index=names.index(leading), format_func=labels.__getitem__, key="need metric"
        )
        need = questions_needed(comparison, name, change)
        st.markdown(
            as_typed(need_sentence(need, name, change, comparison.metrics[name].delta, comparison.judge)), help=_HELP
        )
