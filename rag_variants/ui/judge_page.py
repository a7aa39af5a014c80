"""The Judge page: how far the judge of the comparison that the selection names can be believed."""

import streamlit as st

from rag_variants.ui.ahead import draw_ahead
from rag_variants.ui.caches import finished
from rag_variants.ui.compare import asks_endpoints, read_plans
from rag_variants.ui.frame import open_page, show_problem
from rag_variants.ui.kept import key_of
from rag_variants.ui.work import open_trial
from rag_variants.ui.workplace import workplace


def draw_judge_page() -> None:
    """The whole page. It shares its comparison, also one that still runs, with the Compare page."""
    selection = open_page("Judge")
    place = workplace("compare", finished())
    place.collect()
    _, plan, problem = read_plans(selection)
    if plan is None:
        show_problem(problem or "The questions cannot be read. Choose others on the Compare page.")
        return
    key = key_of(selection.a, selection.b, plan)
    place.take_kept(key)
    at_hand = place.shown is not None and place.shown.key == key
    asks, missing = asks_endpoints(selection), place.job is None and not at_hand
    ahead = draw_ahead(selection, plan, key) if missing and asks else None
    if missing and (st.button("Run comparison", key="run", type="primary") if asks or place.tried == key else True):
        place.start(key, open_trial(selection.a, selection.b, plan))
    progress = st.empty()
    place.draw_problem([key])
    further = []
    if place.shown is not None and at_hand:
        from rag_variants.ui.views.judge import draw_judge_of

        further = draw_judge_of(place.shown.result, selection, plan)
    elif place.job is not None:
        st.caption("The judge is shown when the comparison is done.")
        st.skeleton(400)
    place.draw_progress(progress)
    for follow in further:
        follow()
    if ahead is not None:
        ahead.draw_progress()
