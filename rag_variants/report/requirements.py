"""What held: the findings of a gate in words, for the terminal, JSON, Markdown and HTML."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rag_variants.evaluation.gates.gates import JudgedRequirement, Outcome, overall
from rag_variants.evaluation.gates.requirements import Level, NotWorse
from rag_variants.evaluation.statistics.signflips import MIN_DIFFERING
from rag_variants.metrics import all_metrics
from rag_variants.report.tables import Cell, Column, Table, make_table
from rag_variants.report.words import MINUS, differ_words, interval_words, plain, signed

OUTCOMES: Mapping[Outcome, str] = {"met": "✓ met", "not met": "✗ not met", "undecided": "? undecided"}


@dataclass(frozen=True, slots=True)
class RequirementRow:
    """One requirement as it is shown; all texts but the outcome are for reading."""

    requirement: str
    outcome: Outcome
    shown: str
    why: str


def requirement_rows(findings: Sequence[JudgedRequirement]) -> tuple[RequirementRow, ...]:
    """One row per requirement, in the order given."""
    return tuple(
        RequirementRow(each.requirement.text, each.outcome, OUTCOMES[each.outcome], why_words(each))
        for each in findings
    )


def requirements_sentence(findings: Sequence[JudgedRequirement]) -> str:
    """The outcome of all together: `Requirements: not met (1 of 3 not met, 1 undecided).`"""
    counts = {outcome: sum(each.outcome == outcome for each in findings) for outcome in OUTCOMES}
    parts = [f"{counts[each]} {each}" for each in ("met", "not met", "undecided") if counts[each]]
    return f"Requirements {overall(findings)}: {', '.join(parts)}."


def requirements_document(findings: Sequence[JudgedRequirement]) -> list[dict[str, Any]]:
    """The findings as plain data."""
    return [
        {
            "requirement": each.requirement.text,
            "outcome": each.outcome,
            "why": why_words(each),
            "reason": each.reason,
            "metric": each.requirement.metric,
            "slice": each.requirement.part or None,
            "mean": each.mean,
            "n": each.n,
            "questions": each.of,
            "failed": each.failed,
            "delta": asdict(each.delta) if each.delta else None,
        }
        for each in findings
    ]


def requirements_table(findings: Sequence[JudgedRequirement]) -> Table:
    """The findings as a table."""
    rows = ((row.requirement, Cell(row.shown, row.outcome), row.why) for row in requirement_rows(findings))
    return make_table(("requirement", Column("", whole=True), "why"), rows)


def why_words(finding: JudgedRequirement) -> str:
    """What the outcome rests on, in one sentence with its numbers."""
    return f"{_capital(_reason(finding))}. {_counted(finding)}."


def _reason(finding: JudgedRequirement) -> str:
    wanted = finding.requirement.wanted
    if finding.reason == "failed":
        return f"{finding.failed} of {finding.of} questions failed to be answered or judged, too many to pass"
    if finding.reason == "stopped":
        return "the run was stopped early: the questions left out could tip it"
    if finding.reason == "not scored":
        return "no question was scored"
    return _level(finding, wanted) if isinstance(wanted, Level) else _change(finding, wanted)


def _level(finding: JudgedRequirement, wanted: Level) -> str:
    digits = 2 if abs((finding.mean or 0.0) - wanted.bound) >= 0.005 else 4
    unit = all_metrics()[finding.requirement.metric].unit
    return f"{wanted.side} has {plain(finding.mean, digits)}{f' {unit}' if unit else ''}"


def _change(finding: JudgedRequirement, wanted: NotWorse) -> str:
    delta = finding.delta
    assert delta is not None, "a change is judged from its delta"
    change = f"B − A is {signed(delta.mean, 3)}"
    could = f", and could be {interval_words(delta, 3, ' to ')}" if delta.ci95 else ""
    higher = all_metrics()[finding.requirement.metric].higher_is_better
    limit = f"{MINUS if higher else '+'}{wanted.margin or 0:g}"
    return {
        "none worse": "B is worse on no question",
        "better": f"B is better: {change}{could}",
        "worse": f"B is worse: {change}{could}",
        "not shown": f"not shown to be worse: {change}{could}",
        "not lower": f"on average B is not worse: {change}{could}",
        "inside margin": f"{change}{could}: all of it within {limit}",
        "beyond margin": f"{change}{could}: all of it beyond {limit}",
        "across margin": f"{change}{could}: {limit} lies inside, so more questions are needed",
        "no interval": f"{change}, and so few questions leave open what it could be",
        "few differ": f"{change}, but only {differ_words(delta.differing)}, and a test needs {MIN_DIFFERING}",
        "few scored": f"too little was scored: a test needs {MIN_DIFFERING} questions",
    }[finding.reason]


def _counted(finding: JudgedRequirement) -> str:
    where = f" in {finding.requirement.part}" if finding.requirement.part else ""
    failed = f", {finding.failed} failed" if finding.failed and finding.reason != "failed" else ""
    return f"Scored: {finding.n} of {finding.of} question{'' if finding.of == 1 else 's'}{where}{failed}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
