"""Comparison or run → what a terminal shows (rich renderables; the command line prints them)."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from rag_variants.evaluation.comparison import HEADLINE_ANSWERS, HEADLINE_RETRIEVAL, Comparison
from rag_variants.evaluation.gates.gates import JudgedRequirement
from rag_variants.evaluation.reasons.critical import critical_questions
from rag_variants.evaluation.runs import Run
from rag_variants.metrics import all_metrics
from rag_variants.pipeline.spec import print_variant
from rag_variants.report.calls import cost_lines
from rag_variants.report.critical import critical_lines, critical_sentence
from rag_variants.report.faults import fault_lines
from rag_variants.report.remarks import remark_lines
from rag_variants.report.requirements import requirements_sentence, requirements_table
from rag_variants.report.saved_run_words import BASELINE_MARK, asked_words, made_words, mean_words
from rag_variants.report.table import amount_words, effort_table, metric_rows, metrics_table
from rag_variants.report.tables import Column, Table, make_table, terminal_table
from rag_variants.report.words import (
    headline_sentence,
    not_scored_sentences,
    plain,
    settings_sentence,
    text_read_sentence,
    trust_sentence,
)
from rag_variants.storage.saved_runs import SavedNote


def comparison_view(comparison: Comparison, findings: Sequence[JudgedRequirement] = ()) -> RenderableType:
    """What to know before believing it, the sentence, the table of metrics, effort, and what a gate found."""
    remarks = [(row.label, row.remarks) for row in metric_rows(comparison)]
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
        terminal_table(metrics_table(comparison)),
        *(Text(line, style="dim") for line in remark_lines(remarks)),
        *_critical_texts(comparison),
        Text(),
        terminal_table(effort_table(comparison)),
        *(Text(line, style="dim") for line in cost_lines([("A", comparison.a), ("B", comparison.b)])),
        *(Text(sentence, style="yellow") for sentence in not_scored_sentences(comparison)),
        *([Text(), requirements_view(findings)] if findings else ()),
    )


def requirements_view(findings: Sequence[JudgedRequirement]) -> RenderableType:
    """What held of the requirements, and why."""
    return Group(Text(requirements_sentence(findings), style="bold"), terminal_table(requirements_table(findings)))


def _critical_texts(comparison: Comparison) -> list[Text]:
    """The critical questions apart from the means: how many are worse, then each that moved."""
    critical = critical_questions(comparison)
    if critical is None:
        return []
    heading = Text(critical_sentence(critical), style="bold red" if critical.regressed else "bold")
    return [Text(), heading, *(Text(f"  {line}") for line in critical_lines(critical))]


def run_view(run: Run) -> RenderableType:
    """The means of one side with how many questions were scored."""
    notes = [*filter(None, [run.failure]), *run.notes, *fault_lines([("", run)])]
    return Group(
        Text(print_variant(run.variant), style="bold"),
        *(Text(note, style="yellow") for note in notes),
        terminal_table(_means(run)),
        *(Text(line, style="dim") for line in cost_lines([("", run)])),
    )


def _means(run: Run) -> Table:
    rows = []
    for name in run.metrics:
        values = [score.value for row in run.rows if (score := row.scores[name]).value is not None]
        mean = sum(values) / len(values) if values else None
        metric = all_metrics()[name]
        shown = amount_words(mean, metric.unit) if metric.set == "effort" else plain(mean)
        rows.append((metric.label, shown, f"{len(values)} of {len(run.rows)}"))
    return make_table(("metric", Column("mean", number=True), Column("scored", number=True)), rows)


def saved_runs_view(notes: Sequence[SavedNote], problems: Sequence[str]) -> RenderableType:
    """The saved runs, newest first, with the headline metrics' means, and what could not be read."""
    headline = (HEADLINE_RETRIEVAL[0], HEADLINE_ANSWERS[0])
    columns = [
        Column(name, whole=name != "variant") for name in ("id", "name", "variant", "questions", "judge", "made")
    ]
    table = make_table(
        [*columns, *(Column(name, number=True, whole=True) for name in headline)], map(_saved_cells, notes)
    )
    heading = Text(f"{len(notes)} run{'' if len(notes) == 1 else 's'} kept", style="bold")
    return Group(
        heading, *([terminal_table(table)] if notes else []), *(Text(problem, style="yellow") for problem in problems)
    )


def _saved_cells(note: SavedNote) -> tuple[str, ...]:
    name = f"{note.name} {BASELINE_MARK}".strip() if note.baseline else note.name
    means = [mean_words(note, metric) for metric in (HEADLINE_RETRIEVAL[0], HEADLINE_ANSWERS[0])]
    return (note.id, name, note.variant, asked_words(note), note.judge_spec or "–", made_words(note), *means)


def agreement_view(measured: Mapping[str, Any]) -> RenderableType:
    """A judge's agreement with labels: all, by language, by kind, and the labels where it disagrees."""
    rows = [
        ("all", measured),
        *((f"{by} {name}", part) for by, parts in measured["by"].items() for name, part in parts.items()),
    ]
    table = make_table(
        ("labels", *(Column(name, number=True) for name in ("n", "accuracy", "kappa"))),
        ((name, str(part["n"]), f"{part['accuracy']:.0%}", plain(part["kappa"])) for name, part in rows),
    )
    lost = [
        Text(f"{each['id']}  judge {each['judge']}, label {each['label']}: {each['statement']}")
        for each in measured["disagreements"]
    ]
    failed = [Text(f"{each['id']}  no verdict: {each['error']}", style="yellow") for each in measured.get("failed", ())]
    heading = Text(
        f"{measured['judge']}: {measured['unsure']} of {measured['n']} verdicts unsure, counted as not supported"
    )
    return Group(
        heading, Text(), terminal_table(table), Text(), Text(f"{len(lost)} disagreements", style="bold"), *lost, *failed
    )
