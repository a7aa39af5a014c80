"""Sweep → one HTML file: what to take, every setting with its interval, a grid of two settings, the frontier."""

from typing import Any

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.tuning.sweep import Sweep
from rag_variants.pipeline.spec import print_value, print_variant
from rag_variants.report.charts import ends_around_zero
from rag_variants.report.page.axis import Axis
from rag_variants.report.page.filling import fill_page
from rag_variants.report.page.frontier import frontier_drawings
from rag_variants.report.sweep_points import MISSING, NEAR, PointRow, axis_label, missing_rows, point_rows
from rag_variants.report.sweep_rows import (
    left_out_examples,
    left_out_heading,
    more_left_out,
    order_of_points,
    shown_columns,
    sweep_rows,
)
from rag_variants.report.sweep_words import (
    chart_legend,
    family_sentence,
    final_check_sentence,
    origin_line,
    settings_words,
    sweep_sentences,
)
from rag_variants.report.table import check_table

_SHADE = 60  # per cent of the colour at the largest delta


def sweep_html(sweep: Sweep, check: Comparison | None = None) -> str:
    """The sweep as one file that opens without a network: no script, nothing loaded, every foreign text escaped."""
    start = print_variant(sweep.start.variant)
    first, *more = sweep_sentences(sweep)
    return fill_page(
        "sweep",
        judge=sweep.head.judge.spec if sweep.head.judge else "",
        title=f"Sweep of {start} · RAG Variants",
        start=start,
        count=settings_words(len(sweep.points)),
        first=first,
        more=more,
        warnings=sweep.warnings,
        check=_check(sweep, check) if check else None,
        grid=_grid(sweep),
        points=_points(sweep),
        family=family_sentence(sweep),
        frontiers=frontier_drawings(sweep),
        left_out=_left_out(sweep),
        origin=origin_line(sweep),
    )


def _check(sweep: Sweep, check: Comparison) -> dict[str, Any]:
    notes = [note for note in check.warnings if note not in sweep.warnings]
    return {"sentence": final_check_sentence(sweep, check), "notes": notes, "table": check_table(check)}


def _points(sweep: Sweep) -> dict[str, Any]:
    """The table of settings: the cells before and after the interval, which is drawn beside its numbers."""
    points = point_rows(sweep)
    ends = ends_around_zero([each for row in points for each in (row.low, row.delta, row.high)])
    columns = shown_columns(sweep)
    names = list(columns)
    at = names.index("interval")
    heads = list(columns.values())
    rows = []
    for row, place in zip(sweep_rows(sweep), order_of_points(sweep), strict=True):
        cells = [(name, getattr(row, name)) for name in names]
        rows.append((cells[:at], points[place], cells[at:]))
    return {
        "heads": [*heads[:at], "Δ, and what it could be", *heads[at:]],
        "rows": rows,
        "axis": Axis(*ends),
        "near": NEAR,
    }


def _grid(sweep: Sweep) -> dict[str, Any] | None:
    """Two settings as a table of means and deltas, shaded as on the page; None for another number of settings."""
    if len(sweep.grid.axes) != 2:
        return None
    down, across = sweep.grid.axes
    cells = {row.texts: row for row in point_rows(sweep)}
    missing = dict(missing_rows(sweep))
    span = max([0.05, *(abs(row.better) for row in cells.values() if row.better is not None)])
    columns = [print_value(value) for value in across.values]
    return {
        "title": f"{down.name} and {across.name} together",
        "heads": [f"{axis_label(sweep, down.name)} ↓  {axis_label(sweep, across.name)} →", *columns],
        "rows": [
            (text, [_cell(cells.get((text, each)), missing.get((text, each)), span) for each in columns])
            for text in map(print_value, down.values)
        ],
        "legend": chart_legend(sweep),
    }


def _cell(row: PointRow | None, missing: str | None, span: float) -> dict[str, Any]:
    if row is None:
        return {"row": None, "missing": MISSING.get(missing or "", "")}
    return {
        "row": row,
        "colour": "better" if (row.better or 0.0) >= 0 else "worse",
        "share": f"{_SHADE * min(1.0, abs(row.better or 0.0) / span):.0f}",
        "marks": " ".join(name for name, marked in (("start", row.start), ("taken", row.recommended)) if marked),
        "strong": row.kind == NEAR,
    }


def _left_out(sweep: Sweep) -> dict[str, Any] | None:
    if not sweep.left_out:
        return None
    rows = [(each.settings, each.reason) for each in left_out_examples(sweep.left_out)]
    return {"heading": left_out_heading(sweep.left_out), "rows": rows, "more": more_left_out(sweep.left_out)}
