"""What stands on the Tune page while a setting is measured, or where it could not be: whose numbers these are, why."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from rag_variants.errors import UserError
from rag_variants.evaluation.embedding import count_unembedded
from rag_variants.evaluation.plan import Plan
from rag_variants.llm.endpoint import find_endpoint
from rag_variants.pipeline import print_variant
from rag_variants.pipeline.variant import Variant
from rag_variants.ui.caches import bench_for
from rag_variants.ui.desk import Desk
from rag_variants.ui.endpoints import visit_settings
from rag_variants.ui.frame import show_note
from rag_variants.ui.jobs import seconds_words
from rag_variants.ui.moves import move_to
from rag_variants.ui.text import as_typed
from rag_variants.ui.url import Selection


@dataclass
class Waiting:
    """What follows the measuring, at the end of the page."""

    follow: Callable[[], None] = lambda: None


def draw_waiting(desk: Desk, selection: Selection, plan: Plan) -> Waiting:
    """Says whose numbers are on the page and why, and offers the way back; or follows what is being measured."""
    missing = next(each for each in (selection.pinned, selection.tuned) if not desk.knows(each, plan))
    unusable = _unusable_endpoint(missing)
    if unusable:  # before anybody is asked to pay for it
        _say(desk, selection, unusable, "error")
        _draw_buttons(desk, selection, plan, missing, "")
        return Waiting()
    if desk.needs_asking(missing, plan):
        reason = f"measuring it asks {', '.join(missing.ranking_models)}, which may cost money."
        _say(desk, selection, reason, "payments")
        _draw_buttons(desk, selection, plan, missing, "Measure it")
        return Waiting()
    problem = desk.problem(missing, plan)
    if problem:
        _say(desk, selection, problem, "error")
        _draw_buttons(desk, selection, plan, missing, "Try again")
        return Waiting()
    _say(desk, selection, _work_words(missing, plan), "hourglass_top")
    slot = st.empty()
    _draw_buttons(desk, selection, plan, missing, "")
    return Waiting(lambda: desk.place.draw_progress(slot))


def _say(desk: Desk, selection: Selection, reason: str, icon: str) -> None:
    words = as_typed(reason)
    if desk.last is not None:
        whose = as_typed(print_variant(desk.last.now.variant))
        words = f"**Numbers of {whose}, not of the setting on the left:** {words}"
    show_note(words, "waiting", icon)


def _work_words(variant: Variant, plan: Plan) -> str:
    """How much has to be embedded and about how long it takes."""
    try:
        missing = count_unembedded(variant, bench_for(plan))
    except UserError:  # the job says it
        return "it is being measured."
    if not missing.passages:
        return "it is being measured."
    count = f"{missing.passages:,} passage{'' if missing.passages == 1 else 's'} to embed"
    return f"{count}, about {seconds_words(missing.seconds)}. What is embedded is kept, also if you stop."


def _draw_buttons(desk: Desk, selection: Selection, plan: Plan, missing: Variant, again: str) -> None:
    with st.container(horizontal=True, gap="small"):
        if again:
            st.button(again, key="measure again", on_click=desk.try_again, args=(missing, plan))
        if desk.last is not None and desk.last.now.variant != selection.tuned:
            label = f"Back to {as_typed(print_variant(desk.last.now.variant))}"
            st.button(label, key="back", icon=":material/undo:", on_click=_back, args=(desk.last.now.variant,))


def _back(variant: Variant) -> None:
    move_to("tune", variant)


def _unusable_endpoint(variant: Variant) -> str | None:
    """Why a model that a variant asks before there is an answer cannot be asked at all: its endpoint is not there."""
    try:
        settings = visit_settings()
        for spec in variant.ranking_models:
            find_endpoint(spec, settings)
    except UserError as error:
        return str(error)
    return None
