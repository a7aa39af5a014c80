"""Comparison → one HTML file, from what runs do not share down to every question's chunks."""

from collections.abc import Sequence
from typing import Any

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.gates.gates import JudgedRequirement
from rag_variants.evaluation.reasons.critical import critical_questions
from rag_variants.evaluation.reasons.signals import count_signals
from rag_variants.metrics import all_metrics, full_label_of, label_of
from rag_variants.pipeline.spec import print_variant
from rag_variants.report.calls import cost_lines
from rag_variants.report.charts import axis_ends, delta_rows
from rag_variants.report.critical import change_cell, critical_sentence
from rag_variants.report.faults import fault_lines
from rag_variants.report.page.axis import Axis
from rag_variants.report.page.filling import fill_page
from rag_variants.report.page.questions import question_parts
from rag_variants.report.requirements import requirements_sentence, requirements_table
from rag_variants.report.signals import CAVEAT, condition_words, count_words, named, not_told_words
from rag_variants.report.table import MetricRow, effort_table, metric_rows
from rag_variants.report.words import (
    headline_sentence,
    leading_metric,
    not_scored_sentences,
    settings_sentence,
    signed,
    text_read_sentence,
    trust_sentence,
    wins_words,
)
from rag_variants.wording.glossary import Glossary

_FEW = 10  # questions in a slice; below, a mean says little


def comparison_html(comparison: Comparison, findings: Sequence[JudgedRequirement] = ()) -> str:
    """The result as one file that opens without a network: no script, nothing loaded, every foreign text escaped."""
    a, b = print_variant(comparison.a.variant), print_variant(comparison.b.variant)
    sides = [("A", comparison.a), ("B", comparison.b)]
    metric = leading_metric(comparison)
    chart = delta_rows(comparison)
    return fill_page(
        "comparison",
        judge=comparison.judge,
        title=f"{a} → {b} · RAG Variants",
        a=a,
        b=b,
        notes=[*comparison.warnings, *fault_lines(sides)],
        requirements=requirements_table(findings) if findings else None,
        requirements_sentence=requirements_sentence(findings) if findings else "",
        headline=headline_sentence(comparison),
        about=[each for each in (settings_sentence(comparison), text_read_sentence(comparison)) if each],
        trust=trust_sentence(comparison),
        chart=chart,
        axis=Axis(*axis_ends(chart)),
        not_scored=not_scored_sentences(comparison),
        effort=effort_table(comparison),
        costs=cost_lines(sides),
        numbers=_numbers(comparison),
        critical=_critical(comparison),
        label=full_label_of(all_metrics()[metric], comparison.judge) if metric else "",
        slices=_slices(comparison, metric) if metric else [],
        caveat=CAVEAT,
        signals=_signals(comparison),
        questions=question_parts(comparison, metric) if metric else None,
        origin=_origin(comparison),
    )


def _numbers(comparison: Comparison) -> list[tuple[MetricRow, str, str]]:
    """Every metric with what it means and its p."""
    glossary = Glossary()
    return [
        (row, glossary.metric(row.name, comparison.judge).line, _p(comparison, row.name))
        for row in metric_rows(comparison)
    ]


def _p(comparison: Comparison, name: str) -> str:
    delta = comparison.metrics[name].delta
    alone, adjusted = (f"{each:.3f}" if each is not None else "–" for each in (delta.p, delta.p_adjusted))
    return f"{alone} ({adjusted})"


def _critical(comparison: Comparison) -> dict[str, Any] | None:
    """The critical questions, each with its change by the headline metrics, worse ones first."""
    critical = critical_questions(comparison)
    if critical is None:
        return None
    labels = [label_of(all_metrics()[name], comparison.judge) for name in critical.metrics]
    rows = [
        (each.question.id, each.question.user_input, *(change_cell(change) for change in each.changes))
        for each in sorted(critical.questions, key=lambda each: (not each.regressed, not each.moved))
    ]
    return {"sentence": critical_sentence(critical), "headings": ("id", "question", *labels), "rows": rows}


def _slices(comparison: Comparison, metric: str) -> list[tuple[str, ...]]:
    found = [(label, deltas[metric]) for label, deltas in comparison.slices.items() if metric in deltas]
    return [
        (label, signed(each.mean), f"{each.n} (few)" if each.n < _FEW else str(each.n), wins_words(each))
        for label, each in found
    ]


def _signals(comparison: Comparison) -> list[tuple[object, tuple[str, ...]]]:
    """Every rule with its thresholds, how many questions show it, and what is worth trying."""
    return [
        (
            each.rule,
            (
                " and ".join(map(condition_words, each.rule.conditions)),
                count_words(each.a),
                count_words(each.b),
                named(each.appeared),
                each.rule.worth_trying,
                not_told_words(each, comparison.judge),
            ),
        )
        for each in count_signals(comparison)
    ]


def _origin(comparison: Comparison) -> str:
    run = comparison.a
    return (
        f"{run.knowledge.name}: {run.knowledge.count} documents ({run.knowledge.fingerprint}) · {run.questions.name}: "
        f"{run.questions.count} questions ({run.questions.fingerprint}) · seed {run.seed} · made {run.created} "
        f"with RAG Variants {run.versions['rag-variants']}"
    )
