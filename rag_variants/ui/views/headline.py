"""What came out, in one sentence, and how far to trust it."""

import streamlit as st

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.plan import Plan
from rag_variants.pipeline import print_variant
from rag_variants.report.words import (
    headline_sentence,
    not_scored_sentences,
    settings_sentence,
    text_read_sentence,
    trust_sentence,
)
from rag_variants.ui.controls import BADGES
from rag_variants.ui.frame import show_note
from rag_variants.ui.own_labels import own_agreement
from rag_variants.ui.sources import draw_left_out_above
from rag_variants.ui.text import as_typed


def draw_headline(comparison: Comparison, plan: Plan | None = None, *, outdated: bool = False) -> None:
    """What to know before believing it, the sentence, what stands behind it, and which settings differ.

    With the `plan` of the comparison what was left out has its list behind it.
    """
    if outdated:
        a, b = (as_typed(print_variant(run.variant)) for run in (comparison.a, comparison.b))
        words = f"**Settings changed: run to update.** Below is the result of {BADGES['a']} {a} and {BADGES['b']} {b}."
        show_note(words, "outdated", "history")
    for warning in comparison.warnings:
        if plan is not None and warning == f"{plan.left_out}.":
            draw_left_out_above(plan)
            continue
        show_note(f"**{as_typed(warning)}**", f"warning {warning[:24]}", "timelapse")
    st.subheader(as_typed(headline_sentence(comparison)), anchor=False)
    notes = [settings_sentence(comparison), text_read_sentence(comparison)]
    st.markdown(as_typed(" ".join(note for note in notes if note)))
    st.caption(as_typed(trust_sentence(comparison, own_agreement(comparison))))
    for at, sentence in enumerate(not_scored_sentences(comparison)):
        show_note(as_typed(sentence), f"not scored {at}", "data_alert")
