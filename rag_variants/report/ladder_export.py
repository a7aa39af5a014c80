"""Ladder → JSON (schema `rag-variants/ladder/1`), CSV and Markdown files."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.ladder.ladder import Ladder
from rag_variants.evaluation.ladder.rungs import order_of
from rag_variants.pipeline.spec import print_variant
from rag_variants.report.document import metric_document
from rag_variants.report.export import csv_text
from rag_variants.report.ladder_words import (
    ORDER_SENTENCE,
    family_sentence,
    ladder_rows,
    metric_label,
    result_sentence,
    rung_words,
    sum_sentence,
)
from rag_variants.report.markdown import shown_as_typed
from rag_variants.storage.run_files import calls_document, frame_document, to_json, variant_document

LADDER_SCHEMA = "rag-variants/ladder/1"


def ladder_document(ladder: Ladder) -> dict[str, Any]:
    """A ladder as plain data. `steps` are from A upwards; `worst` counts them from 1, null if none is worse.

    `scores` of a row hold one value per rung, A first; null is "not scored".
    """
    total = ladder.total
    return {
        "schema": LADDER_SCHEMA,
        **frame_document(total.a),
        "complete": ladder.complete,
        "a": variant_document(total.a),
        "b": variant_document(total.b),
        "order": list(order_of(ladder.rungs)),
        "warnings": list(total.warnings),
        "steps": [
            {
                "variant": print_variant(rung.variant),
                "changes": [asdict(each) for each in rung.changes],
                **_deltas(step),
            }
            for rung, step in zip(ladder.rungs[1:], ladder.steps, strict=True)
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


def _sum_document(ladder: Ladder, metric: str) -> dict[str, Any]:
    everywhere, somewhere = ladder.scored(metric)
    worst = ladder.worst(metric)
    return {
        "running": list(ladder.running(metric)),
        "gap": ladder.gap(metric),
        "scored": {"every_rung": everywhere, "some_rung": somewhere},
        "worst": None if worst is None else worst + 1,
    }


def _rows(ladder: Ladder) -> list[dict[str, Any]]:
    runs = [{row.record.question.id: row for row in run.rows} for run in ladder.runs]
    return [
        {
            "id": row.record.question.id,
            "question": row.record.question.user_input,
            "scores": {name: [rung[row.record.question.id].scores[name].value for rung in runs] for name in row.scores},
        }
        for row in ladder.total.a.rows
        if all(row.record.question.id in rung for rung in runs)
    ]


def ladder_csv(ladder: Ladder) -> str:
    """One line per step and metric, the total as the last step; an empty cell is "not scored"."""
    header = ["step", "change", "variant", "metric", "delta", "low", "high", "verdict", "running", "n", "wins", "ties"]
    names = [(str(at), rung_words(rung)) for at, rung in enumerate(ladder.rungs[1:], start=1)]
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


def ladder_markdown(ladder: Ladder, metric: str | None) -> str:
    """The ladder under one metric as Markdown."""
    a, b = (print_variant(run.variant) for run in (ladder.total.a, ladder.total.b))
    lines = [f"## `{a}` → `{b}`, one step at a time", ""]
    if metric:
        lines += [f"**{shown_as_typed(result_sentence(ladder, metric))}**", ""]
        lines += [f"| | {metric_label(ladder, metric)} | Δ | 95 % interval | verdict | scored |"]
        lines += ["|---|---:|---:|---|---|---|"]
        lines += [
            f"| {shown_as_typed(row.label)}{f' **{row.note}**' if row.note else ''} | {row.so_far} | {row.delta} | "
            f"{row.interval} | {row.verdict} | {row.scored} |"
            for row in ladder_rows(ladder, metric)
        ]
        lines += ["", *([sentence, ""] if (sentence := sum_sentence(ladder, metric)) else [])]
    lines += [f"> {shown_as_typed(warning)}" for warning in ladder.total.warnings]
    notes = [family_sentence(ladder), ORDER_SENTENCE] if len(ladder.steps) > 1 else []
    lines += [" ".join(each for each in notes if each), ""]
    return "\n".join(lines)


def _json(ladder: Ladder, metric: str | None) -> str:
    return to_json(ladder_document(ladder))


def _csv(ladder: Ladder, metric: str | None) -> str:
    return ladder_csv(ladder)


LADDER_FORMATS: dict[str, Callable[[Ladder, str | None], str]] = {".json": _json, ".csv": _csv, ".md": ladder_markdown}
"""Files by ending; the metric is the one shown step by step where a file shows one alone."""
