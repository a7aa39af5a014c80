"""The frontier of a sweep as an Altair chart: quality against what it takes. A and B's colours are not used."""

from typing import Any

import altair as alt

from rag_variants.evaluation.tuning.sweep import Sweep
from rag_variants.metrics import all_metrics
from rag_variants.report.charts import LIGHT, Colours, framed
from rag_variants.report.sweep_marks import HEIGHT, point_marks, point_values, quiet_axis, tooltips
from rag_variants.report.sweep_points import frontier_labels, taken_words
from rag_variants.report.sweep_rows import metric_label, unit_of

_PLAIN = "replace(format(datum.value, '.4~f'), '-', '−')"
_FROM_ZERO = "datum.value < 0 ? '' : format(datum.value, ',.6~g')"


def frontier_chart(sweep: Sweep, effort: str = "context_characters", colours: Colours = LIGHT) -> alt.LayerChart:
    """Quality against an effort: every point, and a line through those that no other one beats in both.

    Better is up, and less effort left, so that the room above the line is empty.
    """
    best = {id(point) for point in sweep.frontier(effort)}
    labels = frontier_labels(sweep, effort)
    values = [
        {
            **each,
            "effort": point.amount(effort),
            "frontier": id(point) in best,
            "taken": taken_words(point, effort),
            "label": labels.get(id(point), ""),
        }
        for each, point in zip(point_values(sweep), sweep.points, strict=True)
    ]
    metric, taken = all_metrics()[sweep.metric], all_metrics()[effort]
    title = f"{taken.label}{unit_of(effort) and f' ({unit_of(effort).strip()})'}, {_typical(effort)} per question"
    base = alt.Chart(alt.InlineData(values=values)).transform_filter("isValid(datum.effort) && isValid(datum.mean)")
    scale = alt.Scale(zero=False, padding=18, reverse=not metric.higher_is_better)
    up: Any = alt.Y("mean:Q", title=metric_label(sweep), axis=quiet_axis(colours, _PLAIN), scale=scale)
    base = base.encode(
        x=alt.X(
            "effort:Q",
            title=title,
            axis=quiet_axis(colours, _FROM_ZERO, tickCount=6),
            scale=alt.Scale(zero=False, nice=False, padding=60),
        ),
        y=up,
        tooltip=[*tooltips(sweep), alt.Tooltip("taken:N", title=taken.label)],
    )
    on = base.transform_filter("datum.frontier")
    line = on.mark_line(color=colours.text, strokeWidth=1.5, strokeDash=[5, 4], interpolate="step-after")
    layers = [line, *point_marks(base, up, colours, len(values))]
    layers.append(on.mark_text(align="right", dx=-11, dy=-12, color=colours.text, fontSize=12).encode(text="label:N"))
    return framed(layers, HEIGHT)


def _typical(effort: str) -> str:
    return all_metrics()[effort].typical
