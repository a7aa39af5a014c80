"""One call to an endpoint from the Settings page, to see whether it works. The page stays alive meanwhile."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import streamlit as st

from rag_variants.evaluation.work import Progress
from rag_variants.settings import EndpointSettings, Settings
from rag_variants.ui.endpoints import OwnEndpoints
from rag_variants.ui.jobs import Job
from rag_variants.ui.workplace import POLL

Ask = Literal["chat", "embeddings", "models"]


@dataclass(frozen=True, slots=True)
class TrialOutcome:
    """What a call showed, in words; with the models that the endpoint listed, if it was asked for them."""

    words: str
    problem: bool = False
    models: tuple[str, ...] = ()


class TrialCall:
    """One call as work: for the list of an endpoint's models, or to one model as judges and encoders make it."""

    complete = True

    def __init__(self, name: str, model: str, ask: Ask, settings: Settings, given: EndpointSettings) -> None:
        self._name, self._spec, self._ask = name, f"{name}:{model}", ask
        self._settings, self._given = settings, given
        self._outcome: TrialOutcome | None = None

    def steps(self) -> Iterator[Progress]:
        """Makes the call; it has no steps of its own. Raises ModelError and CallError."""
        from rag_variants.llm.endpoint import make_endpoint
        from rag_variants.llm.trial_call import find_models, models_in_words, try_chat, try_embeddings

        if self._ask == "models":
            endpoint = make_endpoint(self._name, self._given)
            models = find_models(endpoint)
            self._outcome = TrialOutcome(models_in_words(endpoint, models), models=models)
        else:
            test = try_chat if self._ask == "chat" else try_embeddings
            self._outcome = TrialOutcome(f"{self._spec} works: {test(self._spec, self._settings)}")
        return iter(())

    def result(self) -> TrialOutcome | None:
        """What the call showed."""
        return self._outcome


@dataclass
class Trials:
    """The call at hand, and what the last call to each endpoint showed."""

    job: Job[TrialOutcome] | None = None
    outcomes: dict[str, TrialOutcome] = field(default_factory=dict)
    begun: float = 0.0

    def start(self, own: OwnEndpoints, name: str, model: str, ask: Ask) -> None:
        """Begins a call; raises ModelError if the environment's settings cannot be used."""
        settings, given = own.settings(), own.known()[name]
        key = (name, f"{name}:{model}", ask)
        self.outcomes.pop(name, None)
        self.job = Job(key, lambda: TrialCall(name, model, ask, settings, given), lambda key, outcome: None)
        self.begun = time.monotonic()
        self.job.start()

    def asks(self, name: str) -> bool:
        """Whether the call at hand goes to an endpoint."""
        return self.job is not None and self.job.key[0] == name

    def forget(self, name: str) -> None:
        """Nothing is known of an endpoint that was changed; what a call to it shows is not heard."""
        self.outcomes.pop(name, None)
        if self.asks(name):
            self.job = None

    def collect(self, own: OwnEndpoints) -> None:
        """Takes over what an ended call showed."""
        job = self.job
        if job is None or not job.wait(0):
            return
        self.job = None
        name, spec, ask = (str(part) for part in job.key)
        outcome = job.result or TrialOutcome(job.problem or "", problem=True)
        self.outcomes[name] = outcome
        if outcome.models:
            own.listed[name] = outcome.models
        if not outcome.problem and ask != "models":
            own.tested[spec] = "chat" if ask == "chat" else "embeddings"

    def follow(self, place: Any) -> None:
        """Counts the seconds in a place until the call ends; then the page is drawn again. A click comes through."""
        if self.job is None:
            return
        place = place or st.empty()
        while not self.job.wait(POLL):
            place.caption(f":material/hourglass_top: One call is made … {time.monotonic() - self.begun:.0f} s")
        st.rerun()


def trials() -> Trials:
    """Those of this visit."""
    found: Trials = st.session_state.setdefault("trials", Trials())
    return found
