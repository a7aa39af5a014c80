"""Slices × metrics as a heat map of deltas (Altair)."""

from collections.abc import Sequence
from dataclasses import asdict
from textwrap import wrap
from typing import Any

import altair as alt

from rag_variants.report.charts import DARK, LIGHT, Colours
from rag_variants.report.slice_rows import SliceCell

CELL_HEIGHT, HEADER_LINE = 26, 15
MOST_ROWS = 40  # more tags than that are in the table alone
PICKED = "cell"  # the selection that a click on a cell makes
_LABELS = 168  # pixels left of the cells
_HEADER_LETTERS = 12  # in a line of a metric's name
_ROOMY = 16  # metrics that fit in large type
_LEAST_SPAN = 0.1  # so that a delta of a hundredth does not shine
_TOOLTIP = {"label": "questions", "metric_label": "metric", "words": "B − A", "n": "n", "wins": "B better = worse"}
# Worse, no difference, better: neither A's blue nor B's orange, nor red and green. Pale enough to write on.
DIVERGING = {LIGHT: ("#b58acb", "#f4f3f1", "#6fbfa3"), DARK: ("#7d4d99", "#262421", "#1f7a5f")}


def slice_chart(cells: Sequence[SliceCell], chosen: tuple[str, str], colours: Colours = LIGHT) -> alt.LayerChart:
    """One cell for every slice and metric: sign, arrow, delta and n; under five questions pale and n in brackets.

    `chosen` is the tag and metric whose cell is framed. A click on a cell is the point selection `cell` of its fields
    `tag` and `metric`.
    """
    shown = [cell for cell in cells if cell.row <= MOST_ROWS]
    values = [
        {**asdict(cell), "header": _wrapped(cell.metric_label), "chosen": (cell.tag, cell.metric) == chosen}
        for cell in shown
    ]
    rows = len({cell.row for cell in shown})
    base = alt.Chart(alt.InlineData(values=values)).encode(
        x=_header(shown, colours),
        y=_sides(shown, colours),
        tooltip=[alt.Tooltip(f"{field}:N", title=title) for field, title in _TOOLTIP.items()],
    )
    roomy = len({cell.metric for cell in shown}) <= _ROOMY
    quiet: dict[str, Any] = {"color": colours.quiet, "fontSize": 11 if roomy else 9}
    strength = alt.condition("abs(datum.better) >= 0.005", alt.value(colours.text), alt.value(colours.quiet))
    end = _header(shown, colours)
    end["bandPosition"] = 1
    layers = [
        _fills(base, shown, colours),
        base.transform_filter("datum.n > 0")
        .mark_text(dx=-8, fontSize=13 if roomy else 11)
        .encode(text="words:N", color=strength),
        base.mark_text(align="right", dx=-4, **quiet).encode(x=end, text="count:N"),
        base.transform_filter("datum.n == 0").mark_text(text="–", dx=0, **quiet),
    ]
    chart: alt.LayerChart = (
        alt.layer(*layers)
        .properties(height=rows * CELL_HEIGHT + _header_height(shown), background="transparent")
        .configure(font="Source Sans, Source Sans Pro, sans-serif", padding=2)
        .configure_view(stroke=None)
    )
    return chart


def _fills(base: alt.Chart, cells: Sequence[SliceCell], colours: Colours) -> alt.Chart:
    """The coloured cells; the click belongs to them."""
    span = max([_LEAST_SPAN, *(abs(cell.better) for cell in cells if not cell.few)])
    scale = alt.Scale(domain=[-span, 0, span], range=list(DIVERGING[colours]), clamp=True, interpolate="rgb")
    frame = alt.condition("datum.chosen", alt.value(colours.text), alt.value("transparent"))
    filled: alt.Chart = (
        base.mark_rect(cornerRadius=3, strokeWidth=2, cursor="pointer")
        .encode(
            color=alt.Color("better:Q", legend=None, scale=scale),
            opacity=alt.condition("datum.few || datum.n == 0", alt.value(0.35), alt.value(1)),
            stroke=frame,
        )
        .add_params(alt.selection_point(name=PICKED, fields=["tag", "metric"], toggle=False))
    )
    return filled


def _header(cells: Sequence[SliceCell], colours: Colours) -> alt.X:
    """The metrics' names on top, in short lines that begin at the same height."""
    order = list(dict.fromkeys(_wrapped(cell.metric_label) for cell in cells))
    axis = alt.Axis(
        orient="top", labelExpr="split(datum.label, '\\n')", labelAngle=0, labelColor=colours.text, labelFontSize=12,
        labelLimit=0, domain=False, ticks=False, labelBaseline="top", labelOverlap=False,
        labelPadding=_header_height(cells),
    )  # fmt: skip
    return alt.X("header:N", sort=order, title=None, axis=axis, scale=alt.Scale(padding=0.04))


def _header_height(cells: Sequence[SliceCell]) -> int:
    return max(_wrapped(cell.metric_label).count("\n") + 1 for cell in cells) * HEADER_LINE + 3


def _wrapped(label: str) -> str:
    return "\n".join(wrap(label, _HEADER_LETTERS, break_long_words=False))


def _sides(cells: Sequence[SliceCell], colours: Colours) -> alt.Y:
    """The slices' names at the left; they are data, never part of an expression."""
    axis = alt.Axis(
        labelColor=colours.text, labelFontSize=13, labelLimit=_LABELS, minExtent=_LABELS, domain=False, ticks=False,
        labelPadding=8,
    )  # fmt: skip
    order = list(dict.fromkeys(cell.label for cell in cells))
    return alt.Y("label:N", sort=order, title=None, axis=axis, scale=alt.Scale(padding=0.06))
