"""The points of a sweep as rows of data for drawings: where each stands, what it is worth, how it is marked."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from rag_variants.evaluation.tuning.points import Point
from rag_variants.evaluation.tuning.sweep import Sweep
from rag_variants.pipeline.setting import settings_of
from rag_variants.pipeline.spec import print_value
from rag_variants.report.sweep_rows import amount_words, fine_interval_words, marks_of, point_words, unit_of
from rag_variants.report.words import plain, signed

NEAR, WORSE, UNKNOWN = "near", "worse", "unknown"
_APART = (0.16, 0.07)  # of the width and height: the least distance of two labels on the frontier
MISSING = {"impossible": "×", "waiting": "…"}


@dataclass(frozen=True, slots=True)
class PointRow:
    """One point as it is drawn. `values` and `texts` are its places on the axes, in their order.

    `kind` is `near` for the best and what cannot be told from it, `worse`, or `unknown` without a score. `better` is
    the advantage over the start in the metric's better direction.
    """

    settings: str
    values: tuple[Any, ...]
    texts: tuple[str, ...]
    mean: float | None
    delta: float | None
    low: float | None
    high: float | None
    better: float | None
    kind: str
    start: bool
    recommended: bool
    mean_words: str
    delta_words: str
    interval: str
    scored: str
    marks: str


def point_rows(sweep: Sweep) -> tuple[PointRow, ...]:
    """One row per point, in the points' order."""
    return tuple(_row(sweep, at, point) for at, point in enumerate(sweep.points))


def _row(sweep: Sweep, at: int, point: Point) -> PointRow:
    delta = sweep.against_start()[at]
    low, high = delta.ci95 or (None, None)
    values = tuple(getattr(point.variant, axis.name) for axis in sweep.grid.axes)
    start = point is sweep.start
    return PointRow(
        settings=point_words(sweep, point),
        values=values,
        texts=tuple(map(print_value, values)),
        mean=point.mean(sweep.metric),
        delta=delta.mean,
        low=low,
        high=high,
        better=sweep.advantage(point),
        kind=_kind(sweep, at),
        start=start,
        recommended=point is sweep.recommended,
        mean_words=plain(point.mean(sweep.metric), 3),
        delta_words="start" if start else signed(delta.mean, 3),
        interval="" if start else fine_interval_words(delta),
        scored=f"{point.scored(sweep.metric):,} of {point.asked:,}",
        marks=marks_of(sweep, at),
    )


def _kind(sweep: Sweep, at: int) -> str:
    if not sweep.gaps or not sweep.gaps[at].n:
        return UNKNOWN
    return WORSE if sweep.gaps[at].told_apart else NEAR


def missing_rows(sweep: Sweep) -> tuple[tuple[tuple[str, ...], str], ...]:
    """The combinations of the axes that no point has: (texts on the axes, `impossible` or `waiting`)."""
    there = {row.texts for row in point_rows(sweep)}
    left_out = {each.settings for each in sweep.left_out}
    names = [axis.name for axis in sweep.grid.axes]
    found = []
    for values in product(*(axis.values for axis in sweep.grid.axes)):
        texts = tuple(map(print_value, values))
        if texts not in there:
            written = ",".join(f"{name}={text}" for name, text in zip(names, texts, strict=True))
            found.append((texts, "impossible" if written in left_out else "waiting"))
    return tuple(found)


def short_words(sweep: Sweep, point: Point) -> str:
    """A point's values alone, where there is little room: `3`, of several settings `200 / 3`."""
    return " / ".join(print_value(getattr(point.variant, axis.name)) for axis in sweep.grid.axes)


def frontier_labels(sweep: Sweep, effort: str) -> dict[int, str]:
    """The words of points on the frontier, by the point's id; of those too near each other the better one alone."""
    known = [
        (taken, mean)
        for point in sweep.points
        if (taken := point.amount(effort)) is not None and (mean := point.mean(sweep.metric)) is not None
    ]
    spans = [max(each) - min(each) or 1.0 for each in zip(*known, strict=True)]
    labels: dict[int, str] = {}
    last: tuple[float, float] | None = None
    for point in reversed(sweep.frontier(effort)):
        here = (point.amount(effort) or 0.0) / spans[0], (point.mean(sweep.metric) or 0.0) / spans[1]
        if last is None or any(abs(a - b) >= least for a, b, least in zip(here, last, _APART, strict=True)):
            labels[id(point)] = short_words(sweep, point)
            last = here
    return labels


def taken_words(point: Point, effort: str) -> str:
    """What a point takes of an effort, with its unit."""
    return f"{amount_words(point, effort)}{unit_of(effort)}"


def axis_label(sweep: Sweep, name: str) -> str:
    """A setting as axes call it, with its unit."""
    texts = settings_of(sweep.grid.start)[name][1]
    return f"{texts.label} ({texts.unit})" if texts.unit else texts.label


def is_number(sweep: Sweep, name: str) -> bool:
    """Whether a setting's values have a scale of their own."""
    return type(settings_of(sweep.grid.start)[name][0].default) in (int, float)


def axis_order(sweep: Sweep, at: int) -> Sequence[str]:
    """The values of an axis in the order of the sweep; the start's own value first if it is not among them."""
    axis = sweep.grid.axes[at]
    listed = [print_value(value) for value in axis.values]
    own = print_value(getattr(sweep.grid.start, axis.name))
    return listed if own in listed else [own, *listed]
