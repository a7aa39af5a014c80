"""The flow of chunks as an Altair chart: A's ranking left, B's right, lines where both hold the same text."""

from dataclasses import asdict
from typing import Any

import altair as alt

from rag_variants.report.charts import LIGHT, Colours
from rag_variants.report.flow_rows import FlowRows

ROW, SHORT_ROW = 38, 22  # pixels
_TOP, _BOTTOM = 30, 14
_LABELS = 196  # pixels left and right of the points
_WIDEST = 7  # of a line, where both chunks are the same text
_LONG = 24  # rows; beyond, a row has no room for its note


def flow_chart(rows: FlowRows, titles: tuple[str, str], colours: Colours = LIGHT) -> alt.LayerChart:
    """The chart of a flow; `titles` stand over A's and B's ranking."""
    height = ROW if rows.rows <= _LONG else SHORT_ROW
    y: Any = alt.Scale(domain=[-0.5 - _TOP / height, rows.rows - 0.5], reverse=True, nice=False, zero=False)
    x: Any = alt.Scale(domain=[0, 1], nice=False, range=[_LABELS, alt.ExprRef(f"width - {_LABELS}")])
    place: dict[str, Any] = {"x": alt.X("at:Q", scale=x, axis=None), "y": alt.Y("row:Q", scale=y, axis=None)}
    points = _data([{**asdict(each), "at": int(each.side == "b")} for each in rows.points])
    cuts = _data([{**asdict(each), "at": int(each.side == "b")} for each in rows.cuts])
    layers = [_lines(rows, x, y, colours), *_cut_layers(cuts, place, colours)]
    for side, colour in (("a", colours.a), ("b", colours.b)):
        own = points.transform_filter(f"datum.side == '{side}'").encode(**place)
        layers += _points(own, colour, colours)
        layers += _labels(own, side, colours, noted=height == ROW)
        layers.append(_title(titles[side == "b"], side, colour, place))
    chart: alt.LayerChart = (
        alt.layer(*layers)
        .properties(height=_TOP + round(rows.rows * height) + _BOTTOM, background="transparent")
        .configure(font="Source Sans, Source Sans Pro, sans-serif", padding=2)
        .configure_view(stroke=None)
    )
    return chart


def _data(values: list[dict[str, Any]]) -> alt.Chart:
    return alt.Chart(alt.InlineData(values=values))


def _lines(rows: FlowRows, x: Any, y: Any, colours: Colours) -> alt.Chart:
    values = [{**asdict(each), "from": 0, "to": 1, "width": 1 + (_WIDEST - 1) * each.share} for each in rows.lines]
    encoded: alt.Chart = (
        _data(values)
        .mark_rule(opacity=0.55, strokeCap="round")
        .encode(
            x=alt.X("from:Q", scale=x, axis=None), x2="to:Q", y=alt.Y("start:Q", scale=y, axis=None), y2="end:Q",
            strokeWidth=alt.StrokeWidth("width:Q", scale=None),
            color=alt.condition("datum.gold", alt.value(colours.gold), alt.value(colours.grey)),
            tooltip=alt.Tooltip("words:N", title="same text"),
        )
    )  # fmt: skip
    return encoded


def _points(own: alt.Chart, colour: str, colours: Colours) -> list[alt.Chart]:
    """A circle in the side's colour, gold diamonds for evidence (hollow for a part of it), a triangle for a trap."""
    tooltip = [
        alt.Tooltip(f"{field}:N", title=title)
        for field, title in {"rank": "rank", "document": "chunk", "note": "mark", "became": "in B"}.items()
    ]
    looks: dict[str, dict[str, Any]] = {
        "plain": {"shape": "circle", "color": colour, "filled": True, "size": 90},
        "trap": {"shape": "triangle-down", "color": colour, "filled": True, "size": 130},
        "part": {"shape": "diamond", "color": colours.gold, "filled": False, "strokeWidth": 2.5, "size": 150},
        "gold": {"shape": "diamond", "color": colours.gold, "filled": True, "size": 210},
    }
    return [
        own.transform_filter(f"datum.state == '{state}'").mark_point(opacity=1, **look).encode(tooltip=tooltip)
        for state, look in looks.items()
    ]


def _labels(own: alt.Chart, side: str, colours: Colours, *, noted: bool) -> list[alt.Chart]:
    where: dict[str, Any] = {"align": "right" if side == "a" else "left", "dx": -13 if side == "a" else 13}
    gold, other = (own.transform_filter(f"datum.state {sign} 'gold'") for sign in ("==", "!="))
    up = -7 if noted else 0
    layers = [
        gold.mark_text(fontSize=14, fontWeight="bold", color=colours.gold, dy=up, **where).encode(text="name:N"),
        other.mark_text(fontSize=14, color=colours.text, dy=up, **where).encode(text="name:N"),
    ]
    if noted:
        layers.append(own.mark_text(fontSize=12, color=colours.quiet, dy=9, **where).encode(text="note:N"))
    return layers


def _cut_layers(cuts: alt.Chart, place: dict[str, Any], colours: Colours) -> list[alt.Chart]:
    """A dashed line under what was handed to the answer, with the setting that drew it."""
    layers = []
    ends: tuple[tuple[str, Any, Any, Any], ...] = (
        ("a", 0, _LABELS, "left"),
        ("b", "width", alt.ExprRef(f"width - {_LABELS}"), "right"),
    )
    for side, begin, end, align in ends:
        own = cuts.transform_filter(f"datum.side == '{side}'")
        rule = own.mark_rule(strokeDash=[5, 4], color=colours.quiet)
        layers.append(rule.encode(x=alt.value(begin), x2=alt.value(end), y=place["y"]))
        text = own.mark_text(align=align, dy=-8, fontSize=12, color=colours.quiet)
        layers.append(text.encode(x=alt.value(begin), y=place["y"], text="words:N"))
    return layers


def _title(words: str, side: str, colour: str, place: dict[str, Any]) -> alt.Chart:
    data = _data([{"row": -1.0, "at": int(side == "b"), "words": words}])
    look: dict[str, Any] = {"align": "right" if side == "a" else "left", "dx": -13 if side == "a" else 13}
    encoded: alt.Chart = data.mark_text(fontSize=15, fontWeight="bold", color=colour, **look).encode(
        **place, text="words:N"
    )
    return encoded
