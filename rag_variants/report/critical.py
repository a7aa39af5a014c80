"""Critical questions in words, lines and rows, apart from every mean."""

from typing import Any

from rag_variants.evaluation.reasons.critical import Critical, CriticalQuestion, ScoreChange
from rag_variants.metrics import all_metrics
from rag_variants.report.words import ARROWS, inside_sentence, plain, signed


def critical_sentence(critical: Critical) -> str:
    """How many critical questions there are, and which of them are worse on B."""
    if not critical.questions:
        return f"No question carries {critical.chosen}, so none is critical."
    count, lost = len(critical.questions), critical.regressed
    words = f"{count} critical question{'' if count == 1 else 's'} ({critical.chosen})"
    if not lost:
        return f"{words}: none is worse on B."
    verb = "is" if len(lost) == 1 else "are"
    return f"{words}: {len(lost)} {verb} worse on B: {', '.join(each.question.id for each in lost)}."


def change_cell(change: ScoreChange) -> str:
    """A metric of one question in a cell: `1.00 → 0.50  −0.50 ▼`, `1.00`, `not scored`."""
    if change.a is None and change.b is None:
        return "not scored"
    if change.delta is None:
        arrow = f" {ARROWS['worse']}" if change.regressed else ""
        return f"{_value(change.a)} → {_value(change.b)}{arrow}"
    if not change.delta:
        return plain(change.a)
    arrow = ARROWS["worse" if change.regressed else "better"]
    return f"{plain(change.a)} → {plain(change.b)}  {signed(change.delta)} {arrow}"


def critical_lines(critical: Critical) -> list[str]:
    """One line for every critical question that moved, those that are worse first, and how many did not move."""
    moved = sorted((each for each in critical.questions if each.moved), key=lambda each: not each.regressed)
    lines = [_line(each) for each in moved]
    still = len(critical.questions) - len(moved)
    if critical.questions:
        lines.append(f"{still} of {len(critical.questions)} without a change.")
    return lines


def critical_document(critical: Critical) -> dict[str, Any]:
    """The critical questions as plain data: values and deltas one by one, and the ids of those that are worse on B."""
    return {
        "chosen": critical.chosen,
        "regressed": [each.question.id for each in critical.regressed],
        "questions": {
            each.question.id: {
                change.metric: {"a": change.a, "b": change.b, "delta": change.delta, "worse": change.regressed}
                for change in each.changes
            }
            for each in critical.questions
        },
    }


def _line(question: CriticalQuestion) -> str:
    changes = [each for each in question.changes if each.delta or each.regressed]
    words = "; ".join(f"{inside_sentence(all_metrics()[each.metric].label)} {change_cell(each)}" for each in changes)
    return f"{ARROWS['worse'] if question.regressed else ARROWS['better']} {question.question.id}: {words}"


def _value(value: float | None) -> str:
    return "not scored" if value is None else plain(value)
