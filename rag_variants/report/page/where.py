"""Critical questions and signals as parts of the one-file report."""

from xml.etree.ElementTree import Element

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.reasons.critical import critical_questions
from rag_variants.evaluation.reasons.signals import count_signals
from rag_variants.metrics import all_metrics, label_of
from rag_variants.report.critical import change_cell, critical_sentence
from rag_variants.report.page.elements import node, table
from rag_variants.report.signals import CAVEAT, condition_words, count_words, named, not_told_words


def critical_part(comparison: Comparison) -> list[Element]:
    """The critical questions, each with its change by the headline metrics, worse ones first; nothing without them."""
    critical = critical_questions(comparison)
    if critical is None:
        return []
    labels = [label_of(all_metrics()[name], comparison.judge) for name in critical.metrics]
    rows = [
        (each.question.id, each.question.user_input, *(change_cell(change) for change in each.changes))
        for each in sorted(critical.questions, key=lambda each: (not each.regressed, not each.moved))
    ]
    summary = node("summary", "Each of them: A → B, B − A")
    details = [node("details", summary, table(("id", "question", *labels), rows))] if rows else []
    return [node("h2", critical_sentence(critical)), *details]


def signals_part(comparison: Comparison) -> list[Element]:
    """Every rule with its thresholds, how many questions show it, and what is worth trying."""
    rows = [
        (
            node("div", node("b", each.rule.title), node("div", each.rule.points_at, class_="quiet")),
            " and ".join(map(condition_words, each.rule.conditions)),
            count_words(each.a),
            count_words(each.b),
            named(each.appeared),
            each.rule.worth_trying,
            not_told_words(each, comparison.judge),
        )
        for each in count_signals(comparison)
    ]
    header = ("signal", "holds if", "A", "B", "on B alone", "worth trying", "could not be told")
    return [
        node(
            "details",
            node("summary", "Signals: what the scores point at"),
            node("p", CAVEAT, class_="quiet"),
            table(header, rows),
        )
    ]
