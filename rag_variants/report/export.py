"""Comparison or run → JSON, CSV, Markdown and HTML files."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from rag_variants.errors import UserError
from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.gates.gates import JudgedRequirement
from rag_variants.evaluation.reasons.critical import critical_questions
from rag_variants.evaluation.recording import recorded_answers
from rag_variants.evaluation.runs import Run, ScoredRecord
from rag_variants.pipeline.answer.recordings import print_recording
from rag_variants.pipeline.spec import print_variant
from rag_variants.questions.writer import QUESTION_COLUMNS, question_cells
from rag_variants.report.calls import cost_lines
from rag_variants.report.critical import critical_lines, critical_sentence
from rag_variants.report.document import comparison_document
from rag_variants.report.faults import fault_lines
from rag_variants.report.markdown import shown_as_typed
from rag_variants.report.remarks import remark_lines
from rag_variants.report.requirements import requirements_sentence, requirements_table
from rag_variants.report.table import effort_table, metric_rows, metrics_table
from rag_variants.report.tables import csv_text, markdown_table
from rag_variants.report.words import (
    headline_sentence,
    not_scored_sentences,
    settings_sentence,
    text_read_sentence,
    trust_sentence,
)
from rag_variants.storage.run_documents import run_document, to_json
from rag_variants.whole_files import write_whole

_DIGITS = 9  # beyond them a difference of two floats is rounding


class ExportError(UserError):
    """A file that results should go to cannot be written."""


def comparison_csv(comparison: Comparison, findings: Sequence[JudgedRequirement] = ()) -> str:
    """A line a question: what is known of it, both answers, and every metric's A, B and B − A with the reasons.

    An empty cell is "not scored". Findings have no place in it. The file is read back as a question file.
    """
    names = comparison.a.metrics
    header = [*QUESTION_COLUMNS, "a_answer", "b_answer", "a_kind", "b_kind"]
    header += [f"{name}_{part}" for name in names for part in ("a", "b", "delta", "a_reason", "b_reason")]
    lines = (
        [
            *_about(left),
            *(_answer(row) for row in (left, right)),
            *(_kind(row) for row in (left, right)),
            *(cell for name in names for cell in _cells(left, right, name)),
        ]
        for left, right in comparison.pairs
    )
    return csv_text(header, lines)


def run_csv(run: Run) -> str:
    """A line a question: what is known of it, the answer, and every metric's value with its reason."""
    header = [*QUESTION_COLUMNS, "answer", "kind_of_answer"]
    header += [f"{name}{part}" for name in run.metrics for part in ("", "_reason")]
    lines = (
        [
            *_about(row),
            _answer(row),
            _kind(row),
            *(cell for name in run.metrics for cell in (_number(_value(row, name)), _reason(row, name))),
        ]
        for row in run.rows
    )
    return csv_text(header, lines)


def comparison_markdown(comparison: Comparison, findings: Sequence[JudgedRequirement] = ()) -> str:
    """The result as Markdown, for a pull request or a wiki; what runs do not share comes before any number."""
    a, b = print_variant(comparison.a.variant), print_variant(comparison.b.variant)
    lines = [f"## `{a}` → `{b}`", ""]
    lines += [f"> {shown_as_typed(warning)}\n" for warning in comparison.warnings]
    lines += [*_requirements(findings), ""] if findings else []
    lines += [f"**{headline_sentence(comparison)}**", "", trust_sentence(comparison), ""]
    lines += [each for each in (settings_sentence(comparison), text_read_sentence(comparison)) if each]
    lines += [f"> {line}" for line in fault_lines([("A", comparison.a), ("B", comparison.b)])]
    lines += ["", *markdown_table(metrics_table(comparison))]
    remarks = remark_lines([(row.label, row.remarks) for row in metric_rows(comparison)])
    if remarks:
        lines += ["", "<details><summary>How far to trust each row</summary>", ""]
        lines += [f"- {shown_as_typed(line)}" for line in remarks]
        lines += ["", "</details>"]
    critical = critical_questions(comparison)
    if critical:
        lines += ["", f"**{shown_as_typed(critical_sentence(critical))}**", ""]
        lines += [f"- {shown_as_typed(line)}" for line in critical_lines(critical)]
    lines += ["", *markdown_table(effort_table(comparison))]
    lines += ["", *(f"- {line}" for line in cost_lines([("A", comparison.a), ("B", comparison.b)]))]
    lines += ["", *(shown_as_typed(sentence) for sentence in not_scored_sentences(comparison))]
    knowledge, questions = comparison.a.knowledge, comparison.a.questions
    names = [shown_as_typed(each.name) for each in (knowledge, questions)]
    lines += [
        "",
        f"{names[0]}: {knowledge.count} documents ({knowledge.fingerprint}) · {names[1]}: "
        f"{questions.count} questions ({questions.fingerprint}) · seed {comparison.a.seed}",
        "",
    ]
    return "\n".join(lines)


def _requirements(findings: Sequence[JudgedRequirement]) -> list[str]:
    return [f"**{requirements_sentence(findings)}**", "", *markdown_table(requirements_table(findings))]


def _json(comparison: Comparison, findings: Sequence[JudgedRequirement] = ()) -> str:
    return to_json(comparison_document(comparison, findings))


def _html(comparison: Comparison, findings: Sequence[JudgedRequirement] = ()) -> str:
    from rag_variants.report.page import comparison_html  # with Altair, which the other formats do without

    return comparison_html(comparison, findings)


# What writes a comparison, with or without the findings of a gate, by the ending of the file.
COMPARISON_FORMATS: dict[str, Callable[..., str]] = {
    ".json": _json,
    ".csv": comparison_csv,
    ".md": comparison_markdown,
    ".html": _html,
}
RUN_FORMATS: dict[str, Callable[[Run], str]] = {
    ".json": lambda run: to_json(run_document(run)),
    ".csv": run_csv,
    ".jsonl": lambda run: print_recording(recorded_answers(run)),
}


def check_targets(paths: Sequence[Path], known: Sequence[str] = tuple(COMPARISON_FORMATS)) -> None:
    """Nothing, if every path has a known ending and a folder. Raises ExportError before any work is done."""
    for path in paths:
        if path.suffix.lower() not in known:
            raise ExportError(f"{path} has no known ending. Use one of: {', '.join(known)}.")
        if not path.absolute().parent.is_dir():
            raise ExportError(f"The folder of {path} does not exist. Make it first.")
        if path.is_dir():
            raise ExportError(f"{path} is a folder. Name a file.")
        if not os.access(path.absolute().parent, os.W_OK):
            raise ExportError(f"The folder of {path} cannot be written. Choose another place.")


def write_text(path: Path, text: str) -> None:
    """Writes a whole file or nothing. Raises ExportError."""
    try:
        write_whole(path, text)
    except OSError as error:
        raise ExportError(f"{path} cannot be written ({error.strerror}). Choose another place.") from error


def _about(row: ScoredRecord) -> list[str]:
    return list(question_cells(row.record.question))


def _answer(row: ScoredRecord) -> str:
    return row.record.answer.text if row.record.answer else row.record.error or ""


def _kind(row: ScoredRecord) -> str:
    """What kind of answer it is: `declined`, `simulated`, `failed`, or nothing for an ordinary one."""
    answer = row.record.answer
    if answer is None:
        return "failed" if row.record.error else ""
    return "simulated" * answer.simulated or "declined" * answer.declined


def _cells(left: ScoredRecord, right: ScoredRecord, name: str) -> list[str]:
    a, b = _value(left, name), _value(right, name)
    delta = None if a is None or b is None else b - a
    return [*map(_number, (a, b, delta)), _reason(left, name), _reason(right, name)]


def _value(row: ScoredRecord, name: str) -> float | None:
    score = row.scores.get(name)
    return score.value if score else None


def _number(value: float | None) -> str:
    return "" if value is None else repr(round(value, _DIGITS))


def _reason(row: ScoredRecord, name: str) -> str:
    score = row.scores.get(name)
    return (score.error or score.reason or "") if score else ""
