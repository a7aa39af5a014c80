"""Where every question's gold chunk stands (Altair): one column a question, from its pinned rank to its new one."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
from pandas import DataFrame

from rag_variants.report.charts import LIGHT, Colours
from rag_variants.report.gold_moves import (
    KIND_WORDS,
    GoldMove,
    MoveKind,
    TopK,
    count_moves,
    order_moves,
    rank_words,
)
from rag_variants.report.gold_rank_axis import RankAxis
from rag_variants.report.words import change_words

HEIGHT = 320
_SIDE = 118  # pixels right of the columns, for the words at the line
# In a square from −1 to 1. Drawn, not written, so no font is needed; shapes say without colour what happened.
_SHAPES: Mapping[MoveKind, str] = {
    "gained": "M0,-1.1L1.1,0L0,1.1L-1.1,0Z",
    "lost": "M-1,-0.6L-0.6,-1L0,-0.4L0.6,-1L1,-0.6L0.4,0L1,0.6L0.6,1L0,0.4L-0.6,1L-1,0.6L-0.4,0Z",
    "up": "M0,-0.9L0.95,0.8L-0.95,0.8Z",
    "down": "M0,0.9L0.95,-0.8L-0.95,-0.8Z",
    "same": "M-0.95,-0.3L0.95,-0.3L0.95,0.3L-0.95,0.3Z",
    "not found": "M-0.28,-0.28L0.28,-0.28L0.28,0.28L-0.28,0.28Z",
}
_LOUD: tuple[MoveKind, ...] = ("gained", "lost")
_TOOLTIP = {"question": "question", "id": "id", "pinned": "rank, pinned", "now": "rank now", "words": "move"}


def gold_rank_chart(
    moves: Sequence[GoldMove], top_k: TopK, depth: int, colours: Colours = LIGHT, height: int = HEIGHT
) -> alt.LayerChart:
    """A column a question, ordered by new rank; a mark at the new rank, a stem to the pinned one, the cut at `top_k`.

    Where more than `top_k` decides what is read no cut is drawn, because none would be true.

    `depth` is how deep rankings are kept: the axis ends there whatever the ranks are, so that it stands still while a
    setting moves; a rank deeper than it makes it longer.
    """
    ranks = [rank for move in moves for rank in (move.before, move.after) if rank]
    axis = RankAxis(max(depth, top_k.before, top_k.after, *ranks), colours)
    plot, count = f"max(1, width - {_SIDE})", max(1, len(moves))
    across = alt.Scale(domain=[0, count], nice=False, zero=False, range=[0, alt.ExprRef(plot)])
    x = alt.X("middle:Q", scale=across, axis=_across(len(moves), colours))
    base = alt.Chart().encode(x=x, y=axis.encode("to"))
    layers = [
        _grounds(axis, top_k, plot),
        _columns(base, colours),
        *_cuts(axis, top_k, plot),
        *_marks(base, count_moves(moves, top_k), f"({plot} / {count})", colours),
    ]
    # A frame is handed on as it is; rows of dicts would be checked one by one by Altair, again at every step.
    return alt.LayerChart(
        layer=layers,
        data=DataFrame(_values(order_moves(moves), top_k, axis)),
        height=height,
        background="transparent",
        config=alt.Config(font="Source Sans, Source Sans Pro, sans-serif", padding=2, view=alt.ViewConfig(stroke=None)),
    )


def _values(moves: Sequence[GoldMove], top_k: TopK, axis: RankAxis) -> list[dict[str, Any]]:
    """One row of data a question; those that matter most come last, so that they are drawn over the others."""
    values = [
        {
            "left": at, "middle": at + 0.5, "right": at + 1, "from": axis.place(move.before),
            "to": axis.place(move.after), "kind": kind, "words": KIND_WORDS[kind], "id": move.id,
            "question": move.question, "pinned": rank_words(move.before), "now": rank_words(move.after),
        }
        for at, move in enumerate(moves)
        for kind in [move.kind(top_k)]
    ]  # fmt: skip
    kinds = list(KIND_WORDS)
    return sorted(values, key=lambda value: -kinds.index(value["kind"]))


def _across(count: int, colours: Colours) -> alt.Axis:
    words = f"{count} question{'' if count == 1 else 's'}, ordered by the new rank"
    return alt.Axis(
        labels=False, ticks=False, domain=False, grid=False, title=words, titleColor=colours.quiet, titleFontSize=12,
        titleFontWeight="normal", titleAnchor="start", titlePadding=4,
    )  # fmt: skip


def _grounds(axis: RankAxis, top_k: TopK, plot: str) -> alt.Chart:
    """What reaches the answer, and the lane of what was not found, each on a soft ground."""
    top, _, bottom = axis.lane
    read = [] if top_k.others_after else [{"top": axis.top, "bottom": top_k.after + 0.5}]
    grounds = [*read, {"top": top, "bottom": bottom}]
    base = alt.Chart(alt.InlineData(values=grounds)).mark_rect(color=axis.colours.grey, opacity=0.11)
    encoded: alt.Chart = base.encode(y=axis.encode("top"), y2=alt.Y2("bottom:Q"), **_ends(plot))
    return encoded


def _columns(base: alt.Chart, colours: Colours) -> alt.Chart:
    """The whole column of a question answers the pointer, however narrow its mark is."""
    hover = alt.selection_point(name="column", on="pointerover", clear="pointerout", fields=["id"], empty=False)
    encoded: alt.Chart = (
        base.mark_rect(color=colours.grey)
        .encode(
            x=alt.X("left:Q"), x2=alt.X2("right:Q"), y=_fixed(alt.YValue, 0), y2=_fixed(alt.Y2Value, "height"),
            opacity=_fixed(alt.OpacityValue, 0, condition={"param": hover.name, "empty": False, "value": 0.3}),
            tooltip=[alt.Tooltip(f"{field}:N", title=title) for field, title in _TOOLTIP.items()],
        )
        .add_params(hover)
    )  # fmt: skip
    return encoded


def _cuts(axis: RankAxis, top_k: TopK, plot: str) -> list[alt.Chart]:
    """A dashed line under the last rank that reaches the answer; a dotted one where it was, if it moved."""
    layers: list[alt.Chart] = []
    if not top_k.others_before and (top_k.others_after or top_k.before != top_k.after):
        then = alt.Chart(alt.InlineData(values=[{"at": top_k.before + 0.5}]))
        dotted = then.mark_rule(strokeDash=[2, 4], color=axis.colours.quiet)
        layers.append(dotted.encode(y=axis.encode("at"), **_ends(plot)))
    if not top_k.others_after:
        layers += _cut_now(axis, top_k, plot)
    return layers


def _cut_now(axis: RankAxis, top_k: TopK, plot: str) -> list[alt.Chart]:
    moved, colours = top_k.before != top_k.after, axis.colours
    words = change_words("top_k", str(top_k.before), str(top_k.after)) if moved else f"top_k {top_k.after}"
    now = alt.Chart(alt.InlineData(values=[{"at": top_k.after + 0.5, "over": "reaches the answer", "under": words}]))
    place = {"x": _fixed(alt.XValue, alt.ExprRef(plot)), "y": axis.encode("at")}
    text: dict[str, Any] = {"align": "left", "dx": 8, "fontSize": 12}
    return [
        now.mark_rule(strokeDash=[6, 4], strokeWidth=1.5, color=colours.text).encode(
            y=axis.encode("at"), **_ends(plot)
        ),
        now.mark_text(dy=-8, color=colours.text, **text).encode(text=alt.Text("over:N"), **place),
        now.mark_text(dy=8, color=colours.quiet, **text).encode(text=alt.Text("under:N"), **place),
    ]


def _marks(base: alt.Chart, counts: Mapping[MoveKind, int], column: str, colours: Colours) -> list[alt.Chart]:
    """Stems and marks, the quiet ones beneath; a mark is as wide as its column, within what can be seen."""
    kinds = list(KIND_WORDS)
    words = ", ".join(f"'{kind}': '{counts[kind]} {KIND_WORDS[kind]}'" for kind in kinds)
    legend: Any = alt.Legend(
        title=None, orient="top", direction="horizontal", offset=10, columnPadding=18, labelColor=colours.text,
        labelFontSize=13, labelExpr=f"{{{words}}}[datum.label]", symbolSize=90, symbolOpacity=1, symbolStrokeWidth=0,
    )  # fmt: skip
    shades = [colours.gold, colours.text, colours.quiet, colours.quiet, colours.grey, colours.grey]
    color = alt.Color("kind:N", scale=alt.Scale(domain=kinds, range=shades), legend=legend)
    shape = alt.Shape("kind:N", scale=alt.Scale(domain=kinds, range=[_SHAPES[kind] for kind in kinds]), legend=legend)
    layers = []
    for loud, least, most in ((False, 30, 80), (True, 56, 150)):
        chosen = alt.FieldOneOfPredicate("kind", [kind for kind in kinds if (kind in _LOUD) == loud])
        own = base.transform_filter(chosen).encode(color=color)
        thick = alt.ExprRef(f"clamp(0.2 * {column}, 1, {2.5 if loud else 2})")
        stem = own.transform_filter("datum.from != datum.to").mark_rule(strokeWidth=thick, opacity=1 if loud else 0.7)
        size = alt.ExprRef(f"clamp(pow(0.92 * {column}, 2), {least}, {most})")
        mark = own.mark_point(filled=True, opacity=1, size=size, strokeWidth=0)
        layers += [stem.encode(y2=alt.Y2("from:Q")), mark.encode(shape=shape)]
    return layers


def _ends(plot: str) -> dict[str, Any]:
    return {"x": _fixed(alt.XValue, 0), "x2": _fixed(alt.X2Value, alt.ExprRef(plot))}


def _fixed(channel: type[Any], value: object, **more: Any) -> Any:
    """A channel without a field. Of `alt.value` Altair would have to find out the channel: 20 ms for each."""
    return channel(value, **more)
