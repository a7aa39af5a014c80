"""Runs: what was run before, named, compared again, lined up, deleted."""

from rag_variants.ui.runs import draw_runs_page

draw_runs_page()
