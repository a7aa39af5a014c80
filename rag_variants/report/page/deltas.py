"""The chart of deltas as a table with one small drawing a row: the rows, words and axis of the page's chart."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from rag_variants.report.charts import ChartRow, axis_ends
from rag_variants.report.page.elements import node
from rag_variants.report.words import signed

_TICKS = 4  # about so many
_NEAR_END = 0.08  # of the axis: half of a number's width
_STEPS = (0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1.0)


def deltas_table(rows: Sequence[ChartRow]) -> Element:
    """B − A of every metric with its interval on one axis, beside the numbers in words."""
    ends = axis_ends(rows)
    ticks = axis_ticks(*ends)
    body = [_heading(row) if row.heading else _metric(row, ends, ticks) for row in rows]
    names = ("metric", "← A better · B better →", "B − A", "verdict")
    head = node("tr", *(node("th", name, scope="col") for name in names))
    scale = node("tr", node("td"), node("td", scale_plot(ends, ticks), class_="plot"), node("td"), node("td"))
    return node("div", node("table", node("thead", head), node("tbody", *body, scale)), class_="wide")


def _heading(row: ChartRow) -> Element:
    return node("tr", node("td", row.heading, colspan=4), class_="group")


def _metric(row: ChartRow, ends: tuple[float, float], ticks: Sequence[float]) -> Element:
    return node(
        "tr",
        node("td", row.label, title=row.help),
        node("td", _plot(row, ends, ticks), class_="plot"),
        node("td", node("b", row.change), node("span", row.values, class_="quiet"), class_="change"),
        node("td", node("div", row.verdict, class_="verdict"), node("div", row.counts, class_="quiet")),
        class_=f"won-{row.winner}",
    )


def _plot(row: ChartRow, ends: tuple[float, float], ticks: Sequence[float]) -> Element:
    return interval_plot((row.low, row.delta, row.high), ends, ticks, f"{row.label}: {row.change}, {row.verdict}")


def interval_plot(
    values: tuple[float | None, float | None, float | None],
    ends: tuple[float, float],
    ticks: Sequence[float],
    words: str,
) -> Element:
    """The interval as a bar and the mean as a dot, in per cent of the width, so that nothing is stretched.

    `values` are the interval's low end, the mean, the high end; `words` say the same.
    """
    low, mean, high = values

    def line(value: float, other: float, kind: str, y: tuple[str, str] = ("50%", "50%")) -> Element:
        places = {"x1": _place(value, ends), "x2": _place(other, ends), "y1": y[0], "y2": y[1]}
        return node("line", class_=kind, **places)

    drawn = [line(tick, tick, "zero" if tick == 0 else "grid", ("0", "100%")) for tick in ticks]
    if low is not None and high is not None:
        drawn.append(line(low, high, "interval"))
    if mean is not None:
        drawn.append(line(mean, mean, "mean"))
    return node("svg", *drawn, role="img", aria_label=words)


def scale_plot(ends: tuple[float, float], ticks: Sequence[float]) -> Element:
    """The numbers of the axis, to stand below its plots."""
    texts = [
        node("text", signed(tick) if tick else "0", x=_place(tick, ends), y="40%", text_anchor=_anchor(tick, ends))
        for tick in ticks
    ]
    return node("svg", *texts, role="img", aria_label="scale")


def _anchor(tick: float, ends: tuple[float, float]) -> str:
    """Which point of a number stands at its tick: at the ends of the axis the one that keeps it inside the drawing."""
    low, high = ends
    at = (tick - low) / (high - low)
    return "start" if at < _NEAR_END else "end" if at > 1 - _NEAR_END else "middle"


def _place(value: float, ends: tuple[float, float]) -> str:
    low, high = ends
    return f"{100 * (value - low) / (high - low):.2f}%"


def axis_ticks(low: float, high: float) -> list[float]:
    """Round numbers along the axis, 0 among them."""
    step = next((each for each in _STEPS if each * (_TICKS + 1) >= high - low), _STEPS[-1])
    return [round(at * step, 6) for at in range(-int(-low / step), int(high / step) + 1)]
