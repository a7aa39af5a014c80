"""Lessons that were run → the table of `make lessons`."""

from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from rag_variants.lessons.course import Taught
from rag_variants.lessons.outcome import LessonOutcome, MetricFinding
from rag_variants.pipeline.spec import print_variant
from rag_variants.report.tables import Cell, Column, make_table, terminal_table
from rag_variants.report.words import plain, signed
from rag_variants.version import __version__

SCHEMA = "rag-variants/lessons/1"


def course_view(course: Sequence[Taught], asked: int) -> RenderableType:
    """One line a lesson: A → B on the watched metric, the verdict, what the others did, seconds.

    `asked` is how many were to be run; the summary says so if it was interrupted.
    """
    columns = [Column(name, whole=True) for name in ("lesson", "A → B", "watched metric")]
    columns += [Column(name, number=True, whole=True) for name in ("Δ", "n")]
    columns += [Column("verdict"), Column("the others"), Column("s", number=True, whole=True)]
    table = terminal_table(make_table(columns, map(_cells, course)))
    lost = [each for each in course if not each.holds]
    notes = [Text(f"{each.lesson.id}: {why_not(each)}", style="bold red") for each in lost]
    total = sum(each.seconds for each in course)
    words = f"{len(course) - len(lost)} of {len(course)} lessons hold, {total:.0f} s"
    if len(course) < asked:
        words = f"Interrupted after {len(course)} of {asked} lessons. Of these, {words}"
    summary = Text(words, style="bold")
    return Group(table, Text(), *notes, summary)


def course_document(course: Sequence[Taught]) -> dict[str, Any]:
    """The lessons as JSON values, one object a lesson; `findings` holds the watched metric first."""
    lessons = [
        {
            "id": each.lesson.id,
            "a": print_variant(each.lesson.a),
            "b": print_variant(each.lesson.b),
            "questions": str(each.lesson.part),
            "holds": each.holds,
            "problem": each.problem,
            "findings": _findings(each.outcome) if each.outcome else [],
            "seconds": round(each.seconds, 2),
        }
        for each in course
    ]
    return {"schema": SCHEMA, "version": __version__, "lessons": lessons}


def why_not(taught: Taught) -> str:
    """Why a lesson does not show what it was written for, as a sentence."""
    if taught.outcome is None:
        return taught.problem or "it was stopped before its first question"
    return "; ".join(
        f"{finding.metric} was to be {finding.expected} and is {finding.found}" for finding in taught.outcome.broken
    ) + _encoder_words(taught)


def _encoder_words(taught: Taught) -> str:
    other = taught.lesson.other_encoder()
    return f" (verified with {taught.lesson.encoder}; here {other} is used)" if other else ""


def _cells(taught: Taught) -> tuple[Cell | str, ...]:
    name = Cell(taught.lesson.id, "" if taught.holds else "lost")
    seconds = f"{taught.seconds:.1f}"
    if taught.outcome is None:
        return (name, "–", taught.lesson.metric, "–", "–", taught.problem or "stopped", "", seconds)
    outcome, (first, *others) = taught.outcome, taught.outcome.findings
    compared = outcome.comparison.metrics[first.metric]
    values = f"{plain(compared.a.mean)} → {plain(compared.b.mean)}"
    shown = Cell(first.found + (" (fragile)" if compared.delta.fragile else ""), "" if first.holds else "lost")
    did = Cell(
        ", ".join(_other(outcome, each) for each in others), "" if all(each.holds for each in others) else "lost"
    )
    return (name, values, first.metric, signed(compared.delta.mean), str(compared.delta.n), shown, did, seconds)


def _other(outcome: LessonOutcome, finding: MetricFinding) -> str:
    delta = outcome.comparison.metrics[finding.metric].delta
    return f"{finding.metric} {signed(delta.mean)} {finding.found}"


def _findings(outcome: LessonOutcome) -> list[dict[str, Any]]:
    return [_finding(outcome, finding) for finding in outcome.findings]


def _finding(outcome: LessonOutcome, finding: MetricFinding) -> dict[str, Any]:
    compared = outcome.comparison.metrics[finding.metric]
    return {
        "metric": finding.metric,
        "expected": finding.expected,
        "found": finding.found,
        "a": compared.a.mean,
        "b": compared.b.mean,
        "delta": compared.delta.mean,
        "n": compared.delta.n,
        "fragile": compared.delta.fragile,
    }
