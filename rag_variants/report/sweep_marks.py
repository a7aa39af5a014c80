"""What the charts of a sweep share: their data, points, axes and frame (Altair)."""

from dataclasses import asdict
from typing import Any

import altair as alt

from rag_variants.evaluation.tuning.sweep import Sweep
from rag_variants.report.charts import Colours
from rag_variants.report.sweep_points import WORSE, point_rows
from rag_variants.report.sweep_rows import metric_label

HEIGHT = 300  # pixels
_MANY = 60  # points


def point_values(sweep: Sweep) -> list[dict[str, Any]]:
    """One row of data per point; `value0`, `text0`, … are its places on the axes."""
    return [
        {
            **{name: value for name, value in asdict(row).items() if name not in ("values", "texts")},
            **{f"value{at}": value for at, value in enumerate(row.values)},
            **{f"text{at}": text for at, text in enumerate(row.texts)},
        }
        for row in point_rows(sweep)
    ]


def point_marks(base: alt.Chart, y: alt.Y, colours: Colours, count: int) -> list[alt.Chart]:
    """Dark: the best and what cannot be told from it; hollow: worse; a diamond: the start; a ring: recommended.

    Where they are many, points are small and let others through.
    """
    many = count > _MANY
    shape: Any = alt.Shape("start:N", scale=alt.Scale(domain=[False, True], range=["circle", "diamond"]), legend=None)
    size: Any = alt.condition("datum.start", alt.value(150), alt.value(30 if many else 100))
    looks: list[tuple[str, dict[str, Any]]] = [
        (f"datum.kind != '{WORSE}'", {"filled": True, "color": colours.text}),
        (f"datum.kind == '{WORSE}'", {"filled": False, "color": colours.quiet, "strokeWidth": 1.5 if many else 2}),
    ]
    ring = base.transform_filter("datum.recommended").mark_point(
        shape="circle", filled=False, size=380, strokeWidth=2.5, color=colours.text, opacity=1
    )
    return [
        ring.encode(y=y),
        *(
            base.transform_filter(which)
            .mark_point(opacity=0.5 if many else 1, **look)
            .encode(y=y, shape=shape, size=size)
            for which, look in looks
        ),
    ]


def tooltips(sweep: Sweep) -> list[alt.Tooltip]:
    """What a point says when it is pointed at."""
    titles = {
        "settings": "setting", "mean_words": metric_label(sweep), "delta_words": "Δ to the start",
        "interval": "could be", "scored": "scored", "marks": "marks",
    }  # fmt: skip
    return [alt.Tooltip(f"{name}:N", title=title) for name, title in titles.items()]


def quiet_axis(colours: Colours, labels: str | None = None, **more: Any) -> alt.Axis:
    """An axis that steps back behind what it measures; `labels` is the expression of its numbers."""
    if labels:
        more["labelExpr"] = labels
    return alt.Axis(
        labelColor=colours.quiet, titleColor=colours.quiet, gridColor=colours.line, domain=False, ticks=False,
        labelFontSize=12, titleFontSize=13, titleFontWeight="normal", labelOverlap=True, labelPadding=6, **more,
    )  # fmt: skip
