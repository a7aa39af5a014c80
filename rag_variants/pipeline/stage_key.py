"""What a result depends on, derived from where each setting says it belongs. No key is written by hand anywhere."""

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Any, Protocol

from rag_variants.pipeline.setting import Stage, settings_of

# Whose settings decide what a stage gets to see. What comes as a value besides (a question, what is searched for it,
# the hits) belongs to the key as that value.
INPUTS: Mapping[Stage, tuple[Stage, ...]] = {
    "documents": (),
    "chunks": ("documents",),
    "index": ("chunks",),
    "query": ("index",),
    "rank": ("index",),
    "rerank": ("rank",),
    "select": ("rerank",),
    "answer": (),
}


class HasSettings(Protocol):
    """A value with settings, some of which may do nothing at present: a variant, or what a stage sees of one."""

    def ignored_settings(self) -> frozenset[str]:
        """The names of those that do nothing."""

    def __hash__(self) -> int: ...


class StageKey:
    """The settings that a stage may read, as attributes. It is the key of what the stage makes, and all it is given.

    So a result cannot depend on a setting that its key forgets: reading another one raises AttributeError. Equal
    settings are an equal key, whichever variant they came from. Settings that do nothing at present are not there.
    """

    __slots__ = ("_hash", "_stages", "_values")

    def __init__(self, values: Mapping[str, Any], stages: Mapping[str, Stage]) -> None:
        self._values = dict(values)
        self._stages = stages
        self._hash = hash(tuple(sorted(self._values.items())))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._values[name]
        except KeyError:
            raise AttributeError(
                f"The setting {name} is none that this stage may read: it belongs to another one, or does nothing now. "
                f"It may read {', '.join(self._values)}."
            ) from None

    def get(self, name: str, default: Any = None) -> Any:
        """The value of a setting, or the default where the variant lacks it or it does nothing."""
        return self._values.get(name, default)

    def items(self) -> Iterable[tuple[str, Any]]:
        """The settings with their values."""
        return self._values.items()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StageKey) and self._values == other._values

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"StageKey({self._values!r})"

    def ignored_settings(self) -> frozenset[str]:
        """None: what does nothing is not in the key."""
        return frozenset()

    def having(self, **changes: Any) -> "StageKey":
        """The same with other values of settings that it has."""
        known = {name: value for name, value in changes.items() if name in self._values}
        return StageKey({**self._values, **known}, self._stages)

    def narrowed(self, stage: Stage, parts: tuple[type[Any], ...]) -> "StageKey":
        """The key of an earlier stage, or of a part of this one: see `stage_key`."""
        return _key(self._values, self._stages, stage, parts)


def stage_key(of: HasSettings, stage: Stage, *parts: type[Any]) -> StageKey:
    """What the result of a stage depends on: its settings and those of all stages that it is made from.

    `parts` are classes of settings that the result reads alone (`KeywordSettings`): of the stages that they belong to,
    no other setting is in the key, so that variants with different other parts share the result. A part that the
    variant lacks has its defaults. `of` may be the key of a later stage in place of the variant.
    """
    return _stage_key(of, stage, parts)


@lru_cache(maxsize=4_000)
def _stage_key(of: HasSettings, stage: Stage, parts: tuple[type[Any], ...]) -> StageKey:
    if isinstance(of, StageKey):
        return of.narrowed(stage, parts)
    idle, declared = of.ignored_settings(), settings_of(of)
    values = {name: getattr(of, name) for name in declared if name not in idle}
    return _key(values, {name: texts.stage for name, (_, texts) in declared.items()}, stage, parts)


def _key(
    values: Mapping[str, Any], stages: Mapping[str, Stage], stage: Stage, parts: tuple[type[Any], ...]
) -> StageKey:
    own = {name: each for part in parts for name, each in settings_of(part).items()}
    narrowed = {texts.stage for _, texts in own.values()}
    before = _made_from(stage)
    found = {
        name: value
        for name, value in values.items()
        if stages[name] in before and (name in own or stages[name] not in narrowed)
    }
    lacking = {name: each for name, each in own.items() if name not in stages and each[1].stage in before}
    return StageKey(
        found | {name: declared.default for name, (declared, _) in lacking.items()},
        {**stages, **{name: texts.stage for name, (_, texts) in lacking.items()}},
    )


@cache
def _made_from(stage: Stage) -> frozenset[Stage]:
    """The stage and all that it is made from."""
    return frozenset({stage}).union(*(_made_from(each) for each in INPUTS[stage]))
