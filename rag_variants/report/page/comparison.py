"""Comparison → one HTML file, from what runs do not share down to every question's chunks."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.gates.gates import Finding
from rag_variants.metrics import all_metrics, full_label_of
from rag_variants.pipeline.spec import print_variant
from rag_variants.report.calls import cost_lines
from rag_variants.report.charts import delta_rows
from rag_variants.report.faults import fault_lines
from rag_variants.report.page.deltas import deltas_table
from rag_variants.report.page.elements import node, print_page, table
from rag_variants.report.page.glossary import glossary_parts
from rag_variants.report.page.questions import question_list
from rag_variants.report.page.style import page_style
from rag_variants.report.page.where import critical_part, signals_part
from rag_variants.report.requirements import requirement_rows, requirements_sentence
from rag_variants.report.table import effort_rows, metric_rows
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


def comparison_html(comparison: Comparison, findings: Sequence[Finding] = ()) -> str:
    """The result as one file that opens without a network: no script, nothing loaded, every foreign text escaped."""
    a, b = print_variant(comparison.a.variant), print_variant(comparison.b.variant)
    metric = leading_metric(comparison)
    return print_page(
        f"{a} → {b} · RAG Variants",
        page_style(),
        *_top(comparison, a, b),
        *_requirements(findings),
        *_result(comparison),
        *_effort(comparison),
        *_numbers(comparison),
        *critical_part(comparison),
        *(_slices(comparison, metric) if metric else []),
        *signals_part(comparison),
        *(_questions(comparison, metric) if metric else []),
        *glossary_parts(comparison.judge),
        _origin(comparison),
    )


def _top(comparison: Comparison, a: str, b: str) -> list[Element]:
    """Both variants, then what has to be known before any number."""
    sides = [
        node("p", node("span", side.upper(), class_=f"side {side}"), " ", node("code", text))
        for side, text in (("a", a), ("b", b))
    ]
    notes = [*comparison.warnings, *fault_lines([("A", comparison.a), ("B", comparison.b)])]
    return [*sides, *(node("p", note, class_="note") for note in notes)]


def _requirements(findings: Sequence[Finding]) -> list[Element]:
    if not findings:
        return []
    rows = [
        (row.requirement, node("span", row.shown, class_=row.outcome.replace(" ", "-")), row.why)
        for row in requirement_rows(findings)
    ]
    return [node("h2", requirements_sentence(findings)), table(("requirement", "", "why"), rows)]


def _result(comparison: Comparison) -> list[Element]:
    notes = [settings_sentence(comparison), text_read_sentence(comparison)]
    return [
        node("h1", headline_sentence(comparison)),
        *(node("p", note) for note in notes if note),
        node("p", trust_sentence(comparison), class_="quiet"),
        node("h2", "What changed: B minus A, with the interval that the data allow"),
        deltas_table(delta_rows(comparison)),
        node("p", "▲ questions where B is better, = equal, ▼ worse.", class_="quiet"),
        *(node("p", sentence, class_="note") for sentence in not_scored_sentences(comparison)),
    ]


def _effort(comparison: Comparison) -> list[Element]:
    found = effort_rows(comparison)
    rows = [(f"{row.label} ({row.unit})" if row.unit else row.label, row.a, row.b, row.ratio) for row in found]
    costs = [node("p", line, class_="quiet") for line in cost_lines([("A", comparison.a), ("B", comparison.b)])]
    return [node("h2", "Effort, mean per question"), table(("", "A", "B", "B ÷ A"), rows), *costs] if rows else costs


def _numbers(comparison: Comparison) -> list[Element]:
    lines = {name: Glossary().metric(name, comparison.judge).line for name in comparison.metrics}
    rows = [
        (
            node("div", node("b", row.full_label), node("div", lines[row.name], class_="quiet")),
            *(row.a, row.b, row.delta, row.interval, row.verdict, _p(comparison, row.name), row.scored),
        )
        for row in metric_rows(comparison)
    ]
    header = ("metric", "A", "B", "B − A", "95 % interval", "verdict", "p (adjusted)", "scored")
    summary = node("summary", "The numbers, and what each metric means")
    return [node("details", summary, table(header, rows))]


def _p(comparison: Comparison, name: str) -> str:
    delta = comparison.metrics[name].delta
    alone, adjusted = (f"{each:.3f}" if each is not None else "–" for each in (delta.p, delta.p_adjusted))
    return f"{alone} ({adjusted})"


def _slices(comparison: Comparison, metric: str) -> list[Element]:
    found = [(label, deltas[metric]) for label, deltas in comparison.slices.items() if metric in deltas]
    rows = [
        (label, signed(each.mean), f"{each.n} (few)" if each.n < _FEW else str(each.n), wins_words(each))
        for label, each in found
    ]
    summary = node("summary", f"By tag: {_label(comparison, metric)}, mean deltas without a verdict")
    return [node("details", summary, table(("tag", "B − A", "n", "B better = worse"), rows))] if rows else []


def _questions(comparison: Comparison, metric: str) -> list[Element]:
    heading = f"The questions, by {_label(comparison, metric)}: worst for B first"
    legend = "★ gold: holds evidence · ◐ touches evidence · ⚠ misleads. A row unfolds; what is unfolded is printed."
    return [node("h2", heading), node("p", legend, class_="quiet"), *question_list(comparison, metric)]


def _label(comparison: Comparison, metric: str) -> str:
    return full_label_of(all_metrics()[metric], comparison.judge)


def _origin(comparison: Comparison) -> Element:
    run = comparison.a
    words = (
        f"{run.knowledge.name}: {run.knowledge.count} documents ({run.knowledge.fingerprint}) · {run.questions.name}: "
        f"{run.questions.count} questions ({run.questions.fingerprint}) · seed {run.seed} · made {run.created} "
        f"with RAG Variants {run.versions['rag-variants']}"
    )
    return node("p", words, class_="quiet")
