"""What a run would still ask of models elsewhere, said before it is run."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from rag_variants.evaluation.identity import asked_models
from rag_variants.evaluation.plan import Plan
from rag_variants.llm.cached_replies import open_cached_replies
from rag_variants.pipeline.variant import Variant
from rag_variants.settings import Settings
from rag_variants.ui.frame import show_note
from rag_variants.ui.jobs import Key
from rag_variants.ui.results import CachedResults
from rag_variants.ui.text import as_typed
from rag_variants.ui.url import Selection
from rag_variants.ui.work import open_forecast
from rag_variants.ui.workplace import Workplace, workplace

if TYPE_CHECKING:
    from rag_variants.evaluation.forecast import CallForecast

_COSTS = "This pair asks models of an endpoint, which may cost money."
_FETCHES = "This pair loads a reranking model, which may have to be downloaded first."


@dataclass
class Ahead:
    """The forecast of what the page would run; `slot` is where its progress stands while it is made."""

    place: "Workplace[CallForecast]"
    slot: Any = None

    def draw_progress(self) -> None:
        """Follows the forecast being made."""
        if self.slot is not None:
            self.place.draw_progress(self.slot)


def calls_ahead(key: Key) -> int:
    """The calls that the forecast of a run has named; 0 if there was none."""
    shown = _place().shown
    # A forecast's key begins with its name and the replies that were at hand.
    known = shown is not None and shown.key[2:] == key
    return sum(need.calls for need in shown.result.calls.values()) if shown is not None and known else 0


def draw_ahead(selection: Selection, plan: Plan, key: Key) -> Ahead:
    """Says what pressing the button would ask and cost; begins to find it out if that is not known yet."""
    asks = asked_models((selection.a, selection.b), selection.judge, selection.judge_embeddings)
    words = _COSTS if asks else _FETCHES
    return draw_calls_ahead([selection.a, selection.b], plan, key, words, " Press **Run comparison**.")


def draw_calls_ahead(variants: Sequence[Variant], plan: Plan, key: Key, words: str, press: str) -> Ahead:
    """The same for any variants: `words` say that models are asked, `press` what begins it."""
    place = _place()
    place.collect()
    full = ("forecast", open_cached_replies(Settings()).size().replies, *key)  # replies that come make another forecast
    place.take_cached(full)
    if place.job is None and not place.has(full) and place.tried != full:
        place.start(full, open_forecast(variants, plan))
    failed = place.problem is not None and place.tried == full
    lines = [words if failed else f"{words}{press}"]
    if place.has(full) and place.shown is not None:
        from rag_variants.report.calls import forecast_lines

        lines += [f"- {as_typed(line)}" for line in forecast_lines(place.shown.result)]
    show_note("\n".join(lines), "endpoint", "payments")
    place.draw_problem([full])
    return Ahead(place, st.empty() if place.job else None)


def _place() -> "Workplace[CallForecast]":
    return workplace("forecast", CachedResults(limit=4))
