"""What a sweep found: what to take, what cannot be told from it, what it costs, every setting, files."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st

from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.tuning.sweep import FRONTIER_EFFORTS, Sweep
from rag_variants.metrics import all_metrics
from rag_variants.pipeline.spec import print_variant
from rag_variants.pipeline.variant import Variant
from rag_variants.report.charts import DARK, LIGHT, Colours
from rag_variants.report.frontier_chart import frontier_chart
from rag_variants.report.sweep_chart import sweep_chart
from rag_variants.report.sweep_export import SWEEP_FORMATS
from rag_variants.report.sweep_rows import (
    COLUMNS,
    left_out_examples,
    left_out_heading,
    more_left_out,
    point_words,
    shown_columns,
    sweep_rows,
)
from rag_variants.report.sweep_words import (
    chart_legend,
    chart_title,
    family_sentence,
    frontier_legend,
    frontier_line,
    stopped_sentence,
    sweep_sentences,
)
from rag_variants.ui.frame import draw_page_link, show_note
from rag_variants.ui.text import as_typed
from rag_variants.ui.url import current_selection
from rag_variants.ui.views.downloads import draw_files
from rag_variants.ui.views.sweep_check import draw_final_check, shown_check
from rag_variants.ui.workplace import Follow

Use = Callable[[Variant], None]
_WIDTHS = {"marks": 180, "interval": 130, "verdict": 150}


def draw_sweep_result(sweep: Sweep, current: bool, variant: Variant, plan: Plan, use: Use) -> list[Follow]:
    """The whole result. `current`: it is what the form asks for; `variant` is the one on the page."""
    with st.spinner("Settings are compared …"):
        first, *more = sweep_sentences(sweep)
    with st.container(border=True, key="sweep result"):
        if not current:
            name = f"{print_variant(sweep.start.variant)} over {', '.join(axis.name for axis in sweep.grid.axes)}"
            st.caption(as_typed(f"The last sweep: {name}. The form above asks for another one."))
        st.subheader(as_typed(first), anchor=False)
        stopped = stopped_sentence(sweep)
        if stopped:
            show_note(
                f"**{as_typed(stopped)}** Press **Go on** above." if current else as_typed(stopped),
                "sweep stopped",
                "timelapse",
            )
        for sentence in more:
            if sentence != stopped:
                st.markdown(as_typed(sentence))
        for at, warning in enumerate(sweep.warnings):
            show_note(as_typed(warning), f"sweep {at}", "rule")
        _draw_actions(sweep, variant, use)
        _draw_charts(sweep)
        _draw_points(sweep)
        follow = draw_final_check(sweep, plan)
        check = shown_check(sweep, plan)
        files = {ending: partial(write, sweep, check) for ending, write in SWEEP_FORMATS.items()}
        draw_files("Download the sweep", f"sweep-{sweep.start.variant.name}", files, key="download sweep")
    return follow


def _draw_actions(sweep: Sweep, variant: Variant, use: Use) -> None:
    """What to do with the setting that was found."""
    found = sweep.recommended
    if found is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        taken = found.variant == variant
        st.button(
            "The recommended setting is in use" if taken else f"Use {as_typed(point_words(sweep, found))}",
            key="use recommended", type="secondary" if taken else "primary", disabled=taken,
            icon=":material/check:", on_click=use, args=(found.variant,),
        )  # fmt: skip
        if found is not sweep.start:
            pair = replace(current_selection(), a=sweep.start.variant, b=found.variant, order="")
            draw_page_link("app.py", "Compare it with the start, question by question →", pair)


def _draw_charts(sweep: Sweep) -> None:
    chart = sweep_chart(sweep, _colours())
    efforts = [each for each in FRONTIER_EFFORTS if each in sweep.effort and frontier_line(sweep, each)]
    left, right = st.columns([1, 1] if chart is not None and efforts else [1, 0.0001], gap="large")
    words = "; ".join(f"{row.settings} {row.mean} {row.delta} {row.marks}".strip() for row in sweep_rows(sweep)[:60])
    if chart is not None:
        with left:
            st.markdown(f"**{as_typed(chart_title(sweep))}**")
            st.altair_chart(chart, width="stretch", theme=None, alt=words)
            st.caption(as_typed(chart_legend(sweep)))
    if efforts:
        with right if chart is not None else left:
            _draw_frontier(sweep, efforts)


def _draw_frontier(sweep: Sweep, efforts: list[str]) -> None:
    title, choice = st.columns([1.2, 2], vertical_alignment="center", gap="small")
    title.markdown("**What it costs**")
    effort = choice.segmented_control(
        "Effort", efforts, key="sweep effort", default=efforts[0], required=True, label_visibility="collapsed",
        format_func=lambda each: all_metrics()[each].label,
    ) or efforts[0]  # fmt: skip
    effort = effort if effort in efforts else efforts[0]
    line = frontier_line(sweep, effort)
    st.altair_chart(frontier_chart(sweep, effort, _colours()), width="stretch", theme=None, alt=line)
    st.caption(as_typed(frontier_legend(sweep)))


def _draw_points(sweep: Sweep) -> None:
    rows = sweep_rows(sweep)
    columns = shown_columns(sweep)
    frame = pd.DataFrame([[getattr(row, name) for name in columns] for row in rows], columns=list(columns))
    config = {
        name: st.column_config.TextColumn(
            columns[name], alignment="right" if COLUMNS[name] else "left", width=_WIDTHS.get(name)
        )
        for name in columns
    }
    st.markdown(f"**Every setting**, the best first ({len(rows):,})")
    st.dataframe(frame, hide_index=True, column_config=config, key="sweep points", height=min(530, 38 + 35 * len(rows)))
    if family := family_sentence(sweep):
        st.caption(as_typed(family))
    if sweep.left_out:
        with st.expander(f"Left out: {left_out_heading(sweep.left_out)}, and why"):
            for each in left_out_examples(sweep.left_out):
                st.text(f"{each.settings}: {each.reason}")
            if more := more_left_out(sweep.left_out):
                st.caption(as_typed(more))


def _colours() -> Colours:
    return DARK if st.context.theme.type == "dark" else LIGHT
