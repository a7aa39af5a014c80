"""What a sweep goes over and what decides it; before it begins, how much that is and what is wrong with it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from rag_variants.errors import UserError
from rag_variants.experiment.grid import Grid, read_axis
from rag_variants.experiment.plan import Plan
from rag_variants.experiment.suggested_values import suggest_values
from rag_variants.experiment.sweep import sweep_metric
from rag_variants.metrics import all_metrics, label_of
from rag_variants.questions.holdout import HOLDOUT_PART, holdout_questions, is_held_out
from rag_variants.report.sweep_words import size_words
from rag_variants.ui.caches import read_grid
from rag_variants.ui.commands import sweep_command
from rag_variants.ui.frame import show_problem
from rag_variants.ui.text import as_typed
from rag_variants.ui.url import Selection, current_selection, select
from rag_variants.variants.base import Variant
from rag_variants.variants.setting import settings_of
from rag_variants.variants.spec import print_variant

FIRST = "top_k"
FORM = "FROM..TO, FROM..TO:STEP, or values split at commas"
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
        _draw_axis(columns[2 * at : 2 * at + 2], at, over, variant, running)
        problems += _axis_problem(over[at], variant) if at < len(over) else []
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
            st.code(sweep_command(variant, texts, selection.decides, plan, selection), language="bash", wrap_lines=True)
    return Wish(grid, metric, columns[5])


def read_over(text: str, variant: Variant) -> tuple[list[tuple[str, str]], str | None]:
    """(setting, values) of a link's `top_k=1..10;chunk_size=200,400`, two at most, and what is wrong with the text."""
    pieces = [tuple(each.strip() for each in piece.partition("=")[::2]) for piece in text.split(";") if piece.strip()]
    known = [(name, values) for name, values in pieces if name in settings_of(variant)]
    chosen = known[:2] or [(FIRST, suggest_values(FIRST, variant))]
    if len(chosen) == 2 and chosen[0][0] == chosen[1][0]:
        chosen.pop()
    if len(known) < len(pieces):
        names = ", ".join(name for name, _ in pieces if name not in settings_of(variant))
        return chosen, f"{variant.name} has no setting {names[:80]}, so it is not swept. Choose another setting."
    if len(pieces) > 2:
        return chosen, "The page sweeps two settings at most; the first two are taken. The command line takes more."
    return chosen, None


def _draw_axis(columns: Sequence[Any], at: int, over: list[tuple[str, str]], variant: Variant, running: bool) -> None:
    name, values = over[at] if at < len(over) else ("", "")
    settings = settings_of(variant)
    names = _sweepable(variant, over)
    options = [*([""] if at else []), *(each for each in names if each == name or each not in dict(over))]
    labels = {each: settings[each][1].label for each in names} | {"": "none"}
    key = f"sweep setting {at}"
    st.session_state[key] = name
    columns[0].selectbox(
        "Go through" if at == 0 else "and through", options, key=key, on_change=_choose, args=(at, variant),
        format_func=lambda each: labels[each], disabled=running,
        help=settings[name][1].help if name else "A second setting makes a grid: every value of the one with every "
        "value of the other.",
    )  # fmt: skip
    key = f"sweep values {at}"
    st.session_state[key] = values
    unit = settings[name][1].unit if name else ""
    columns[1].text_input(
        f"Values ({unit})" if unit else "Values", key=key, on_change=_write, args=(at, variant), max_chars=500,
        disabled=running or not name, placeholder="–",
        help=f"{FORM}. Allowed: {settings[name][1].bounds}." if name else None,
    )  # fmt: skip


def _sweepable(variant: Variant, over: list[tuple[str, str]]) -> list[str]:
    """The settings that leave a choice; those that the answerer ignores only where the answerer is swept too."""
    ignored = variant.ignored_settings() if all(name != "answerer" for name, _ in over) else frozenset[str]()
    chosen = [name for name, _ in over]
    return [
        name
        for name, (_, texts) in settings_of(variant).items()
        if name in chosen or (name not in ignored and len(texts.choices) != 1)
    ]


def _axis_problem(axis: tuple[str, str], variant: Variant) -> list[str]:
    name, values = axis
    if not values:
        label = settings_of(variant)[name][1].label
        return [f"{label} has no values yet. Write {FORM}, such as {suggest_values(name, variant)}."]
    try:
        read_axis(f"{name}={values}", variant)
    except UserError as error:
        return [str(error)]
    return []


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
    labels = {name: label_of(all_metrics()[name], plan.judge) for name in names}
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


def _choose(at: int, variant: Variant) -> None:
    """Another setting, with the values that suit it."""
    name = st.session_state[f"sweep setting {at}"]
    over, _ = read_over(current_selection().over, variant)
    _replace(over, at, (name, suggest_values(name, variant)) if name else None)


def _write(at: int, variant: Variant) -> None:
    over, _ = read_over(current_selection().over, variant)
    if at < len(over):
        values = st.session_state[f"sweep values {at}"].replace(";", ",").strip()
        _replace(over, at, (over[at][0], values))


def _replace(over: list[tuple[str, str]], at: int, axis: tuple[str, str] | None) -> None:
    kept = [*over[:at], *([axis] if axis else []), *over[at + 1 :]]
    select(over=";".join(f"{name}={values}" for name, values in kept))
