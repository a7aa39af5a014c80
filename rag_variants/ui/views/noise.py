"""The judge's own noise: the same records judged again, on request."""

from functools import partial

import streamlit as st

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.plan import Plan
from rag_variants.ui.caches import judged_again
from rag_variants.ui.results import key_of
from rag_variants.ui.work import open_repetition
from rag_variants.ui.workplace import Follow, Workplace, workplace

TIMES = 2


def with_noise(comparison: Comparison, plan: Plan | None) -> Comparison:
    """The comparison with what was measured of its judge's noise, or as it is."""
    place = _place()
    if plan is None:
        return comparison
    key = key_of(comparison.a.variant, comparison.b.variant, plan)
    place.take_cached(key)
    return place.shown.result if place.shown is not None and place.shown.key == key else comparison


def draw_noise(comparison: Comparison, plan: Plan | None) -> Follow | None:
    """What the judge's noise is, or a button that measures it; what follows its progress."""
    if comparison.a.judge is None:
        return None
    if comparison.judge == "embedded":
        st.caption("The embedded judge says the same whenever it reads the same: it adds no noise to a difference.")
        return None
    if plan is None:
        return None
    place = _place()
    key = key_of(comparison.a.variant, comparison.b.variant, plan)
    measured = place.shown is not None and place.shown.key == key
    if measured:
        st.caption("Grey bars: how far the judge alone moves a difference when it reads the same records again.")
    elif st.button(
        "Measure the judge's noise",
        key="measure noise",
        icon=":material/replay:",
        disabled=place.job is not None,
        help="The judge scores the same records once more with fresh calls: about as many calls as it needed before.",
    ):
        place.start(key, open_repetition(comparison, plan, TIMES))
    progress = st.empty()
    place.draw_problem([key])
    return partial(place.draw_progress, progress)


def _place() -> Workplace[Comparison]:
    place = workplace("judged again", judged_again())
    place.collect()
    return place
