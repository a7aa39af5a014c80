"""What one visit knows of model endpoints. It stays in the memory of its session: keys are on no disk, in no URL, log
or cache, and no other visit sees them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import streamlit as st

from rag_variants.llm import Encoders
from rag_variants.llm.endpoint import known_endpoints, with_endpoints
from rag_variants.llm.specs import is_chat_spec
from rag_variants.pipeline.cache import StageCache
from rag_variants.settings import EndpointSettings, Settings, TypedEndpoint

Kind = Literal["chat", "embeddings"]


@dataclass(frozen=True)
class Workshop:
    """What works with a visit's own endpoints; clients in it hold keys, so no part of it is shared with others."""

    settings: Settings
    encoders: Encoders
    cache: StageCache


@dataclass
class OwnEndpoints:
    """The endpoints typed in this visit by name, the models that endpoints listed, and the specs that were tested."""

    given: dict[str, TypedEndpoint] = field(default_factory=dict)
    listed: dict[str, tuple[str, ...]] = field(default_factory=dict)
    tested: dict[str, Kind] = field(default_factory=dict)
    _workshop: Workshop | None = None

    def put(self, name: str, given: TypedEndpoint) -> None:
        """Adds an endpoint, or puts it in the place of the one with its name."""
        self._forget(name)
        self.given[name] = given

    def remove(self, name: str) -> None:
        """Forgets an endpoint with its key."""
        self._forget(name)
        self.given.pop(name, None)

    def settings(self) -> Settings:
        """The environment's settings with this visit's endpoints before those of the environment. Raises ModelError."""
        return with_endpoints(Settings(), self.given)

    def known(self) -> Mapping[str, EndpointSettings]:
        """Every endpoint that can be used here, by name. Raises ModelError."""
        return known_endpoints(self.settings())

    def specs(self, kind: Kind) -> tuple[str, ...]:
        """Specs worth offering: those tested as that kind, then those of listed models that were not tested.

        A model whose name cannot be written in a spec is left out.
        """
        tested = [spec for spec, each in self.tested.items() if each == kind]
        listed = [f"{name}:{model}" for name, models in self.listed.items() for model in models]
        return (*tested, *(spec for spec in listed if spec not in self.tested and is_chat_spec(spec)))

    def workshop(self, shared: Encoders) -> Workshop:
        """The workshop of these endpoints, with the embedded encoders of all visits. Raises ModelError."""
        if self._workshop is None:
            settings = self.settings()
            self._workshop = Workshop(settings, Encoders(settings, shared), StageCache())
        return self._workshop

    def _forget(self, name: str) -> None:
        """What was found out about an endpoint, and indexes made with it."""
        self._workshop = None
        self.listed.pop(name, None)
        self.tested = {spec: kind for spec, kind in self.tested.items() if spec.partition(":")[0] != name}


def visit_settings() -> Settings:
    """The environment's settings with this visit's endpoints. Raises ModelError."""
    return own_endpoints().settings()


def own_endpoints() -> OwnEndpoints:
    """Those of this visit."""
    found: OwnEndpoints = st.session_state.setdefault("own endpoints", OwnEndpoints())
    return found
