"""A sweep as Altair charts: lines for one setting, a heat map for two, the frontier. A and B's colours are not used."""

from typing import Any

import altair as alt

from rag_variants.evaluation.tuning.sweep import Sweep
from rag_variants.pipeline.spec import print_value
from rag_variants.report.charts import LIGHT, Colours, framed
from rag_variants.report.slice_chart import DIVERGING
from rag_variants.report.sweep_marks import HEIGHT, point_marks, point_values, quiet_axis, tooltips
from rag_variants.report.sweep_points import (
    MISSING,
    NEAR,
    axis_label,
    axis_order,
    is_number,
    missing_rows,
)
from rag_variants.report.sweep_rows import metric_label

_CELL = (8, 64)  # pixels: the least and the largest height of a cell
_ROOMY = 14  # values beside each other whose numbers have room
_LEAST_SPAN = 0.05  # so that a delta of some thousandths does not shine
_SIGNED = "datum.value == 0 ? '0' : replace(format(datum.value, '+.4~f'), '-', '−')"


def sweep_chart(sweep: Sweep, colours: Colours = LIGHT) -> alt.LayerChart | None:
    """The chart that fits the sweep: a line for one setting, a heat map for two, None for more."""
    if len(sweep.grid.axes) == 1:
        return line_chart(sweep, colours)
    return heat_map(sweep, colours) if len(sweep.grid.axes) == 2 else None


def line_chart(sweep: Sweep, colours: Colours = LIGHT) -> alt.LayerChart:
    """The deciding metric's delta to the start over the values of the first setting, each with its interval.

    The number above a point is its mean.
    """
    values = point_values(sweep)
    base = alt.Chart(alt.InlineData(values=values)).encode(x=_axis_of(sweep, 0, colours), tooltip=tooltips(sweep))
    known = base.transform_filter("isValid(datum.delta)")
    intervals = base.transform_filter("isValid(datum.low)")

    def up(field: str) -> alt.Y:
        return alt.Y(field, title=f"{metric_label(sweep)}: Δ to the start", axis=quiet_axis(colours, _SIGNED))

    zero = alt.Chart(alt.InlineData(values=[{"zero": 0}])).mark_rule(color=colours.quiet)
    bar: dict[str, Any] = {"color": colours.grey, "strokeWidth": 6, "opacity": 0.4, "strokeCap": "round"}
    layers = [zero.encode(y=up("zero:Q")), intervals.mark_rule(**bar).encode(y=up("low:Q"), y2="high:Q")]
    if is_number(sweep, sweep.grid.axes[0].name):
        layers.append(known.mark_line(color=colours.grey, strokeWidth=2).encode(y=up("delta:Q")))
    layers += point_marks(known, up("delta:Q"), colours, len(values))
    if len(values) <= _ROOMY:
        means = known.mark_text(fontSize=12, color=colours.text, baseline="bottom").encode(text="mean_words:N")
        layers.append(means.encode(y=alt.value(-6)))
    return framed(layers, HEIGHT)


def heat_map(sweep: Sweep, colours: Colours = LIGHT) -> alt.LayerChart:
    """The deciding metric over two settings, the first down, the second across: the mean, and its delta to the start.

    Coloured by the delta in its better direction. The recommended cell has a thick frame, the start a thin one; bold
    is the best and what cannot be told from it; × is impossible, … not measured yet.
    """
    order = [[print_value(value) for value in axis.values] for axis in sweep.grid.axes]
    inside = [row for row in point_values(sweep) if all(row[f"text{at}"] in order[at] for at in (0, 1))]
    values = inside + [
        {"text0": texts[0], "text1": texts[1], "missing": MISSING[why], "kind": why}
        for texts, why in missing_rows(sweep)
    ]
    cell = max(_CELL[0], min(_CELL[1], 2 * HEIGHT // len(order[0])))
    axis: dict[str, Any] = {
        "labelColor": colours.text, "titleColor": colours.quiet, "labelFontSize": 13, "titleFontSize": 13,
        "titleFontWeight": "normal", "domain": False, "ticks": False, "labelOverlap": True,
    }  # fmt: skip
    scale = alt.Scale(padding=0.04)
    base = alt.Chart(alt.InlineData(values=values)).encode(
        x=alt.X("text1:O", sort=order[1], title=axis_label(sweep, sweep.grid.axes[1].name), scale=scale,
                axis=alt.Axis(labelAngle=0, orient="top", **axis)),
        y=alt.Y("text0:O", sort=order[0], title=axis_label(sweep, sweep.grid.axes[0].name), scale=scale,
                axis=alt.Axis(**axis)),
    )  # fmt: skip
    known = base.transform_filter("isValid(datum.mean)").encode(tooltip=tooltips(sweep))
    span = max([_LEAST_SPAN, *(abs(row["better"]) for row in values if row.get("better") is not None)])
    fill = alt.Scale(domain=[-span, 0, span], range=list(DIVERGING[colours]), clamp=True, interpolate="rgb")
    layers = [
        known.mark_rect(cornerRadius=3).encode(color=alt.Color("better:Q", legend=None, scale=fill)),
        *(
            known.transform_filter(f"datum.{mark}").mark_rect(
                cornerRadius=3, fillOpacity=0, stroke=colours.text, strokeWidth=width, strokeDash=dash
            )
            for mark, width, dash in (("start", 1.5, [4, 3]), ("recommended", 3, [1, 0]))
        ),
    ]
    return framed([*layers, *_cell_texts(base, known, colours, cell, len(order[1]))], cell * len(order[0]))


def _cell_texts(base: alt.Chart, known: alt.Chart, colours: Colours, cell: int, across: int) -> list[alt.Chart]:
    """The mean and below it the delta, as far as there is room."""
    if across > _ROOMY or cell < 18:
        return []
    two = cell >= 36
    dy = -8 if two else 0
    near = f"datum.kind == '{NEAR}'"
    texts = [
        base.transform_filter("isValid(datum.missing)")
        .mark_text(fontSize=13, color=colours.quiet)
        .encode(text="missing:N"),
        known.transform_filter(near).mark_text(dy=dy, fontSize=14, fontWeight="bold", color=colours.text),
        known.transform_filter(f"!({near})").mark_text(dy=dy, fontSize=14, color=colours.text),
        known.mark_text(dy=10, fontSize=12, color=colours.text, opacity=0.8),
    ]
    return [texts[0], *(each.encode(text="mean_words:N") for each in texts[1:3]),
            *([texts[3].encode(text="delta_words:N")] if two else [])]  # fmt: skip


def _axis_of(sweep: Sweep, at: int, colours: Colours) -> alt.X:
    """A number's own scale with a tick at each value swept, of anything else the values in the order of the sweep."""
    axis = sweep.grid.axes[at]
    title = axis_label(sweep, axis.name)
    if is_number(sweep, axis.name):
        ticks = sorted({getattr(each.variant, axis.name) for each in sweep.points})
        at_values: dict[str, Any] = {"values": ticks} if len(ticks) <= 2 * _ROOMY else {}
        shown = quiet_axis(colours, **at_values)
        return alt.X(f"value{at}:Q", title=title, axis=shown, scale=alt.Scale(zero=False, nice=False, padding=28))
    order = axis_order(sweep, at)
    return alt.X(f"text{at}:O", title=title, sort=order, axis=quiet_axis(colours, labelAngle=0))
