"""From A to B one setting at a time: the variants in between."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, get_args

from rag_variants.errors import UserError, VariantError
from rag_variants.pipeline.setting import Stage, settings_of
from rag_variants.pipeline.spec import print_value
from rag_variants.pipeline.variant import Variant, lacking

KIND = "variant"
"""The name of the change from one kind of variant to another."""
_STAGES: tuple[str, ...] = get_args(Stage)


class OrderError(UserError):
    """An order that does not name each change once."""


@dataclass(frozen=True, slots=True)
class SettingChange:
    """One setting's way from A to B, both values as they are written."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Waypoint:
    """A variant on the way from A to B with what leads to it from the waypoint below: nothing for A itself."""

    variant: Variant
    changes: tuple[SettingChange, ...] = ()

    @property
    def name(self) -> str:
        """The settings that change here: `top_k`, or `chunk_size + chunk_overlap` where one alone is impossible."""
        return " + ".join(change.name for change in self.changes)


def list_waypoints(a: Variant, b: Variant, order: Sequence[str] | None = None) -> tuple[Waypoint, ...]:
    """The waypoints from A to B, both included, each one change above the waypoint below; A alone if they are equal.

    The kind of variant changes in a step of its own, called `variant`. Settings that only A's kind has go back to
    their defaults before it, those that only B's kind has leave their defaults after it; a setting that both kinds
    have in an unlike sense (`min_score`) changes with the kind. Changes come in the order of the stages, within a stage
    in the order of the fields, or in the `order` of names given. A change that would give an impossible variant waits
    for the others (`chunk_size` below `chunk_overlap`); those that are possible only together are one step.
    Raises OrderError if `order` does not name each change once, VariantError for a variant that is no pipeline of ours.
    """
    if why := lacking((a, b), "path"):
        raise VariantError(why)
    changes = list_changes(a, b)
    if order is not None:
        changes = _in_order(changes, order)
    return (Waypoint(a), *_walk(a, b, changes))


def order_of(waypoints: Sequence[Waypoint]) -> tuple[str, ...]:
    """The order that gives these waypoints; what changes with the kind has no place of its own in it."""
    named = _names(list_changes(waypoints[0].variant, waypoints[-1].variant))
    return tuple(change.name for waypoint in waypoints for change in waypoint.changes if change.name in named)


def list_changes(a: Variant, b: Variant) -> tuple[SettingChange, ...]:
    """What leads from A to B, in the order of the stages; settings that change with the kind are not named apart."""
    mine, yours = settings_of(a), settings_of(b)
    unlike = _unlike_settings(a, b)
    found = []
    for name, (declared, texts) in {**mine, **yours}.items():
        before, after = getattr(a, name, declared.default), getattr(b, name, declared.default)
        if before != after and name not in unlike:
            found.append((_STAGES.index(texts.stage), SettingChange(name, print_value(before), print_value(after))))
    if a.name != b.name:  # the kinds part at the index, before any of its settings
        found.insert(0, (_STAGES.index("index"), SettingChange(KIND, a.name, b.name)))
    return tuple(change for _, change in sorted(found, key=lambda each: each[0]))


def _unlike_settings(a: Variant, b: Variant) -> frozenset[str]:
    """Settings that both kinds have by name but not in sense, such as a least score on another scale."""
    mine, yours = settings_of(a), settings_of(b)
    return frozenset(
        name
        for name in mine
        if name in yours and (mine[name][1], mine[name][0].default) != (yours[name][1], yours[name][0].default)
    )


def _in_order(changes: Sequence[SettingChange], order: Sequence[str]) -> tuple[SettingChange, ...]:
    known = {change.name: change for change in changes}
    if sorted(order) != sorted(known):
        wanted = ",".join(known) or "nothing, because no setting differs"
        raise OrderError(f"The order {','.join(order)!r} does not name each change once. Name, in any order: {wanted}.")
    return tuple(known[name] for name in order)


def _walk(a: Variant, b: Variant, changes: Sequence[SettingChange]) -> Iterator[Waypoint]:
    """The waypoints above A: each time the first of the waiting changes that is possible, or the fewest together."""
    current, waiting = a, list(changes)
    while waiting:
        chosen, current = next(_possible_steps(current, a, b, waiting))
        waiting = [change for change in waiting if change not in chosen]
        yield Waypoint(current, (*chosen, *(_with_the_kind(a, b) if KIND in _names(chosen) else ())))


def _possible_steps(
    current: Variant, a: Variant, b: Variant, waiting: Sequence[SettingChange]
) -> Iterator[tuple[tuple[SettingChange, ...], Variant]]:
    """Changes that can be made now, with the variant they give. All that wait together always can: they give B."""
    for size in range(1, len(waiting) + 1):
        for chosen in combinations(waiting, size):
            try:
                changed = _change(current, a, b, _names(chosen), _names(waiting))
            except VariantError:
                continue
            if changed is not None:
                yield chosen, changed


def _change(current: Variant, a: Variant, b: Variant, names: set[str], waiting: set[str]) -> Variant | None:
    """The variant after some changes; None if a setting does not exist yet or would vanish with its kind.

    Raises VariantError for an impossible combination.
    """
    yours = settings_of(b)
    if KIND not in names:
        if not names <= settings_of(current).keys():
            return None
        targets: dict[str, Any] = {name: getattr(b, name, settings_of(current)[name][0].default) for name in names}
        return replace(current, **targets)
    if (waiting - names) - yours.keys():
        return None
    unlike = _unlike_settings(a, b)
    kept: dict[str, Any] = {
        name: getattr(current, name, declared.default)
        for name, (declared, _) in yours.items()
        if name not in names and name not in unlike
    }
    return replace(b, **kept)


def _with_the_kind(a: Variant, b: Variant) -> tuple[SettingChange, ...]:
    """The settings that change together with the kind because they mean something else in the other."""
    pairs = [(name, getattr(a, name), getattr(b, name)) for name in settings_of(b) if name in _unlike_settings(a, b)]
    return tuple(
        SettingChange(name, print_value(before), print_value(after)) for name, before, after in pairs if before != after
    )


def _names(changes: Sequence[SettingChange]) -> set[str]:
    return {change.name for change in changes}
