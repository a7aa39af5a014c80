"""`--over NAME=VALUES` → the settings of a sweep: every combination of the values that is possible."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from itertools import product
from typing import Any

from rag_variants.errors import VariantError, unknown
from rag_variants.pipeline.setting import Setting, settings_of
from rag_variants.pipeline.spec import print_value, read_value
from rag_variants.pipeline.variant import Variant, check_value

MOST_POINTS = 10_000
FORM = "NAME=VALUES, such as top_k=1..10, chunk_size=200,400,800 or keyword_weight=0..1:0.1"


@dataclass(frozen=True, slots=True)
class Axis:
    """One setting and the values it goes through, in the order given, each once."""

    name: str
    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Impossible:
    """A combination that no variant can have, written `NAME=VALUE,…`, and why."""

    settings: str
    reason: str


@dataclass(frozen=True, slots=True)
class Grid:
    """The variants of a sweep. The first axis varies slowest; `start` is the variant that every axis departs from.

    `points` holds `start` first, then every other possible combination once.
    """

    start: Variant
    axes: tuple[Axis, ...]
    points: tuple[Variant, ...]
    left_out: tuple[Impossible, ...]

    def written(self, variant: Variant) -> str:
        """A point by the settings that the sweep moves: `top_k=3,chunk_size=200`."""
        return _written(self.axes, [getattr(variant, axis.name) for axis in self.axes])


def make_grid(start: Variant, over: Sequence[str]) -> Grid:
    """The grid of a variant over texts such as `top_k=1..10`.

    Combinations that contradict themselves are left out with the reason. Raises VariantError for a text that is none,
    an unknown setting, a value out of its bounds, one given twice, one that nobody reads, more than 10,000
    combinations, and where no combination is possible.
    """
    if not over:
        raise VariantError(f"A sweep needs a setting to go through. Name one with --over {FORM}.")
    axes = tuple(read_axis(text, start) for text in over)
    names = [axis.name for axis in axes]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise VariantError(f"{twice} is swept twice. Give all its values in one --over, split at commas.")
    _refuse_too_many(math.prod(len(axis.values) for axis in axes))
    points, left_out = _combine(start, axes)
    if not points:
        raise VariantError(f"No combination is possible; the first, {left_out[0].settings}: {left_out[0].reason}")
    for name in names:
        if all(name in point.ignored_settings() for point in points):
            raise VariantError(
                f"Nothing in this sweep reads {name}, so all its values would be the same. It is read with "
                f"{_reader(name, start)}. Name that in the variant or sweep it too, or sweep another setting."
            )
    return Grid(start, axes, tuple(dict.fromkeys((start, *points))), left_out)


def read_axis(text: str, start: Variant) -> Axis:
    """The setting and values that a text such as `top_k=1..10` names. Raises VariantError.

    Values split at `,`. A number may be a range `FROM..TO:STEP`, or `FROM..TO` in the setting's own steps, which has
    both ends and the default if it lies between them.
    """
    name, equals, rest = (each.strip() for each in text.partition("="))
    known = settings_of(start)
    if not (name and equals and rest):
        raise VariantError(f"A sweep goes over {FORM}; {text[:80]!r} is none.")
    if name not in known:
        raise VariantError(unknown(f"setting of {start.name}", name, known))
    declared, texts = known[name]
    default: Any = declared.default
    kind = type(default)
    values: dict[Any, None] = {}
    for piece in (each.strip() for each in rest.split(",")):
        spread = kind in (int, float) and ".." in piece
        for written in _spread(name, piece, texts, default) if spread else (piece,):
            value = read_value(start.name, name, written, kind, texts.bounds)
            check_value(start.name, name, value, kind, texts)
            values[value] = None
    return Axis(name, tuple(values))


def _spread(name: str, piece: str, texts: Setting, default: float) -> Iterator[str]:
    """The values of `FROM..TO` or `FROM..TO:STEP` as they are written; decimal, so that 0.1 · 3 is 0.3."""
    ends, _, by = piece.partition(":")
    try:
        first, last = (Decimal(each.strip()) for each in ends.split("..", 1))
        step = Decimal(by.strip() if by else str(texts.step or 1))
        count = int((last - first) / step) + 1 if step > 0 and last >= first else 0
    except (InvalidOperation, ValueError, OverflowError):
        raise VariantError(f"{name}: {piece!r} is no range. Write FROM..TO or FROM..TO:STEP, such as 1..10.") from None
    if not count:
        raise VariantError(f"{name}: the range {piece!r} is empty. The end comes after the start, the step is above 0.")
    _refuse_too_many(count)
    values = {first + at * step for at in range(count)}
    if not by:
        values |= {last, *(each for each in (Decimal(str(default)),) if first <= each <= last)}
    return (f"{each.normalize():f}" for each in sorted(values))


def _refuse_too_many(count: int) -> None:
    if count > MOST_POINTS:
        raise VariantError(
            f"The sweep has {count:,} combinations; {MOST_POINTS:,} are the most. Take larger steps or fewer settings."
        )


def _reader(name: str, start: Variant) -> str:
    """With what a setting is read that some other settings leave idle."""
    if name == "expander":
        return "expansion=multi-query or expansion=hyde"
    texts = settings_of(start)[name][1]
    if texts.only_with:
        return "=".join(texts.only_with)
    readers = {
        "query": "expansion=feedback",
        "rerank": "a reranker, such as reranker=embedded",
        "answer": "an answerer that a prompt or temperature can move, such as answerer=openai:MODEL",
    }
    return readers.get(texts.stage, "reranker=off and an expansion other than multi-query")


def _combine(start: Variant, axes: Sequence[Axis]) -> tuple[list[Variant], tuple[Impossible, ...]]:
    possible: list[Variant] = []
    left_out = []
    for values in product(*(axis.values for axis in axes)):
        try:
            possible.append(replace(start, **dict(zip((axis.name for axis in axes), values, strict=True))))
        except VariantError as error:
            left_out.append(Impossible(_written(axes, values), str(error)))
    return possible, tuple(left_out)


def _written(axes: Sequence[Axis], values: Sequence[Any]) -> str:
    return ",".join(f"{axis.name}={print_value(value)}" for axis, value in zip(axes, values, strict=True))
