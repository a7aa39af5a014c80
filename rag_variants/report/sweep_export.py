"""Sweep → JSON (schema `rag-variants/sweep/1`), CSV, Markdown and HTML files."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.tuning.points import Point
from rag_variants.evaluation.tuning.sweep import FRONTIER_EFFORTS, Sweep
from rag_variants.llm.calls import total
from rag_variants.metrics import all_metrics
from rag_variants.pipeline.setting import settings_of
from rag_variants.pipeline.spec import print_value, print_variant
from rag_variants.report.document import metric_document
from rag_variants.report.sweep_rows import marks_of, order_of_points, statistic_of, verdict_of
from rag_variants.report.sweep_text import sweep_markdown
from rag_variants.report.tables import csv_text
from rag_variants.storage.run_documents import frame_document, to_json, variant_document

_CSV = ("metric", "statistic", "value", "unit", "n", "asked", "delta", "low", "high", "verdict", "left out because")
SWEEP_SCHEMA = "rag-variants/sweep/1"


def sweep_document(sweep: Sweep, check: Comparison | None = None) -> dict[str, Any]:
    """A sweep as plain data, points in the grid's order, the start first. `null` is "not scored".

    `luck` is the advantage that the best of `tried` equal settings would have over the start on average. `differing` is
    the most questions on which a setting differs from the best; fewer than MIN_DIFFERING decide nothing: then
    `decided` is false and `recommended` null.
    """
    best, recommended = sweep.best, sweep.recommended
    return {
        "schema": SWEEP_SCHEMA,
        **frame_document(sweep.head),
        "complete": sweep.complete,
        "waiting": sweep.waiting,
        "start": variant_document(sweep.head),
        "over": {axis.name: list(axis.values) for axis in sweep.grid.axes},
        "metric": sweep.metric,
        "best": _name(best),
        "not_told_apart": [print_variant(each.variant) for each in sweep.not_told_apart],
        "recommended": _name(recommended),
        "decided": sweep.decided,
        "differing": sweep.differing,
        "advantage": None if best is None else sweep.advantage(best),
        "tried": sweep.tried,
        "luck": sweep.luck,
        "frontier": {
            effort: [print_variant(each.variant) for each in sweep.frontier(effort)]
            for effort in FRONTIER_EFFORTS
            if effort in sweep.effort
        },
        "points": [_point(sweep, at) for at in range(len(sweep.points))],
        "left_out": [asdict(each) for each in sweep.left_out],
        "warnings": list(sweep.warnings),
        "final_check": None if check is None else _check(check),
        "calls": asdict(total([point.calls.all for point in sweep.points])),
        "seconds": sum(point.seconds for point in sweep.points),
    }


def _name(point: Point | None) -> str | None:
    return None if point is None else print_variant(point.variant)


def _point(sweep: Sweep, at: int) -> dict[str, Any]:
    point = sweep.points[at]
    return {
        "variant": print_variant(point.variant),
        "settings": {axis.name: getattr(point.variant, axis.name) for axis in sweep.grid.axes},
        "off_default": point.off_default,
        "asked": point.asked,
        "failed": point.failed,
        "error": point.error,
        "metrics": {
            name: {
                "mean": point.mean(name),
                "n": point.scored(name),
                "higher_is_better": all_metrics()[name].higher_is_better,
                "against_start": asdict(sweep.against_start(name)[at]),
            }
            for name in sweep.quality
        },
        "effort": {
            name: {
                "mean": point.mean(name),
                "typical": point.amount(name),
                "statistic": statistic_of(name),
                "unit": all_metrics()[name].unit,
                "n": point.scored(name),
            }
            for name in sweep.effort
        },
        "against_best": asdict(sweep.gaps[at]) if sweep.gaps else None,
        "calls": asdict(point.calls),
    }


def _check(check: Comparison) -> dict[str, Any]:
    return {
        "a": print_variant(check.a.variant),
        "b": print_variant(check.b.variant),
        "questions": asdict(check.a.questions),
        "complete": check.a.complete and check.b.complete,
        "metrics": {name: metric_document(name, each) for name, each in check.metrics.items()},
        "warnings": list(check.warnings),
    }


def sweep_csv(sweep: Sweep) -> str:
    """One line per point and metric, the best point first, then what was left out; an empty cell is "not scored".

    `statistic` says whether `value` is a mean or a median, `unit` is that of value, delta, low and high.
    """
    axes = [axis.name for axis in sweep.grid.axes]
    units = {name: texts.unit for name, (_, texts) in settings_of(sweep.grid.start).items()}
    header = ["variant", *(f"{name} ({units[name]})" if units[name] else name for name in axes), "marks", *_CSV]
    lines = [_line(sweep, at, name, axes) for at in order_of_points(sweep) for name in (*sweep.quality, *sweep.effort)]
    blank = [""] * (len(axes) + len(_CSV) - 1)
    lines += [[each.settings, *blank[: len(axes)], "left out", *blank[len(axes) :], each.reason]
              for each in sweep.left_out]  # fmt: skip
    return csv_text(header, lines)


def _line(sweep: Sweep, at: int, name: str, axes: list[str]) -> list[str]:
    point = sweep.points[at]
    delta = sweep.against_start(name)[at] if name in sweep.quality else None
    numbers = (delta.mean, *(delta.ci95 or (None, None))) if delta else (None, None, None)
    known = settings_of(point.variant)
    return [
        print_variant(point.variant),
        *(print_value(getattr(point.variant, each)) if each in known else "" for each in axes),
        marks_of(sweep, at),
        name,
        statistic_of(name),
        _number(point.amount(name)),
        all_metrics()[name].unit,
        str(point.scored(name)),
        str(point.asked),
        *map(_number, numbers),
        verdict_of(sweep, at, name) if delta else "",
        "",
    ]


def _number(value: float | None) -> str:
    return "" if value is None else repr(value)


def _json(sweep: Sweep, check: Comparison | None = None) -> str:
    return to_json(sweep_document(sweep, check))


def _csv(sweep: Sweep, check: Comparison | None = None) -> str:
    return sweep_csv(sweep)


def _html(sweep: Sweep, check: Comparison | None = None) -> str:
    from rag_variants.report.page import sweep_html  # with Altair, which the other formats do without

    return sweep_html(sweep, check)


SWEEP_FORMATS: dict[str, Callable[[Sweep, Comparison | None], str]] = {
    ".json": _json,
    ".csv": _csv,
    ".md": sweep_markdown,
    ".html": _html,
}
"""Files by ending; the final check has no place in CSV."""
