"""Ladder → what a terminal shows, and JSON (schema `rag-variants/ladder/1`), CSV and Markdown files."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from rag_variants.evaluation.ablation.ablation_path import AblationPath
from rag_variants.evaluation.ablation.waypoints import order_of
from rag_variants.evaluation.comparison import Comparison
from rag_variants.pipeline.spec import print_variant
from rag_variants.report.ablation_words import (
    ORDER_SENTENCE,
    ablation_table,
    family_sentence,
    result_sentence,
    sum_sentence,
    waypoint_words,
)
from rag_variants.report.document import metric_document
from rag_variants.report.markdown import shown_as_typed
from rag_variants.report.table import metric_rows
from rag_variants.report.tables import Column, Table, csv_text, make_table, markdown_table, terminal_table
from rag_variants.report.words import delta_words
from rag_variants.storage.run_documents import calls_document, frame_document, to_json, variant_document

ABLATION_SCHEMA = "rag-variants/ladder/1"


def ablation_document(ladder: AblationPath) -> dict[str, Any]:
    """A ladder as plain data. `steps` are from A upwards; `worst` counts them from 1, null if none is worse.

    `scores` of a row hold one value per waypoint, A first; null is "not scored".
    """
    total = ladder.total
    return {
        "schema": ABLATION_SCHEMA,
        **frame_document(total.a),
        "complete": ladder.complete,
        "a": variant_document(total.a),
        "b": variant_document(total.b),
        "order": list(order_of(ladder.waypoints)),
        "warnings": list(total.warnings),
        "steps": [
            {
                "variant": print_variant(waypoint.variant),
                "changes": [asdict(each) for each in waypoint.changes],
                **_deltas(step),
            }
            for waypoint, step in zip(ladder.waypoints[1:], ladder.steps, strict=True)
        ],
        "total": _deltas(total),
        "sums": {name: _sum_document(ladder, name) for name in total.metrics},
        "rows": _rows(ladder),
        "calls": calls_document(*ladder.runs),
        "seconds": sum(run.seconds for run in ladder.runs),
    }


def _deltas(comparison: Comparison) -> dict[str, Any]:
    return {
        "metrics": {name: metric_document(name, each) for name, each in comparison.metrics.items()},
        "effort": {name: asdict(each) for name, each in comparison.effort.items()},
    }


def _sum_document(ladder: AblationPath, metric: str) -> dict[str, Any]:
    everywhere, somewhere = ladder.scored(metric)
    worst = ladder.worst(metric)
    return {
        "running": list(ladder.running(metric)),
        "gap": ladder.gap(metric),
        "scored": {"every_rung": everywhere, "some_rung": somewhere},
        "worst": None if worst is None else worst + 1,
    }


def _rows(ladder: AblationPath) -> list[dict[str, Any]]:
    runs = [{row.record.question.id: row for row in run.rows} for run in ladder.runs]
    return [
        {
            "id": row.record.question.id,
            "question": row.record.question.user_input,
            "scores": {
                name: [waypoint[row.record.question.id].scores[name].value for waypoint in runs] for name in row.scores
            },
        }
        for row in ladder.total.a.rows
        if all(row.record.question.id in waypoint for waypoint in runs)
    ]


def ablation_csv(ladder: AblationPath) -> str:
    """One line per step and metric, the total as the last step; an empty cell is "not scored"."""
    header = ["step", "change", "variant", "metric", "delta", "low", "high", "verdict", "running", "n", "wins", "ties"]
    names = [(str(at), waypoint_words(waypoint)) for at, waypoint in enumerate(ladder.waypoints[1:], start=1)]
    lines = [
        _line(name, step, metric, ladder.running(metric)[at])
        for at, (name, step) in enumerate(zip(names, ladder.steps, strict=True))
        for metric in step.metrics
    ]
    lines += [_line(("total", ""), ladder.total, metric, None) for metric in ladder.total.metrics]
    return csv_text([*header, "losses"], lines)


def _line(name: tuple[str, str], step: Comparison, metric: str, running: float | None) -> list[str]:
    delta = step.metrics[metric].delta
    numbers = (delta.mean, *(delta.ci95 or (None, None)))
    return [
        *name,
        print_variant(step.b.variant),
        metric,
        *("" if each is None else repr(each) for each in numbers),
        delta.verdict,
        "" if running is None else repr(running),
        *(str(each) for each in (delta.n, delta.wins, delta.ties, delta.losses)),
    ]


def ablation_markdown(ladder: AblationPath, metric: str | None) -> str:
    """The ladder under one metric as Markdown."""
    a, b = (print_variant(run.variant) for run in (ladder.total.a, ladder.total.b))
    lines = [f"## `{a}` → `{b}`, one step at a time", ""]
    if metric:
        lines += [f"**{shown_as_typed(result_sentence(ladder, metric))}**", ""]
        lines += markdown_table(ablation_table(ladder, metric))
        lines += ["", *([sentence, ""] if (sentence := sum_sentence(ladder, metric)) else [])]
    lines += [f"> {shown_as_typed(warning)}" for warning in ladder.total.warnings]
    notes = [family_sentence(ladder), ORDER_SENTENCE] if len(ladder.steps) > 1 else []
    lines += [" ".join(each for each in notes if each), ""]
    return "\n".join(lines)


def _json(ladder: AblationPath, metric: str | None) -> str:
    return to_json(ablation_document(ladder))


def _csv(ladder: AblationPath, metric: str | None) -> str:
    return ablation_csv(ladder)


ABLATION_FORMATS: dict[str, Callable[[AblationPath, str | None], str]] = {
    ".json": _json,
    ".csv": _csv,
    ".md": ablation_markdown,
}
"""Files by ending; the metric is the one shown step by step where a file shows one alone."""


def ablation_view(ladder: AblationPath, metric: str | None) -> RenderableType:
    """The sentence, the steps under one metric with the running total, and every metric step by step."""
    sentences = [result_sentence(ladder, metric)] if metric else ["No metric with a verdict was asked for."]
    notes = [sum_sentence(ladder, metric) if metric else None]
    if len(ladder.steps) > 1:
        notes += [family_sentence(ladder), ORDER_SENTENCE]
    tables: list[RenderableType] = (
        [
            terminal_table(each) if each else Text()
            for each in (ablation_table(ladder, metric), None, _all_metrics(ladder))
        ]
        if metric
        else []
    )
    return Group(
        Text(f"A  {print_variant(ladder.total.a.variant)}"),
        Text(f"B  {print_variant(ladder.total.b.variant)}"),
        Text(),
        *(Text(sentence, style="bold") for sentence in sentences),
        *(Text(note) for note in notes if note),
        *(Text(warning, style="yellow") for warning in ladder.total.warnings),
        Text(),
        *tables,
    )


def _all_metrics(ladder: AblationPath) -> Table:
    """One line per metric: its delta in every step, ▲ or ▼ where that is better or worse, and in all."""
    steps = [Column(f"step {at + 1}", number=True) for at in range(len(ladder.steps))]
    rows = (
        (row.full_label, *(delta_words(step.metrics[row.name].delta) for step in (*ladder.steps, ladder.total)))
        for row in metric_rows(ladder.total)
    )
    return make_table((Column("every metric", whole=True), *steps, Column("total", number=True)), rows)
