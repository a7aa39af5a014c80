"""Parts of other packages, installed for one test."""

from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from typing import Any

import pytest

import rag_variants.registry as door
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
