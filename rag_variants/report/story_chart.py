"""Several runs in a row as an Altair chart: one small panel per metric, one point per run."""

from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby

import altair as alt

from rag_variants.report.charts import LIGHT, Colours
from rag_variants.report.story import Story, StoryPoint

_COLUMNS, _WIDTH, _HEIGHT = 4, 236, 92  # pixels
_LEAST_SPAN = 0.1  # of the axis: a move of a hundredth shall not look like a leap
_ROOM = 1.5  # for the numbers above the points
_NUMBER = "replace(format(datum.mean, '.2f'), '-', '−')"


def story_chart(story: Story, colours: Colours = LIGHT, columns: int = _COLUMNS) -> alt.ConcatChart:
    """A panel per metric: runs from left to right as they were made, each with its mean.

    Every axis is as long as the others, so that moves can be held side by side; where it begins is each panel's own.
    """
    panels = [list(points) for _, points in groupby(story.points, key=lambda point: point.metric)]
    span = _ROOM * max([_LEAST_SPAN, *(_span(points) for points in panels)])
    chart: alt.ConcatChart = (
        alt.concat(*(_panel(points, span, colours) for points in panels), columns=columns, spacing=14)
        .properties(background="transparent")
        .configure(font="Source Sans, Source Sans Pro, sans-serif", padding=2)
        .configure_view(stroke=None)
    )
    return chart


def _span(points: Sequence[StoryPoint]) -> float:
    means = [point.mean for point in points]
    return max(means) - min(means)


def _panel(points: Sequence[StoryPoint], span: float, colours: Colours) -> alt.LayerChart | alt.FacetChart:
    middle = (max(point.mean for point in points) + min(point.mean for point in points)) / 2
    steps = alt.Axis(title=None, labelAngle=0, labelColor=colours.quiet, ticks=False, domainColor=colours.line)
    scale = alt.Scale(domain=[middle - span / 2, middle + span / 2], nice=False, zero=False)
    names = {"run": "run", "label": "metric", "shown": "mean", "change": "against the run before"}
    base = (
        alt.Chart(alt.InlineData(values=[asdict(point) for point in points]))
        .transform_calculate(number=_NUMBER)
        .encode(
            x=alt.X("step:O", axis=steps),
            y=alt.Y("mean:Q", axis=None, scale=scale),
            tooltip=[alt.Tooltip(f"{name}:N", title=words) for name, words in names.items()],
        )
    )
    title = alt.TitleParams(points[0].label, anchor="start", color=colours.text, fontSize=13)
    panel: alt.LayerChart | alt.FacetChart = alt.layer(
        base.mark_line(color=colours.quiet, strokeWidth=2),
        base.mark_point(color=colours.text, filled=True, size=55, opacity=1),
        base.mark_text(color=colours.text, dy=-11, fontSize=12).encode(text="number:N"),
    ).properties(width=_WIDTH, height=_HEIGHT, title=title)
    return panel
