"""The Compare page: widgets, one job, one result."""

import streamlit as st

from rag_variants.errors import UserError
from rag_variants.experiment.plan import Plan
from rag_variants.ui.caches import bench_for, finished, read_plan
from rag_variants.ui.controls import draw_sources, draw_variants
from rag_variants.ui.frame import open_page, show_problem
from rag_variants.ui.jobs import Job
from rag_variants.ui.kept import Key, key_of
from rag_variants.ui.results import Shown, collect_job, draw_progress, draw_result, session
from rag_variants.ui.url import Selection

POLL = 0.15  # seconds


def draw_compare_page() -> None:
    """The whole page. Widgets write to the URL; a finished comparison stays until another one takes its place."""
    selection = open_page("Compare")
    collect_job()
    whole, plan, problem = _read(selection)
    key = key_of(selection.a, selection.b, plan) if plan else None
    _take_kept(key)
    state = session()
    outdated = state.shown is not None and state.shown.key != key
    wanted = plan is not None and (outdated or (state.shown is not None and not state.shown.complete))
    pressed = draw_variants(selection, running=state.job is not None, wanted=wanted)
    draw_sources(selection, whole)
    if problem:
        show_problem(problem)
    if plan and key and state.job is None and _is_due(key, pressed):
        state.start(Job(selection.a, selection.b, plan, bench_for(plan), finished()))
    progress = st.empty()
    if state.problem:
        show_problem(state.problem)
    draw_result(state.shown, selection, outdated)
    if state.job is not None:
        draw_progress(progress, state.job, POLL)


def _read(selection: Selection) -> tuple[Plan | None, Plan | None, str | None]:
    """The plan over all questions, the one restricted to the slice, and the sentence that says why there is none."""
    try:
        whole = read_plan(selection.documents, selection.questions, selection.metrics)
    except UserError as error:
        return None, None, str(error)
    try:
        return whole, whole.restricted(selection.slice or None), None
    except UserError as error:
        return whole, None, str(error)


def _take_kept(key: Key | None) -> None:
    """Shows the kept comparison of these settings at once, if there is one."""
    kept = finished().find(key) if key else None
    if kept and key and session().job is None:
        session().shown = Shown(key, kept)
        session().problem = None


def _is_due(key: Key, pressed: bool) -> bool:
    """Whether to run now: when asked to, and by itself on the first visit."""
    state = session()
    if pressed:
        return state.shown is None or state.shown.key != key or not state.shown.complete
    return state.shown is None and state.tried != key
