"""A page about the comparison that the selection names, run here if it is not at hand."""

from collections.abc import Callable, Sequence

import streamlit as st

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.plan import Plan
from rag_variants.ui.ahead import calls_ahead, draw_ahead
from rag_variants.ui.caches import finished
from rag_variants.ui.compare import asks_endpoints, read_plans
from rag_variants.ui.frame import open_page, show_problem
from rag_variants.ui.results import key_of
from rag_variants.ui.url import Selection
from rag_variants.ui.work import open_cached_trial
from rag_variants.ui.workplace import Follow, workplace

# Draws what a page says of a comparison; what it returns is followed at the end.
Draw = Callable[[Comparison, Selection, Plan], Sequence[Follow]]


def draw_comparison_page(title: str, what: str, draw: Draw) -> None:
    """The whole page. It shares its comparison, also one that still runs, with the Compare page.

    `what` begins the sentence that stands while the comparison runs: `The question`.
    """
    selection = open_page(title)
    place = workplace("compare", finished())
    place.collect()
    _, plan, problem = read_plans(selection)
    if plan is None:
        show_problem(problem or "The questions cannot be read. Choose others on the Compare page.")
        return
    key = key_of(selection.a, selection.b, plan)
    place.take_cached(key)
    at_hand = place.shown is not None and place.shown.key == key
    asks, missing = asks_endpoints(selection), place.job is None and not at_hand
    ahead = draw_ahead(selection, plan, key) if missing and asks else None
    if missing and _is_wanted(asks or place.tried == key):
        place.start(key, open_cached_trial(selection.a, selection.b, plan), calls_ahead(key))
    progress = st.empty()
    place.draw_problem([key])
    further: Sequence[Follow] = ()
    if place.shown is not None and at_hand:
        further = draw(place.shown.result, selection, plan)
    elif place.job is not None:
        st.caption(f"{what} is shown when the comparison is done.")
        st.skeleton(400)
    place.draw_progress(progress)
    for follow in further:
        follow()
    if ahead is not None:
        ahead.draw_progress()


def _is_wanted(offered: bool) -> bool:
    """Whether to run the comparison: at once, or where it costs money or has failed before, at a press."""
    return st.button("Run comparison", key="run", type="primary") if offered else True
