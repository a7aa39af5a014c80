"""The Compare page: widgets, one job, one result."""

import streamlit as st

from rag_variants.errors import UserError
from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.identity import asked_models
from rag_variants.evaluation.plan import Plan
from rag_variants.metrics import choose_metrics
from rag_variants.ui.adviser import Adviser, open_adviser
from rag_variants.ui.ahead import calls_ahead, draw_ahead
from rag_variants.ui.caches import finished, read_plan
from rag_variants.ui.controls import draw_sources, draw_variants
from rag_variants.ui.frame import open_page, show_problem
from rag_variants.ui.jobs import Key
from rag_variants.ui.results import key_of
from rag_variants.ui.url import Selection
from rag_variants.ui.work import open_cached_trial
from rag_variants.ui.workplace import Follow, Workplace, workplace


def draw_compare_page() -> None:
    """The whole page. Widgets write to the URL; a finished comparison stays until another one takes its place."""
    selection = open_page("Compare")
    place = workplace("compare", finished())
    place.collect()
    whole, plan, problem = read_plans(selection)
    key = key_of(selection.a, selection.b, plan) if plan else None
    place.take_cached(key)
    outdated = place.shown is not None and place.shown.key != key
    wanted = plan is not None and not place.has(key) and (place.shown is not None or asks_endpoints(selection))
    pressed = draw_variants(selection, running=place.job is not None, wanted=wanted)
    draw_sources(selection, whole)
    if problem:
        show_problem(problem)
    if plan and key and place.job is None and _is_due(place, selection, key, pressed):
        place.start(key, open_cached_trial(selection.a, selection.b, plan), calls_ahead(key))
    unpaid = place.job is None and not place.has(key) and asks_endpoints(selection)
    ahead = draw_ahead(selection, plan, key) if unpaid and plan and key else None
    progress = st.empty()
    if ahead is None or ahead.place.problem != place.problem:  # what the forecast has said is not said twice
        place.draw_problem()
    adviser = open_adviser(plan)
    further = _draw_result(place, selection, None if outdated else plan, adviser)
    place.draw_progress(progress)
    adviser.draw_progress()
    if ahead is not None:
        ahead.draw_progress()
    for follow in further:
        follow()


def read_plans(selection: Selection) -> tuple[Plan | None, Plan | None, str | None]:
    """The plan over all questions, the one restricted to the slice, and the sentence that says why there is none."""
    try:
        whole = read_plan(
            selection.documents, selection.questions, selection.metrics, selection.judge, selection.judge_embeddings
        )
    except UserError as error:
        return None, None, str(error)
    try:
        return whole, whole.restricted(selection.slice or None), None
    except UserError as error:
        return whole, None, str(error)


def _is_due(place: Workplace[Comparison], selection: Selection, key: Key, pressed: bool) -> bool:
    """Whether to run now: when asked to, and by itself on the first visit where that costs nothing."""
    if pressed:
        return not place.has(key)
    return place.shown is None and place.tried != key and not asks_endpoints(selection)


def asks_endpoints(selection: Selection) -> bool:
    """Whether a side or the judge asks a model of an endpoint, or has to fetch one.

    Opening a link must not spend anybody's money.
    """
    return bool(asked_specs(selection)) or selection.a.asks_first or selection.b.asks_first


def asked_specs(selection: Selection) -> tuple[str, ...]:
    """The specs of endpoints' models that a run would ask; a judge that no metric needs is not asked."""
    judged = any(metric.needs & {"judge", "embeddings"} for metric in choose_metrics(selection.metrics))
    judges = (selection.judge, selection.judge_embeddings) if judged else ()
    return asked_models((selection.a, selection.b), *judges)


def _draw_result(
    place: Workplace[Comparison], selection: Selection, plan: Plan | None, adviser: Adviser
) -> list[Follow]:
    """The result, or what will be there; what follows the progress of further work on it."""
    if place.shown is not None:
        from rag_variants.ui.views.result import draw_comparison

        return draw_comparison(place.shown.result, selection, plan, adviser)
    if place.job is not None:
        st.caption("The first result takes a few seconds.")
        for height in (60, 400):
            st.skeleton(height)
    return []
