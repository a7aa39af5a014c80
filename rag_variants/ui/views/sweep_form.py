"""What a sweep goes over and what decides it; before it begins, how much that is and what is wrong with it."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from rag_variants.errors import UserError
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.tuning.grid import Grid
from rag_variants.evaluation.tuning.sweep import sweep_metric
from rag_variants.metrics import all_metrics, full_label_of
from rag_variants.pipeline.spec import print_variant
from rag_variants.pipeline.variant import Variant
from rag_variants.questions.holdout import HOLDOUT_PART, holdout_questions, is_held_out
from rag_variants.report.sweep_words import size_words
from rag_variants.ui.caches import read_grid
from rag_variants.ui.commands import sweep_command
from rag_variants.ui.frame import show_problem
from rag_variants.ui.text import as_typed
from rag_variants.ui.url import Selection, select
from rag_variants.ui.views.sweep_axes import axis_problem, draw_axis, read_over

TAGGING = (
    f"No question is tagged `{HOLDOUT_PART}`, so every question takes part in tuning and none is left to check the "
    "setting that wins. To have a hold-out, tag a fifth to a third of the questions **before** tuning: "
    '`"tags": {"split": "holdout"}` in .jsonl and .json, a column `tags.split` with the word `holdout` in .csv. They '
    "then stay out of sliders and sweeps, and a final check asks them once."
)


@dataclass(frozen=True)
class Wish:
    """What the form asks for; None where it cannot be. `place` is where the button goes."""

    grid: Grid | None
    metric: str | None
    place: Any


def draw_form(selection: Selection, variant: Variant, plan: Plan, tried: int | None, *, running: bool) -> Wish:
    """The form, its mistakes in words, what it comes to, and the same as a command line."""
    over, problem = read_over(selection.over, variant)
    columns = st.columns([2.3, 2.7, 2.3, 2.7, 2.8, 2], vertical_alignment="bottom", gap="small")
    problems = [problem] if problem else []
    for at in (0, 1):
        draw_axis(columns[2 * at : 2 * at + 2], at, over, variant, running)
        problems += axis_problem(over[at], variant) if at < len(over) else []
    texts = [f"{name}={values}" for name, values in over]
    grid = None
    if not problems or problems == [problem]:
        try:
            grid = read_grid(print_variant(variant), tuple(texts))
        except UserError as error:
            problems.append(str(error))
    metric, wrong = _draw_metric(columns[4], selection, grid, plan, running)
    for sentence in (*problems, *wrong):
        show_problem(sentence)
    if grid is not None:
        _draw_size(grid, plan, tried)
        with st.expander("The same on the command line"):
            st.code(sweep_command(variant, texts, selection.decides, plan, selection), language=None, wrap_lines=True)
    return Wish(grid, metric, columns[5])


def _draw_metric(
    column: Any, selection: Selection, grid: Grid | None, plan: Plan, running: bool
) -> tuple[str | None, list[str]]:
    """The metric that decides, and what is wrong with it."""
    names = [metric.name for metric in plan.metrics if metric.set != "effort"]
    usual, metric, wrong = None, None, []
    if grid is not None:
        try:
            usual = sweep_metric(None, grid, plan.metrics)
            metric = sweep_metric(selection.decides or None, grid, plan.metrics)
        except UserError as error:
            wrong.append(str(error))
    labels = {name: full_label_of(all_metrics()[name], plan.judge) for name in names}
    labels[""] = f"{labels[usual]} (the usual)" if usual else "the usual"
    st.session_state["selected decides"] = selection.decides if selection.decides in names else ""
    column.selectbox(
        "Decided by", ["", *names], key="selected decides", format_func=lambda each: labels[each], disabled=running,
        on_change=lambda: select(decides=st.session_state["selected decides"]),
        help="Fixed before the sweep, so that the metric is not chosen by its result. The usual one is evidence "
        "recall, where that is not measured context recall; key facts where only the answer's settings move.",
    )  # fmt: skip
    return metric, wrong


def _draw_size(grid: Grid, plan: Plan, tried: int | None) -> None:
    held_here = sum(map(is_held_out, plan.questions.questions))
    whole = plan.whole or plan.questions
    held = len(holdout_questions(whole).questions)
    words = size_words(grid, len(plan.questions.questions) - held_here, held, tried)
    if held:
        st.caption(as_typed(words))
        return
    line, about = st.columns([8, 2.2], vertical_alignment="center", gap="small")
    line.caption(as_typed(words))
    with about.popover("No hold-out yet", icon=":material/help:", width="stretch", key="no holdout"):
        st.markdown(TAGGING)
