"""One step at a time: where several settings differ, what each of them did."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from rag_variants.evaluation.ablation.ablation_path import AblationPath
from rag_variants.evaluation.ablation.waypoints import OrderError, Waypoint, list_waypoints, order_of
from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.known_runs import missing_variants
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.runs import Run
from rag_variants.pipeline.variant import lacking
from rag_variants.report.ablation_words import waiting_sentence, waypoint_words
from rag_variants.ui.caches import ablations
from rag_variants.ui.frame import show_note
from rag_variants.ui.jobs import Key, seconds_words
from rag_variants.ui.results import key_of
from rag_variants.ui.text import as_typed
from rag_variants.ui.url import Selection, select
from rag_variants.ui.views.ablation_result import draw_ablation_result
from rag_variants.ui.views.where import chosen_metric, draw_metric_choice
from rag_variants.ui.work import open_ablation
from rag_variants.ui.workplace import Follow, Workplace, workplace


def draw_ablation(comparison: Comparison, selection: Selection, plan: Plan | None) -> Follow | None:
    """The ladder of a comparison whose sides differ in several settings; what follows its progress.

    Nothing, and None, if one step or none leads from A to B. `plan` is None if the settings have changed since.
    """
    place = workplace("ladder", ablations())
    place.collect()
    if why := lacking((comparison.a.variant, comparison.b.variant), "path"):
        st.caption(f"**One step at a time**: {as_typed(why)}")
        return None
    waypoints, problem = _read_waypoints(comparison, selection.order)
    metric = chosen_metric(comparison, selection)
    if len(waypoints) <= 2 or metric is None:
        return None
    with st.container(border=True, key="ladder"):
        st.markdown("**One step at a time**: which of the changes did it?")
        if plan is None:
            st.caption("Settings changed: run the comparison first, then take it apart here.")
            return None
        if problem:
            show_note(as_typed(problem), "ladder order", "swap_vert")
        st.caption(_about(waypoints))
        key = (*key_of(comparison.a.variant, comparison.b.variant, plan), order_of(waypoints))
        place.take_cached(key)
        _draw_controls(place, comparison, waypoints, metric, plan, key)
        progress = st.empty()
        place.draw_problem([key])
        if place.shown is not None and place.shown.key == key:
            draw_ablation_result(place.shown.result, metric)
    return partial(place.draw_progress, progress)


def _read_waypoints(comparison: Comparison, order: str) -> tuple[tuple[Waypoint, ...], str | None]:
    """The waypoints in the order chosen, and a sentence if they come in another one."""
    pair = comparison.a.variant, comparison.b.variant
    if not order:
        return list_waypoints(*pair), None
    asked = [name.strip() for name in order.split(",")]
    try:
        waypoints = list_waypoints(*pair, asked)
    except OrderError as error:
        return list_waypoints(*pair), f"{error} The order of the stages is used."
    return waypoints, waiting_sentence(asked, waypoints)


def _about(waypoints: Sequence[Waypoint]) -> str:
    count = len(waypoints) - 1
    return (
        f"{count} changes lead from A to B, and the delta belongs to all of them together. A ladder makes one change "
        f"after the other and runs the same questions on every rung."
    )


def _draw_controls(
    place: Workplace[AblationPath],
    comparison: Comparison,
    waypoints: Sequence[Waypoint],
    metric: str,
    plan: Plan,
    key: Key,
) -> None:
    order, choice, walk = st.columns([3, 3, 3], vertical_alignment="bottom", gap="small")
    with order.popover("Order of the steps", width="stretch", key="ladder order", icon=":material/swap_vert:"):
        _draw_order(comparison, waypoints)
    with choice:
        draw_metric_choice(comparison, metric, "ladder metric")
    known = _known_runs(place, comparison, key)
    missing = len(missing_variants([waypoint.variant for waypoint in waypoints], known))
    done = place.has(key)
    pressed = walk.button(
        "All steps are done" if done else _button_words(comparison, missing),
        key="climb",
        disabled=done or place.job is not None,
        width="stretch",
    )
    # Where every waypoint has its run, nothing is left but to count.
    at_once = not missing and not done and place.tried != key
    if (pressed or at_once) and place.job is None:
        place.start(key, open_ablation(waypoints, plan, known))


def _button_words(comparison: Comparison, missing: int) -> str:
    runs = (comparison.a, comparison.b)
    about = seconds_words(missing * sum(run.seconds for run in runs) / len(runs))
    more = " more" if all(run.complete for run in runs) else ""
    return f"Climb the ladder ({missing}{more} run{'' if missing == 1 else 's'}, about {about})"


def _known_runs(place: Workplace[AblationPath], comparison: Comparison, key: Key) -> list[Run]:
    """The runs at hand over the same plan: A, B, and the waypoints of the path walked last."""
    runs = [comparison.a, comparison.b]
    if place.shown is not None and place.shown.key[2:-1] == key[2:-1]:  # all but A, B and the order
        runs += place.shown.result.runs
    return runs


def _draw_order(comparison: Comparison, waypoints: Sequence[Waypoint]) -> None:
    """The steps with buttons that move them; only the change that a name stands for can be moved."""
    names = order_of(waypoints)
    words = {
        change.name: waypoint_words(Waypoint(waypoint.variant, (change,)))
        for waypoint in waypoints
        for change in waypoint.changes
    }
    for at, name in enumerate(names):
        up, down, text = st.columns([1, 1, 8], vertical_alignment="center", gap="small")
        for column, arrow, by in ((up, "upward", -1), (down, "downward", 1)):
            column.button(
                "",
                icon=f":material/arrow_{arrow}:",
                key=f"ladder {arrow} {name}",
                help=f"{name}: {'earlier' if by < 0 else 'later'}",
                disabled=not 0 <= at + by < len(names),
                on_click=_move,
                args=(comparison, names, at, by),
            )
        text.markdown(as_typed(f"{at + 1}  {words[name]}"))
    st.button("Order of the stages", key="ladder reset", on_click=lambda: select(order=""))


def _move(comparison: Comparison, names: Sequence[str], at: int, by: int) -> None:
    moved = list(names)
    moved[at], moved[at + by] = moved[at + by], moved[at]
    default = order_of(list_waypoints(comparison.a.variant, comparison.b.variant))
    select(order="" if tuple(moved) == default else ",".join(moved))
