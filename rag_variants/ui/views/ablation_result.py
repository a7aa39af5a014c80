"""An ablation path that was walked: its chart, what it says, every metric step by step."""

from functools import partial

import streamlit as st

from rag_variants.evaluation.ablation.ablation_path import AblationPath
from rag_variants.report.ablation_chart import ablation_chart
from rag_variants.report.ablation_export import ABLATION_FORMATS
from rag_variants.report.ablation_words import (
    ORDER_SENTENCE,
    family_sentence,
    metric_label,
    path_rows,
    result_sentence,
    sum_sentence,
    waypoint_words,
)
from rag_variants.report.charts import DARK, LIGHT
from rag_variants.report.table import metric_rows
from rag_variants.report.words import delta_words, inside_sentence
from rag_variants.ui.frame import show_note
from rag_variants.ui.text import as_typed
from rag_variants.ui.views.downloads import draw_files


def draw_ablation_result(ladder: AblationPath, metric: str) -> None:
    """What each step did to one metric, then to all of them, and files."""
    st.markdown(f"**{as_typed(result_sentence(ladder, metric))}**")
    for warning in ladder.total.warnings:
        show_note(f"**{as_typed(warning)}**", "ladder warning", "timelapse")
    dark = st.context.theme.type == "dark"
    words = "; ".join(f"{row.label} {row.delta} {row.verdict} {row.note}".strip() for row in path_rows(ladder, metric))
    st.altair_chart(ablation_chart(ladder, metric, DARK if dark else LIGHT), width="stretch", theme=None, alt=words)
    st.caption(as_typed(_legend(ladder, metric)))
    with st.expander("Every metric, step by step"):
        _draw_every_metric(ladder)
    files = {ending: partial(write, ladder, metric) for ending, write in ABLATION_FORMATS.items()}
    draw_files("Download the ladder", "ladder", files, key="download ladder")


def _legend(ladder: AblationPath, metric: str) -> str:
    label = inside_sentence(metric_label(ladder, metric))
    parts = [
        f"A bar is what a step did to {label}, the thin line what it could be. "
        f"Strong: better or worse, faint: not shown. "
        f"At the right {label} so far, with the change since A.",
        sum_sentence(ladder, metric),
        family_sentence(ladder),
        ORDER_SENTENCE,
    ]
    return " ".join(part for part in parts if part)


def _draw_every_metric(ladder: AblationPath) -> None:
    rows = metric_rows(ladder.total)
    table = {"metric": [as_typed(row.label) for row in rows]}
    columns = [
        (f"{at}  {waypoint_words(waypoint)}", step)
        for at, (waypoint, step) in enumerate(zip(ladder.waypoints[1:], ladder.steps, strict=True), start=1)
    ]
    for heading, step in (*columns, ("total", ladder.total)):
        deltas = [step.metrics[row.name].delta for row in rows]
        table[as_typed(heading)] = [delta_words(delta).rstrip() for delta in deltas]
    st.table(table, border="horizontal", hide_index=True)
    st.caption("▲ better and ▼ worse than the step before; without an arrow it may be chance.")
