"""Tune: one variant, every setting a slider, and what each move does against a pinned setting."""

from rag_variants.ui.tune import draw_tune_page

draw_tune_page()
