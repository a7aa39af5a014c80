"""A sweep as Altair charts: lines for one setting, a heat map for two, the frontier. A and B's colours are not used."""

from collections.abc import Sequence
from typing import Any

import altair as alt

from rag_variants.experiment.sweep import Sweep
from rag_variants.metrics import all_metrics
from rag_variants.report.charts import LIGHT, Colours
from rag_variants.report.sweep_words import marks_of, metric_label, point_words, unit_of
from rag_variants.variants.setting import settings_of
from rag_variants.variants.spec import print_value

HEIGHT = 260
_NEAR, _WORSE = "best, or not told from it", "worse than the best"


def sweep_chart(sweep: Sweep, colours: Colours = LIGHT) -> alt.LayerChart | None:
    """The chart that fits the sweep: a line for one setting, a heat map for two, None for more."""
    if len(sweep.grid.axes) == 1:
        return line_chart(sweep, colours)
    return heat_map(sweep, colours) if len(sweep.grid.axes) == 2 else None


def line_chart(sweep: Sweep, colours: Colours = LIGHT) -> alt.LayerChart:
    """The deciding metric's delta to the start over the values of the first setting, each with its interval."""
    name = sweep.grid.axes[0].name
    base = alt.Chart(alt.InlineData(values=_values(sweep))).encode(
        x=_axis_of(sweep, 0, colours), tooltip=_tooltips(sweep)
    )
    y = alt.Y("delta:Q", title=f"{metric_label(sweep)}, Δ to the start", axis=_quiet(colours))
    line = base.mark_line(color=colours.grey, strokeWidth=2).encode(y=y)
    interval = base.transform_filter("isValid(datum.low)").mark_rule(color=colours.grey, strokeWidth=2)
    zero = alt.Chart(alt.InlineData(values=[{"zero": 0}])).mark_rule(color=colours.line).encode(y="zero:Q")
    points = base.mark_point(filled=True, size=110, opacity=1).encode(y=y, color=_shade(colours), shape=_shape())
    layers = [zero, interval.encode(y="low:Q", y2="high:Q"), *([line] if _is_number(sweep, name) else []), points]
    return _framed(layers, colours)


def heat_map(sweep: Sweep, colours: Colours = LIGHT) -> alt.LayerChart:
    """The deciding metric's mean over two settings: the first down, the second across; the start has a frame."""
    across, down = (alt.Axis(labelColor=colours.quiet, titleColor=colours.quiet, labelAngle=0) for _ in range(2))
    names = [axis.name for axis in sweep.grid.axes]
    order = [[print_value(value) for value in axis.values] for axis in sweep.grid.axes]
    values = [each for each in _values(sweep) if all(each[f"text{at}"] in order[at] for at in (0, 1))]
    base = alt.Chart(alt.InlineData(values=values)).encode(
        x=alt.X("text1:O", sort=order[1], title=_label(sweep, names[1]), axis=across),
        y=alt.Y("text0:O", sort=order[0], title=_label(sweep, names[0]), axis=down),
        tooltip=_tooltips(sweep),
    )
    better_is_dark = all_metrics()[sweep.metric].higher_is_better
    scale = alt.Scale(scheme="greys", reverse=not better_is_dark)
    tiles = base.mark_rect().encode(color=alt.Color("mean:Q", scale=scale, title=metric_label(sweep)))
    words = base.transform_filter("isValid(datum.mean)").mark_text(fontSize=12, stroke="white", strokeWidth=3)
    text = {"text": alt.Text("mean:Q", format=".3f")}
    near = base.transform_filter(f"datum.kind != '{_WORSE}'")
    frame = near.mark_rect(fillOpacity=0, stroke=colours.gold, strokeWidth=3)
    inked = base.transform_filter("isValid(datum.mean)").mark_text(fontSize=12, color="#1b1b1b")
    return _framed([tiles, frame, words.encode(**text), inked.encode(**text)], colours)


def frontier_chart(sweep: Sweep, effort: str = "context_characters", colours: Colours = LIGHT) -> alt.LayerChart:
    """Quality against an effort: every point, and a line through those that no other one beats in both."""
    best = {id(point) for point in sweep.frontier(effort)}
    values = [
        {**each, "effort": point.amount(effort), "frontier": id(point) in best}
        for each, point in zip(_values(sweep), sweep.points, strict=True)
    ]
    title = f"{all_metrics()[effort].label}{unit_of(effort) and f' ({unit_of(effort).strip()})'}"
    base = alt.Chart(alt.InlineData(values=values)).transform_filter("isValid(datum.effort) && isValid(datum.mean)")
    base = base.encode(
        x=alt.X("effort:Q", title=title, axis=_quiet(colours), scale=alt.Scale(zero=False)),
        y=alt.Y("mean:Q", title=metric_label(sweep), axis=_quiet(colours), scale=alt.Scale(zero=False)),
        tooltip=_tooltips(sweep),
    )
    on = base.transform_filter("datum.frontier")
    line = on.mark_line(color=colours.gold, strokeWidth=2, interpolate="step-after")
    names = on.mark_text(align="left", dx=8, dy=-8, color=colours.quiet, fontSize=12).encode(text="settings:N")
    points = base.mark_point(filled=True, size=90, opacity=1).encode(color=_shade(colours), shape=_shape())
    return _framed([line, points, names], colours)


def _values(sweep: Sweep) -> list[dict[str, Any]]:
    """One row of data per point; `value0`, `text0`, … are its places on the axes."""
    rows = []
    for at, (point, delta) in enumerate(zip(sweep.points, sweep.against_start(), strict=True)):
        low, high = delta.ci95 or (None, None)
        near = bool(sweep.gaps) and not sweep.gaps[at].told_apart and sweep.gaps[at].n > 0
        row: dict[str, Any] = {
            "settings": point_words(sweep, point),
            "mean": point.mean(sweep.metric),
            "delta": delta.mean,
            "low": low,
            "high": high,
            "scored": f"{point.scored(sweep.metric)} of {point.asked}",
            "marks": marks_of(sweep, at),
            "kind": _NEAR if near else _WORSE,
            "start": point is sweep.start,
        }
        for place, axis in enumerate(sweep.grid.axes):
            value = getattr(point.variant, axis.name)
            row |= {f"value{place}": value, f"text{place}": print_value(value)}
        rows.append(row)
    return rows


def _axis_of(sweep: Sweep, at: int, colours: Colours) -> alt.X:
    """A number's own scale, of anything else the values in the order of the sweep."""
    axis = sweep.grid.axes[at]
    title = _label(sweep, axis.name)
    if _is_number(sweep, axis.name):
        return alt.X(f"value{at}:Q", title=title, axis=_quiet(colours), scale=alt.Scale(zero=False, padding=20))
    order = list(dict.fromkeys(print_value(getattr(each.variant, axis.name)) for each in sweep.points))
    return alt.X(f"text{at}:O", title=title, sort=order, axis=alt.Axis(labelAngle=0, labelColor=colours.quiet))


def _is_number(sweep: Sweep, name: str) -> bool:
    return type(settings_of(sweep.grid.start)[name][0].default) in (int, float)


def _label(sweep: Sweep, name: str) -> str:
    texts = settings_of(sweep.grid.start)[name][1]
    return f"{texts.label} ({texts.unit})" if texts.unit else texts.label


def _tooltips(sweep: Sweep) -> list[alt.Tooltip]:
    return [
        alt.Tooltip("settings:N", title="setting"),
        alt.Tooltip("mean:Q", title=metric_label(sweep), format=".3f"),
        alt.Tooltip("delta:Q", title="Δ to the start", format="+.3f"),
        alt.Tooltip("scored:N", title="scored"),
        alt.Tooltip("marks:N", title=" "),
    ]


def _shade(colours: Colours) -> alt.Color:
    scale = alt.Scale(domain=[_NEAR, _WORSE], range=[colours.text, colours.grey])
    return alt.Color("kind:N", scale=scale, legend=alt.Legend(title=None, orient="top", labelColor=colours.quiet))


def _shape() -> alt.Shape:
    return alt.Shape("start:N", scale=alt.Scale(domain=[False, True], range=["circle", "diamond"]), legend=None)


def _quiet(colours: Colours) -> alt.Axis:
    return alt.Axis(labelColor=colours.quiet, titleColor=colours.quiet, gridColor=colours.line, domain=False)


def _framed(layers: Sequence[alt.Chart], colours: Colours) -> alt.LayerChart:
    chart: alt.LayerChart = (
        alt.layer(*layers)
        .properties(height=HEIGHT, background="transparent")
        .configure(font="Source Sans, Source Sans Pro, sans-serif", padding=2)
        .configure_view(stroke=None)
    )
    return chart
