"""The sweep section of the Tune page: a form, one job that can be stopped and gone on with, one result."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from rag_variants.errors import UserError
from rag_variants.evaluation.plan import Plan, tuning_plan
from rag_variants.evaluation.tuning.grid import Grid
from rag_variants.evaluation.tuning.sweep_work import sweep_key, sweep_models, sweep_plan
from rag_variants.evaluation.tuning.tuning_log import open_tuning_log
from rag_variants.pipeline.variant import Variant
from rag_variants.questions.holdout import tune_questions
from rag_variants.settings import Settings
from rag_variants.ui.ahead import Ahead, calls_ahead, draw_calls_ahead
from rag_variants.ui.caches import sweeps
from rag_variants.ui.endpoints import visit_settings
from rag_variants.ui.frame import show_problem
from rag_variants.ui.jobs import Key
from rag_variants.ui.url import current_selection
from rag_variants.ui.views.sweep_form import Wish, draw_form
from rag_variants.ui.work import open_sweep
from rag_variants.ui.workplace import Follow, GoingOn, Workplace, workplace

if TYPE_CHECKING:
    from rag_variants.evaluation.tuning.sweep import Sweep

Use = Callable[[Variant], None]
MOST_FORECAST = 200  # settings; the calls of more are not counted ahead


def draw_sweeps(variant: Variant, plan: Plan, use: Use) -> tuple[Follow, ...]:
    """The whole section for a variant over the questions of a plan; what follows its progress, at the page's end.

    `use` puts a setting in the place of the variant on the page; it is called before the page is drawn again.
    """
    place: Workplace[Sweep] = workplace("sweep", sweeps())
    place.collect()
    follow: list[Follow] = []
    with st.container(border=True, key="sweep"):
        st.markdown("**Sweep**: which value is best, and which cannot be told from it?")
        try:
            tune = tuning_plan(plan)
        except UserError as error:
            show_problem(str(error))
            return ()
        tried = _count_tried(plan)
        wish = draw_form(current_selection(), variant, plan, tried, running=place.job is not None)
        grid, metric = wish.grid, wish.metric
        key = sweep_key(grid, metric, tune, visit_settings()) if grid and metric else None
        place.take_cached(key)
        ahead = _draw_start(place, wish, plan, key)
        slot = st.empty()
        follow.append(partial(place.draw_progress, slot))
        if ahead is not None:
            follow.append(ahead.draw_progress)
        place.draw_problem()
    if place.shown is not None:
        follow += _draw_result(place, tried, key, variant, plan, use)
    return tuple(follow)


def _count_tried(plan: Plan) -> int | None:
    """How many settings were ever tried on the questions outside the hold-out; None if that cannot be read."""
    try:
        return open_tuning_log(Settings()).count_tried(tune_questions(plan.whole or plan.questions))
    except UserError as error:
        show_problem(str(error))
        return None


def _draw_start(place: "Workplace[Sweep]", wish: Wish, plan: Plan, key: Key | None) -> Ahead | None:
    """The button, and before it what models elsewhere would be asked."""
    grid, metric = wish.grid, wish.metric
    going_on = _going_on()
    whole = place.has(key)
    stopped = key is not None and going_on.has(key) and not whole
    running = place.job is not None
    label = "Running" if running else "Measured" if whole else "Go on" if stopped else "Start the sweep"
    pressed = wish.place.button(
        label,
        key="start sweep",
        type="secondary" if whole or key is None else "primary",
        disabled=key is None or whole or running,
        icon=":material/resume:" if stopped and not running else None,
        width="stretch",
    )
    if grid is None or metric is None or key is None:
        return None
    if pressed:
        place.start(key, open_sweep(grid, plan, metric, going_on, key), calls_ahead(key))
        st.rerun()  # so that the form is closed while it runs
    if place.job is not None or whole or not sweep_models(grid, plan):
        return None
    return _draw_calls(grid, plan, key)


def _draw_calls(grid: Grid, plan: Plan, key: Key) -> Ahead | None:
    words = "This sweep asks models of an endpoint, which may cost money."
    if len(grid.points) > MOST_FORECAST:
        st.caption(f"{words} The calls of more than {MOST_FORECAST} settings are not counted ahead.")
        return None
    return draw_calls_ahead(grid.points, sweep_plan(plan, grid), key, words, " Press **Start the sweep**.")


def _draw_result(
    place: "Workplace[Sweep]", tried: int | None, key: Key | None, variant: Variant, plan: Plan, use: Use
) -> list[Follow]:
    from rag_variants.ui.views.sweep_result import draw_sweep_result

    shown = place.shown
    assert shown is not None
    if tried is not None and tried > shown.result.tried:  # by other sweeps and sliders since
        shown = place.shown = replace(shown, result=shown.result.counting(tried))
        if shown.complete:
            place.kept.keep(shown.key, shown.result)
    return draw_sweep_result(shown.result, key == shown.key, variant, plan, use)


def _going_on() -> "GoingOn[Sweep]":
    found: GoingOn[Sweep] = st.session_state.setdefault("sweep going on", GoingOn())
    return found
