"""Where a visitor looks for better settings: the work, what it found for a variant, and where its progress stands."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import streamlit as st

from rag_variants.evaluation.plan import Plan
from rag_variants.pipeline.variant import Variant
from rag_variants.ui.caches import advised
from rag_variants.ui.jobs import Key
from rag_variants.ui.results import key_of
from rag_variants.ui.work import open_advice
from rag_variants.ui.workplace import Workplace, workplace

if TYPE_CHECKING:
    from rag_variants.evaluation.advice.advice import Attempts
    from rag_variants.evaluation.runs import Run

Spot = Literal["question", "result"]


@dataclass
class Adviser:
    """Searches over the plan of the page. `slot` is the place of the progress bar, once a view has made it."""

    place: "Workplace[Attempts]"
    plan: Plan | None
    slot: Any = None

    def serves(self, run: "Run") -> bool:
        """Whether the page's documents and questions are still those of a run, and its settings can be changed."""
        plan = self.plan
        return (
            plan is not None
            and run.variant.why_not("path") is None
            and (plan.knowledge.fingerprint, plan.questions.fingerprint)
            == (
                run.knowledge.fingerprint,
                run.questions.fingerprint,
            )
        )

    def found(self, variant: Variant) -> "Attempts | None":
        """What the search for a variant has found, also if it was stopped; None if there was none."""
        key, shown = self._key(variant), self.place.shown
        kept = self.place.kept.find(key)
        return shown.result if kept is None and shown is not None and shown.key == key else kept

    def runs_for(self, variant: Variant) -> bool:
        """Whether the search at hand is for a variant."""
        return self.place.job is not None and self.place.job.key == self._key(variant)

    def start(self, variant: Variant, spot: Spot) -> None:
        """Begins the search for a variant; its progress stands where it was asked for."""
        if self.plan is not None and self.place.job is None:
            st.session_state["advice spot"] = spot
            self.place.start(self._key(variant), open_advice(variant, self.plan))

    def is_asked_at(self, spot: Spot) -> bool:
        """Whether the last search was asked for there."""
        return st.session_state.get("advice spot") == spot

    def draw_problem(self, variants: Iterable[Variant]) -> None:
        """Why the last search failed, if it was for one of the variants."""
        self.place.draw_problem([self._key(variant) for variant in variants])

    def draw_progress(self) -> None:
        """Follows the search at hand, where it was asked for if that is still on the page."""
        if self.place.job is not None:
            self.place.draw_progress(self.slot or st.empty())

    def _key(self, variant: Variant) -> Key:
        return ("advice", *key_of(variant, variant, self.plan)) if self.plan else ("advice", variant)


def open_adviser(plan: Plan | None) -> Adviser:
    """This visitor's adviser, with what an ended search has found."""
    place = workplace("advice", advised())
    place.collect()
    return Adviser(place, plan)
