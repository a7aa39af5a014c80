"""A whole result from its sentence down to one question."""

from dataclasses import replace

import streamlit as st

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.plan import Plan
from rag_variants.ui.adviser import Adviser
from rag_variants.ui.url import Selection
from rag_variants.ui.views.ablation import draw_ablation
from rag_variants.ui.views.advice import draw_overall_advice
from rag_variants.ui.views.against_itself import draw_against_itself
from rag_variants.ui.views.attribution import draw_attribution
from rag_variants.ui.views.breakdown import draw_breakdown
from rag_variants.ui.views.changed import draw_changed, draw_numbers
from rag_variants.ui.views.downloads import draw_downloads
from rag_variants.ui.views.faults import draw_faults
from rag_variants.ui.views.headline import draw_headline
from rag_variants.ui.views.noise import draw_noise, with_noise
from rag_variants.ui.views.question import draw_question
from rag_variants.ui.views.where import draw_where
from rag_variants.ui.workplace import Follow


def draw_comparison(comparison: Comparison, selection: Selection, plan: Plan | None, adviser: Adviser) -> list[Follow]:
    """What came out; what changed beside where; the ladder; why, for one question; files.

    `plan` is the one that the comparison was made with, or None if the settings have changed since. Returns what
    follows the progress of further work on it.
    """
    comparison = replace(with_noise(comparison, plan), critical=selection.critical)
    draw_headline(comparison, plan, outdated=plan is None)
    left, right = st.columns([3, 2], gap="small")
    with left.container(border=True):
        draw_changed(comparison)
        judging = draw_noise(comparison, plan)
        draw_against_itself(comparison)
    with right.container(border=True):
        opened = draw_where(comparison, selection)
    draw_breakdown(comparison, selection, opened)
    draw_faults(comparison)
    walking = draw_ablation(comparison, selection, plan)
    swapping = draw_attribution(comparison, plan)
    with st.expander("The numbers, and what each metric means"):
        draw_numbers(comparison)
    draw_overall_advice(comparison, adviser)
    if opened:
        draw_question(comparison, opened, adviser)
    draw_downloads(comparison)
    return [follow for follow in (walking, swapping, judging) if follow]
