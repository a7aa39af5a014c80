"""A ladder as an Altair chart: from A's mean to B's mean, one bar a step."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import altair as alt

from rag_variants.evaluation.ablation.ablation_path import AblationPath
from rag_variants.report.ablation_words import PathRow, path_rows
from rag_variants.report.charts import LIGHT, ROW_HEIGHT, Colours, text_layer

_VALUES = 420  # pixels right of the plot
_LABELS = (150, 420)  # and at its left, as the labels need
_PER_LETTER = 6.5
_LEAST_SPAN = 0.05
_TICK = "replace(format(datum.value, '.2f'), '-', '−')"


def ablation_chart(ladder: AblationPath, metric: str, colours: Colours = LIGHT) -> alt.LayerChart:
    """The metric's mean on A, what each step makes of it with its interval, and its mean on B.

    Only A and B have their colours; a step that is better or worse is strong, any other faint.
    """
    rows = path_rows(ladder, metric)
    values = [{**asdict(row), "words": f"{row.arrow} {row.verdict}".strip()} for row in rows]
    base = alt.Chart(alt.InlineData(values=values)).encode(
        y=alt.Y("order:O", axis=None, scale=alt.Scale(paddingInner=0, paddingOuter=0))
    )
    names = {"label": "step", "delta": "did", "interval": "could be", "verdict": "verdict", "scored": "scored"}
    base = base.encode(tooltip=[alt.Tooltip(f"{field}:N", title=title) for field, title in names.items()])
    steps, sides = base.transform_filter("datum.side == ''"), base.transform_filter("datum.side != ''")
    x = _axis(rows, colours)
    shade = alt.condition("datum.arrow != ''", alt.value(colours.text), alt.value(colours.grey))
    side = alt.Color("side:N", legend=None, scale=alt.Scale(domain=["a", "b"], range=[colours.a, colours.b]))
    layers = [
        _rules(steps, "start", "end", 14, 0.55).encode(x=x, color=shade),
        _rules(steps.transform_filter("isValid(datum.low)"), "low", "high", 2, 1).encode(x="low:Q", color=shade),
        _heads(steps, "datum.end > datum.start", "triangle-right").encode(color=shade),
        _heads(steps, "datum.end < datum.start", "triangle-left").encode(color=shade),
        _heads(steps, "datum.end == datum.start", "diamond").encode(color=shade),
        _heads(sides, "true", "circle").encode(color=side),
        *_texts(base, side, colours),
    ]
    chart: alt.LayerChart = (
        alt.layer(*layers)
        .properties(height=len(rows) * ROW_HEIGHT, background="transparent")
        .configure(font="Source Sans, Source Sans Pro, sans-serif", padding=2)
        .configure_view(stroke=None)
    )
    return chart


def _texts(base: alt.Chart, side: alt.Color, colours: Colours) -> list[alt.Chart]:
    """Left of the plot what changes; right of it the delta, its verdict and the running total."""
    steps, sides = base.transform_filter("datum.side == ''"), base.transform_filter("datum.side != ''")
    worst, others = steps.transform_filter("datum.note != ''"), steps.transform_filter("datum.note == ''")
    shown, undecided = (base.transform_filter(f"datum.arrow {sign} ''") for sign in ("!=", "=="))
    delta, words, so_far = 46 - _VALUES, 84 - _VALUES, -4
    return [
        text_layer(others, "label", 0, 0, colours.text),
        text_layer(worst, "label", 0, -7, colours.text, bold=True),
        text_layer(worst, "note", 14, 9, colours.text, bold=True, size=12),
        text_layer(sides, "label", 0, 0, bold=True, size=15).encode(color=side),
        text_layer(steps, "delta", delta, 0, colours.text, align="center", bold=True, size=15, right=True),
        text_layer(sides, "delta", delta, 0, align="center", bold=True, size=15, right=True).encode(color=side),
        text_layer(shown, "words", words, -7, colours.text, bold=True, right=True),
        text_layer(shown, "interval", words, 9, colours.quiet, size=12, right=True),
        text_layer(undecided, "words", words, 0, colours.text, right=True),
        text_layer(steps, "so_far", so_far, 0, colours.text, align="right", right=True),
        text_layer(sides, "so_far", so_far, 0, align="right", bold=True, right=True).encode(color=side),
    ]


def _rules(base: alt.Chart, begin: str, end: str, width: int, opacity: float) -> alt.Chart:
    encoded: alt.Chart = base.mark_rule(strokeWidth=width, opacity=opacity).encode(x=f"{begin}:Q", x2=f"{end}:Q")
    return encoded


def _heads(base: alt.Chart, condition: str, shape: str) -> alt.Chart:
    mark: Any = base.transform_filter(f"isValid(datum.end) && {condition}")
    encoded: alt.Chart = mark.mark_point(filled=True, size=190, opacity=1, shape=shape).encode(x="end:Q")
    return encoded


def _axis(rows: Sequence[PathRow], colours: Colours) -> alt.X:
    """The metric's own scale, as far as the rows reach, between the labels and the numbers."""
    ends = [each for row in rows for each in (row.start, row.end, row.low, row.high) if each is not None] or [0.0]
    middle, span = (min(ends) + max(ends)) / 2, max(max(ends) - min(ends), _LEAST_SPAN) * 1.1
    axis = alt.Axis(
        labelExpr=_TICK, tickCount=4, title=None, labelColor=colours.quiet, labelFontSize=12, domain=False, ticks=False,
        gridColor=colours.line,
    )  # fmt: skip
    longest = max(len(row.label) for row in rows)
    left = min(max(longest * _PER_LETTER + 20, _LABELS[0]), _LABELS[1])
    place: Any = [left, alt.ExprRef(f"width - {_VALUES}")]
    return alt.X(
        "start:Q", axis=axis, scale=alt.Scale(domain=[middle - span / 2, middle + span / 2], nice=False, range=place)
    )
