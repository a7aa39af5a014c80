"""Ladder → what a terminal shows."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from rag_variants.evaluation.ladder.ladder import Ladder
from rag_variants.pipeline.spec import print_variant
from rag_variants.report.ladder_words import (
    ORDER_SENTENCE,
    family_sentence,
    ladder_rows,
    metric_label,
    result_sentence,
    sum_sentence,
)
from rag_variants.report.table import metric_rows
from rag_variants.report.terminal import COLOURS
from rag_variants.report.words import delta_words


def ladder_view(ladder: Ladder, metric: str | None) -> RenderableType:
    """The sentence, the steps under one metric with the running total, and every metric step by step."""
    sentences = [result_sentence(ladder, metric)] if metric else ["No metric with a verdict was asked for."]
    notes = [sum_sentence(ladder, metric) if metric else None]
    if len(ladder.steps) > 1:
        notes += [family_sentence(ladder), ORDER_SENTENCE]
    tables: list[RenderableType] = [_steps(ladder, metric), Text(), _all_metrics(ladder)] if metric else []
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


def _steps(ladder: Ladder, metric: str) -> Table:
    table = _table(metric_label(ladder, metric), no_wrap=True)
    for name in ("so far", "Δ"):
        table.add_column(name, justify="right", no_wrap=True)
    for name in ("95 % interval", "verdict", "scored"):
        table.add_column(name, no_wrap=name != "verdict")
    for row in ladder_rows(ladder, metric):
        label = Text(f"{row.label}  {row.note}".rstrip(), style="bold" if row.side or row.note else "")
        verdict = Text(row.verdict, style=COLOURS.get(row.verdict.split(" ")[0], ""))
        table.add_row(label, row.so_far, row.delta, row.interval, verdict, row.scored)
    return table


def _all_metrics(ladder: Ladder) -> Table:
    """One line per metric: its delta in every step, ▲ or ▼ where that is better or worse, and in all."""
    table = _table("every metric", no_wrap=True)
    for at in range(len(ladder.steps)):
        table.add_column(f"step {at + 1}", justify="right")
    table.add_column("total", justify="right")
    for row in metric_rows(ladder.total):
        deltas = [step.metrics[row.name].delta for step in (*ladder.steps, ladder.total)]
        table.add_row(Text("  " + row.label), *map(delta_words, deltas))
    return table


def _table(first: str, *, no_wrap: bool) -> Table:
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column(first, no_wrap=no_wrap)
    return table
