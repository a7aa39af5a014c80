"""Whom to believe: labels, agreement, gold marks, other judges, for one comparison."""

import streamlit as st

from rag_variants.errors import UserError
from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.judging.label_queue import offered_metrics
from rag_variants.evaluation.plan import Plan
from rag_variants.metrics import all_metrics
from rag_variants.questions.own_labels import OwnLabels
from rag_variants.report.words import judge_words
from rag_variants.ui.frame import show_note, show_problem
from rag_variants.ui.own_labels import own_agreement, own_labels
from rag_variants.ui.text import as_typed
from rag_variants.ui.url import Selection
from rag_variants.ui.views.judge_agreement import draw_agreement
from rag_variants.ui.views.judge_gold import draw_gold
from rag_variants.ui.views.judge_labels import draw_labels
from rag_variants.ui.views.judge_others import draw_others
from rag_variants.ui.workplace import Follow


def draw_judge_of(comparison: Comparison, selection: Selection, plan: Plan) -> list[Follow]:
    """Labelling beside agreement, then gold marks and other judges; what follows the progress of further work."""
    st.subheader("Whom to believe?", anchor=False)
    if comparison.a.judge is None:
        labels = ", ".join(all_metrics()[name].label for name in offered_metrics())
        show_note(f"No metric of this comparison asks a judge. Those that do: {labels}.", "no judge", "gavel")
        return []
    words = judge_words(comparison, own_agreement(comparison))
    st.markdown(as_typed(f"{words[0].upper()}{words[1:]}."))
    own = _read(comparison)
    left, right = st.columns([3, 2], gap="small")
    with left.container(border=True):
        if own is not None:
            draw_labels(comparison, own)
    with right.container(border=True):
        asking = draw_agreement(comparison, plan, own or OwnLabels())
    with st.container(border=True):
        draw_gold(comparison, selection)
    with st.container(border=True):
        judging = draw_others(comparison, plan, own or OwnLabels())
    return [follow for follow in (asking, judging) if follow]


def _read(comparison: Comparison) -> OwnLabels | None:
    """The labels kept for these documents; None, with the sentence that says why, if they cannot be read."""
    try:
        own = own_labels(comparison.a.knowledge.fingerprint)
    except UserError as error:
        show_problem(str(error))
        return None
    if own.skipped:
        first = own.skipped[0]
        show_note(
            as_typed(
                f"Of the labels kept here {len(own.skipped)} cannot be used; {first.name}: {first.reason}. "
                "The next label puts the file aside as a copy that ends in .broken."
            ),
            "broken labels",
        )
    return own
