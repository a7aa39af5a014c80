"""A comparison as Altair charts: pure functions from values to specifications."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from rag_variants.evaluation.comparison import Comparison, MetricComparison
from rag_variants.report.table import metric_rows
from rag_variants.report.words import ARROWS
from rag_variants.wording.glossary import Glossary

ROW_HEIGHT = 38
_LEAST_SPAN = 0.05


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of a theme: A, B, undecided, text, quiet text, lines, evidence."""

    a: str
    b: str
    grey: str
    text: str
    quiet: str
    line: str
    gold: str


LIGHT = Colours("#0067b1", "#d9660a", "#8a9099", "#2f2d2b", "#62666d", "#e3e3e0", "#946b00")
DARK = Colours("#6cb6ff", "#ffa657", "#8f959d", "#edebe8", "#b3b0ab", "#3d3a36", "#eabe00")


@dataclass(frozen=True, slots=True)
class ChartRow:
    """One line of the chart: a group's heading or a metric."""

    order: int
    name: str = ""
    heading: str = ""
    label: str = ""
    delta: float | None = None
    low: float | None = None
    high: float | None = None
    change: str = ""
    values: str = ""
    verdict: str = ""
    counts: str = ""
    winner: str = "grey"
    help: str = ""
    left: str = ""
    right: str = ""
    noise: float | None = None


def delta_rows(comparison: Comparison, glossary: Glossary | None = None) -> tuple[ChartRow, ...]:
    """The lines of the chart of deltas: every group's heading, then its metrics, explained as in the glossary."""
    glossary = glossary or Glossary()
    rows: list[ChartRow] = []
    group = ""
    for row in metric_rows(comparison):
        if row.group != group:
            group = row.group
            left, right = ("", "") if rows else ("← A better", "B better →")
            rows.append(ChartRow(len(rows), heading=group, left=left, right=right))
        compared = comparison.metrics[row.name]
        interval = compared.delta.ci95
        rows.append(
            ChartRow(
                order=len(rows),
                name=row.name,
                label=row.label,
                delta=compared.delta.mean,
                low=interval[0] if interval else None,
                high=interval[1] if interval else None,
                change=row.delta,
                values=f"{row.a} → {row.b}",
                verdict=_verdict(compared, row.verdict, row.interval),
                counts=f"{row.wins}  ·  scored {row.scored}",
                winner=_winner(compared),
                help=glossary.metric(row.name, comparison.judge).line,
                noise=compared.noise_floor,
            )
        )
    return tuple(rows)


def text_layer(
    base: alt.Chart,
    field: str,
    dx: int,
    dy: int,
    colour: str | None = None,
    *,
    align: str = "left",
    bold: bool = False,
    size: int = 13,
    right: bool = False,
    at_zero: bool = False,
) -> alt.Chart:
    """A layer of texts at a distance from the chart's left edge, its right edge, or the line of no difference."""
    options: dict[str, Any] = {"align": align, "dx": dx, "dy": dy, "fontSize": size}
    if colour:
        options["color"] = colour
    mark = base.transform_filter(f"datum.{field} != ''").mark_text(fontWeight="bold" if bold else "normal", **options)
    place = alt.XDatum(0) if at_zero else alt.value("width" if right else 0)
    encoded: alt.Chart = mark.encode(text=f"{field}:N", x=place)
    return encoded


def axis_ends(rows: Sequence[ChartRow]) -> tuple[float, float]:
    """Where the one axis of all metrics begins and ends."""
    return ends_around_zero([each for row in rows for each in (row.delta, row.low, row.high, row.noise)])


def ends_around_zero(values: Iterable[float | None]) -> tuple[float, float]:
    """Where an axis of deltas begins and ends: both sides of 0, the shorter one half as long or more."""
    ends = [each for each in values if each is not None]
    span = max([_LEAST_SPAN, *(abs(each) for each in ends)]) * 1.08
    low = -span if min(ends, default=0) < -span / 2 else -span / 2
    high = span if max(ends, default=0) > span / 2 else span / 2
    return low, high


def _winner(compared: MetricComparison) -> str:
    if compared.inside_noise:
        return "grey"
    return {"better": "b", "worse": "a"}.get(compared.delta.verdict, "grey")


def _verdict(compared: MetricComparison, words: str, interval: str) -> str:
    arrow = None if compared.inside_noise else ARROWS.get(compared.delta.verdict)
    return f"{arrow} {words}, {interval}" if arrow else words


def framed(layers: Sequence[alt.Chart], height: int) -> alt.LayerChart:
    """The layers as one chart without a frame of its own."""
    chart: alt.LayerChart = (
        alt.layer(*layers)
        .properties(height=height, background="transparent")
        .configure(font="Source Sans, Source Sans Pro, sans-serif", padding=4)
        .configure_view(stroke=None)
    )
    return chart
