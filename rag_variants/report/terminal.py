"""Comparison or run → what a terminal shows (rich renderables; the command line prints them)."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from rag_variants.evaluation.comparison import HEADLINE_ANSWERS, HEADLINE_RETRIEVAL, Comparison
from rag_variants.evaluation.gates.gates import Finding
from rag_variants.evaluation.reasons.critical import critical_questions
from rag_variants.evaluation.runs import Run
from rag_variants.metrics import all_metrics
from rag_variants.pipeline.spec import print_variant
from rag_variants.report.calls import cost_lines
from rag_variants.report.critical import critical_lines, critical_sentence
from rag_variants.report.faults import fault_lines
from rag_variants.report.kept import BASELINE_MARK, asked_words, made_words, mean_words
from rag_variants.report.remarks import remark_lines
from rag_variants.report.requirements import requirement_rows, requirements_sentence
from rag_variants.report.table import amount_words, effort_rows, metric_rows
from rag_variants.report.words import (
    headline_sentence,
    not_scored_sentences,
    plain,
    settings_sentence,
    text_read_sentence,
    trust_sentence,
)
from rag_variants.storage.saved_runs import KeptNote

COLOURS = {"better": "bold green", "worse": "bold red"}
OUTCOME_COLOURS = {"met": "green", "not met": "bold red", "undecided": "yellow"}


def comparison_view(comparison: Comparison, findings: Sequence[Finding] = ()) -> RenderableType:
    """What to know before believing it, the sentence, the table of metrics, effort, and what a gate found."""
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column("metric", no_wrap=True)
    for name in ("A", "B", "Δ"):
        table.add_column(name, justify="right", no_wrap=True)
    for name in ("95 % interval", "verdict", "scored", "B better = worse"):
        table.add_column(name, no_wrap=name != "verdict")
    group = None
    rows = metric_rows(comparison)
    for row in rows:
        if row.group != group:
            table.add_row(Text(row.group, style="dim"))
            group = row.group
        style = COLOURS.get(row.verdict.split(" ")[0], "")
        cells = (row.a, row.b, row.delta, row.interval, row.verdict, row.scored, row.wins)
        table.add_row(
            Text("  " + row.label), *(Text(cell, style=style if cell == row.verdict else "") for cell in cells)
        )
    effort = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    effort.add_column("effort, mean per question")
    for name in ("A", "B", "B ÷ A"):
        effort.add_column(name, justify="right")
    for each in effort_rows(comparison):
        effort.add_row(Text(f"  {each.label}{f' ({each.unit})' if each.unit else ''}"), each.a, each.b, each.ratio)
    notes = [settings_sentence(comparison), text_read_sentence(comparison), trust_sentence(comparison)]
    return Group(
        Text(f"A  {print_variant(comparison.a.variant)}"),
        Text(f"B  {print_variant(comparison.b.variant)}"),
        Text(),
        *(Text(warning, style="yellow") for warning in comparison.warnings),
        Text(headline_sentence(comparison), style="bold"),
        *(Text(note) for note in notes if note),
        *(Text(line, style="yellow") for line in fault_lines([("A", comparison.a), ("B", comparison.b)])),
        Text(),
        table,
        *(Text(line, style="dim") for line in remark_lines([(row.label, row.remarks) for row in rows])),
        *_critical_texts(comparison),
        Text(),
        effort,
        *(Text(line, style="dim") for line in cost_lines([("A", comparison.a), ("B", comparison.b)])),
        *(Text(sentence, style="yellow") for sentence in not_scored_sentences(comparison)),
        *([Text(), requirements_view(findings)] if findings else ()),
    )


def requirements_view(findings: Sequence[Finding]) -> RenderableType:
    """What held of the requirements, and why."""
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    for name in ("requirement", "", "why"):
        table.add_column(name, no_wrap=not name)
    for row in requirement_rows(findings):
        table.add_row(Text(row.requirement), Text(row.shown, style=OUTCOME_COLOURS[row.outcome]), Text(row.why))
    return Group(Text(requirements_sentence(findings), style="bold"), table)


def _critical_texts(comparison: Comparison) -> list[Text]:
    """The critical questions apart from the means: how many are worse, then each that moved."""
    critical = critical_questions(comparison)
    if critical is None:
        return []
    heading = Text(critical_sentence(critical), style="bold red" if critical.regressed else "bold")
    return [Text(), heading, *(Text(f"  {line}") for line in critical_lines(critical))]


def run_view(run: Run) -> RenderableType:
    """The means of one side with how many questions were scored."""
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column("metric")
    table.add_column("mean", justify="right")
    table.add_column("scored", justify="right")
    for name in run.metrics:
        values = [score.value for row in run.rows if (score := row.scores[name]).value is not None]
        mean = sum(values) / len(values) if values else None
        metric = all_metrics()[name]
        shown = amount_words(mean, metric.unit) if metric.set == "effort" else plain(mean)
        table.add_row(Text(metric.label), shown, f"{len(values)} of {len(run.rows)}")
    notes = [*run.notes, *fault_lines([("", run)])]
    return Group(
        Text(print_variant(run.variant), style="bold"),
        *(Text(note, style="yellow") for note in notes),
        table,
        *(Text(line, style="dim") for line in cost_lines([("", run)])),
    )


def kept_view(notes: Sequence[KeptNote], problems: Sequence[str]) -> RenderableType:
    """The kept runs, newest first, with the headline metrics' means, and what could not be read."""
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    for name in ("id", "name", "variant", "questions", "judge", "made"):
        table.add_column(name, no_wrap=name != "variant")
    for name in (HEADLINE_RETRIEVAL[0], HEADLINE_ANSWERS[0]):
        table.add_column(name, justify="right", no_wrap=True)
    for note in notes:
        name = f"{note.name} {BASELINE_MARK}".strip() if note.baseline else note.name
        means = [mean_words(note, metric) for metric in (HEADLINE_RETRIEVAL[0], HEADLINE_ANSWERS[0])]
        cells = (note.id, name, note.variant, asked_words(note), note.judge_spec or "–", made_words(note), *means)
        table.add_row(*(Text(cell) for cell in cells))
    heading = Text(f"{len(notes)} run{'' if len(notes) == 1 else 's'} kept", style="bold")
    return Group(heading, *([table] if notes else []), *(Text(problem, style="yellow") for problem in problems))


def agreement_view(measured: Mapping[str, Any]) -> RenderableType:
    """A judge's agreement with labels: all, by language, by kind, and the labels where it disagrees."""
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column("labels")
    for name in ("n", "accuracy", "kappa"):
        table.add_column(name, justify="right")
    rows = [
        ("all", measured),
        *((f"{by} {name}", part) for by, parts in measured["by"].items() for name, part in parts.items()),
    ]
    for name, part in rows:
        kappa = "–" if part["kappa"] is None else plain(part["kappa"])
        table.add_row(Text(name), str(part["n"]), f"{part['accuracy']:.0%}", kappa)
    lost = [
        Text(f"{each['id']}  judge {each['judge']}, label {each['label']}: {each['statement']}")
        for each in measured["disagreements"]
    ]
    failed = [Text(f"{each['id']}  no verdict: {each['error']}", style="yellow") for each in measured.get("failed", ())]
    heading = Text(
        f"{measured['judge']}: {measured['unsure']} of {measured['n']} verdicts unsure, counted as not supported"
    )
    return Group(heading, Text(), table, Text(), Text(f"{len(lost)} disagreements", style="bold"), *lost, *failed)
