"""Parts of other packages, installed for one test; vectors of the embedded encoder, made once for many tests."""

from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import EntryPoint
from typing import Any

import numpy as np
import pytest

import rag_variants.registry as door
from rag_variants.llm.embedded import EMBEDDED_MODELS
from rag_variants.llm.embedding import Vectors
from rag_variants.registry import Found, Registry

Install = Callable[..., None]


@pytest.fixture
def add(monkeypatch) -> Install:
    """Adds parts to a registry beside its own, as if a package had brought them: `add(RERANKERS, kind)`."""

    def with_parts(registry: Registry[Any], *parts: Any) -> None:
        known = {**registry, **{registry.name_of(part): part for part in parts}}
        monkeypatch.setitem(vars(registry), "_found", Found(known, ()))

    return with_parts


@pytest.fixture
def install(monkeypatch) -> Iterator[Install]:
    """Installs entry points into a registry beside its own: `install(JUDGES, extra="package.module:NAME")`."""
    changed: list[Registry[Any]] = []
    real = door.entry_points

    def add(registry: Registry[Any], **targets: str) -> None:
        more = [EntryPoint(name, target, registry.group) for name, target in targets.items()]
        monkeypatch.setattr(
            door, "entry_points", lambda group: [*real(group=group), *(each for each in more if each.group == group)]
        )
        changed.append(registry)
        vars(registry).pop("_found", None)

    yield add
    for registry in changed:
        vars(registry).pop("_found", None)


@pytest.fixture(scope="session")
def known_vectors() -> dict[tuple[str, str, str], Vectors]:
    """What the embedded encoders have made so far in this worker: (encoder, role, text) → a row."""
    return {}


@pytest.fixture
def remembered_vectors(monkeypatch, known_vectors) -> None:
    """The embedded encoders, each text embedded once a worker: tests whose state is fresh embed the same few texts.

    The rows are the encoder's own, which are the same alone and in a batch.
    """
    for kind in EMBEDDED_MODELS.values():
        for role in ("embed_passages", "embed_queries"):
            monkeypatch.setattr(kind, role, _remembering(kind.name, role, getattr(kind, role), known_vectors))


def _remembering(
    name: str, role: str, embed: Callable[[Any, Sequence[str]], Vectors], known: dict[tuple[str, str, str], Vectors]
) -> Callable[[Any, Sequence[str]], Vectors]:
    def remembered(self: Any, texts: Sequence[str]) -> Vectors:
        new = [text for text in dict.fromkeys(texts) if (name, role, text) not in known]
        if new:
            known.update(zip(((name, role, text) for text in new), embed(self, new), strict=True))
        return np.stack([known[name, role, text] for text in texts]) if texts else embed(self, texts)

    return remembered
