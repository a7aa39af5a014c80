"""The single changes of a variant that are worth a try, from what its settings say of themselves."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from rag_variants.errors import VariantError
from rag_variants.pipeline.expand import asks_model
from rag_variants.pipeline.pipeline import Pipeline
from rag_variants.pipeline.retrieve.passages import CHROMA
from rag_variants.pipeline.setting import Setting, settings_of
from rag_variants.pipeline.spec import print_value

# A share such as keyword_weight moves to one of these points between its bounds, if that is a real move.
SHARES = (0.2, 0.5, 0.8)
LEAST_MOVE = 0.2
# Of the values that a setting names, so many on each side of the present one.
NEAREST = 2


@dataclass(frozen=True, slots=True)
class SingleChange:
    """One setting moved from `before` to `after` (as written); `variant` is the variant with it."""

    setting: str
    before: str
    after: str
    variant: Pipeline

    @property
    def written(self) -> str:
        """`setting=after`, unlike for every change of one variant."""
        return f"{self.setting}={self.after}"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A change that was not tried, and why: a sentence."""

    setting: str
    before: str
    after: str
    reason: str


def single_changes(variant: Pipeline) -> tuple[tuple[SingleChange, ...], tuple[LeftOut, ...]]:
    """The changes of one retrieval setting, in the order of the settings and of values, and those that cannot be.

    Switches flip, choices change; numbers move to the values their setting names, else to half and double, shares to
    0.2, 0.5 and 0.8 between their bounds; and everything may return to its default. Settings of the answer stage, and
    those that do nothing with the present variant, stay as they are; no expansion is tried that a chat model writes,
    and no approximate search, which can only lose what the exact one finds.
    """
    changes: list[SingleChange] = []
    impossible: list[LeftOut] = []
    ignored = variant.ignored_settings()
    for name, (declared, texts) in settings_of(variant).items():
        if texts.stage == "answer" or name in ignored or name == "expander":
            continue
        present = getattr(variant, name)
        for value in values_to_try(present, declared.default, texts):
            if value == CHROMA or (name == "expansion" and asks_model(value)):
                continue
            before, after = print_value(present), print_value(value)
            try:
                changes.append(SingleChange(name, before, after, replace(variant, **{name: value})))
            except VariantError as error:
                impossible.append(LeftOut(name, before, after, str(error)))
    return tuple(changes), tuple(impossible)


def values_to_try(present: Any, default: Any, texts: Setting) -> tuple[Any, ...]:
    """Other values of a setting that are worth a try, in order, within its bounds; none for free text."""
    if isinstance(default, bool):
        return (not present,)
    if texts.choices:
        return tuple(choice for choice in texts.choices if choice != present)
    if texts.minimum is None or texts.maximum is None:
        return ()
    values = {_on_grid(value, type(default), texts) for value in _numbers(present, texts)} | {default}
    return tuple(sorted(values - {present}))


def _numbers(present: float, texts: Setting) -> Iterable[float]:
    """Numbers near the present one, not yet within bounds or on steps."""
    if texts.tries:
        below = sorted(value for value in texts.tries if value < present)
        above = sorted(value for value in texts.tries if value > present)
        return (*below[-NEAREST:], *above[:NEAREST])
    low, span = texts.minimum or 0.0, (texts.maximum or 0.0) - (texts.minimum or 0.0)
    if span <= 1:
        points = (low + share * span for share in SHARES)
        return [point for point in points if abs(point - present) >= LEAST_MOVE * span - 1e-9]
    return (present / 2, present * 2)


def _on_grid(value: float, kind: type, texts: Setting) -> Any:
    """The nearest whole number of steps within the bounds."""
    low, high, step = texts.minimum or 0.0, texts.maximum or 0.0, texts.step or (1 if kind is int else 0.0)
    moved = round(value / step) * step if step else value
    return kind(round(min(max(moved, low), high), 10))
