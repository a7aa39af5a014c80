"""Sweep → one HTML file: what to take, every setting with its interval, a grid of two settings, the frontier."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.tuning.sweep import Sweep
from rag_variants.pipeline.spec import print_value, print_variant
from rag_variants.report.charts import ends_around_zero
from rag_variants.report.page.deltas import axis_ticks, interval_plot, scale_plot
from rag_variants.report.page.elements import node, print_page, table
from rag_variants.report.page.frontier import frontier_parts
from rag_variants.report.page.glossary import glossary_parts
from rag_variants.report.page.style import page_style
from rag_variants.report.sweep_left_out import left_out_examples, left_out_heading, more_left_out
from rag_variants.report.sweep_points import MISSING, NEAR, PointRow, axis_label, missing_rows, point_rows
from rag_variants.report.sweep_rows import COLUMNS, order_of_points, shown_columns, sweep_rows
from rag_variants.report.sweep_words import (
    chart_legend,
    family_sentence,
    final_check_sentence,
    origin_line,
    settings_words,
    sweep_sentences,
)
from rag_variants.report.table import metric_rows

_SHADE = 60  # per cent of the colour at the largest delta


def sweep_html(sweep: Sweep, check: Comparison | None = None) -> str:
    """The sweep as one file that opens without a network: no script, nothing loaded, every foreign text escaped."""
    start = print_variant(sweep.start.variant)
    first, *more = sweep_sentences(sweep)
    return print_page(
        f"Sweep of {start} · RAG Variants",
        page_style(),
        node("p", "Sweep of ", node("code", start), f", {settings_words(len(sweep.points))}"),
        node("h1", first),
        *(node("p", sentence) for sentence in more),
        *(node("p", warning, class_="note") for warning in sweep.warnings),
        *_check(sweep, check),
        *_grid(sweep),
        node("h2", "Every setting, the best first"),
        _points(sweep),
        *([node("p", family_sentence(sweep), class_="quiet")] if family_sentence(sweep) else []),
        *frontier_parts(sweep),
        *_left_out(sweep),
        *glossary_parts(sweep.head.judge.spec if sweep.head.judge else ""),
        node("p", origin_line(sweep), class_="quiet"),
    )


def _check(sweep: Sweep, check: Comparison | None) -> list[Element]:
    if check is None:
        return []
    notes = [node("p", note, class_="note") for note in check.warnings if note not in sweep.warnings]
    header = ("metric, held-out questions", "start", "recommended", "Δ", "95 % interval", "verdict", "scored")
    rows = [(row.label, row.a, row.b, row.delta, row.interval, row.verdict, row.scored) for row in metric_rows(check)]
    return [node("h2", final_check_sentence(sweep, check)), *notes, table(header, rows)]


def _points(sweep: Sweep) -> Element:
    """The table of settings, with the interval drawn beside its numbers."""
    points = point_rows(sweep)
    ends = ends_around_zero([each for row in points for each in (row.low, row.delta, row.high)])
    ticks = axis_ticks(*ends)
    columns = shown_columns(sweep)
    names = list(columns)
    at = names.index("interval")
    header = [
        *(columns[name] for name in names[:at]),
        "Δ, and what it could be",
        *(columns[name] for name in names[at:]),
    ]
    rows: list[Sequence[Element | str]] = []
    for row, place in zip(sweep_rows(sweep), order_of_points(sweep), strict=True):
        cells = [_words(name, getattr(row, name)) for name in names]
        rows.append([*cells[:at], _plot(points[place], ends, ticks), *cells[at:]])
    rows.append([*[""] * at, node("div", scale_plot(ends, ticks), class_="plot"), *[""] * (len(names) - at)])
    return table(header, rows, class_="points")


def _words(name: str, text: str) -> Element | str:
    """A number as it is; other words so that settings break after a comma, intervals not at all."""
    if COLUMNS[name]:
        return text
    if name == "settings":
        first, *rest = text.split(",")
        return node("span", first, *(part for each in rest for part in (",", node("wbr"), each)))
    return node("span", text, class_=name)


def _plot(row: PointRow, ends: tuple[float, float], ticks: Sequence[float]) -> Element:
    words = f"{row.settings}: {row.delta_words} {row.interval}".strip()
    drawn = interval_plot((row.low, row.delta, row.high), ends, ticks, words)
    return node("div", drawn, class_=f"plot {'strong' if row.kind == NEAR else 'faint'}")


def _grid(sweep: Sweep) -> list[Element]:
    """Two settings as a table of means and deltas, shaded as on the page; nothing for another number of settings."""
    if len(sweep.grid.axes) != 2:
        return []
    down, across = sweep.grid.axes
    cells = {row.texts: row for row in point_rows(sweep)}
    missing = dict(missing_rows(sweep))
    span = max([0.05, *(abs(row.better) for row in cells.values() if row.better is not None)])
    columns = [print_value(value) for value in across.values]
    head = node("tr", node("th", f"{axis_label(sweep, down.name)} ↓  {axis_label(sweep, across.name)} →", scope="col"),
                *(node("th", each, scope="col") for each in columns))  # fmt: skip
    body = [
        node(
            "tr",
            node("th", text, scope="row"),
            *(_cell(cells.get((text, each)), missing.get((text, each)), span) for each in columns),
        )
        for text in map(print_value, down.values)
    ]
    return [
        node("h2", f"{down.name} and {across.name} together"),
        node("div", node("table", node("thead", head), node("tbody", *body), class_="crossed"), class_="wide"),
        node("p", chart_legend(sweep), class_="quiet"),
    ]


def _cell(row: PointRow | None, missing: str | None, span: float) -> Element:
    if row is None:
        return node("td", MISSING.get(missing or "", ""), class_="quiet")
    share = _SHADE * min(1.0, abs(row.better or 0.0) / span)
    colour = "better" if (row.better or 0.0) >= 0 else "worse"
    marks = [name for name, marked in (("start", row.start), ("taken", row.recommended)) if marked]
    mean = node("b" if row.kind == NEAR else "span", row.mean_words)
    style = f"background: color-mix(in srgb, var(--{colour}) {share:.0f}%, transparent)"
    return node(
        "td", mean, node("div", row.delta_words, class_="quiet"), style=style, class_=" ".join(marks), title=row.scored
    )


def _left_out(sweep: Sweep) -> list[Element]:
    if not sweep.left_out:
        return []
    rows = [(each.settings, each.reason) for each in left_out_examples(sweep.left_out)]
    summary = node("summary", f"Left out: {left_out_heading(sweep.left_out)}, and why")
    more = more_left_out(sweep.left_out)
    return [node("details", summary, table(("settings", "why"), rows), *([node("p", more)] if more else []))]
