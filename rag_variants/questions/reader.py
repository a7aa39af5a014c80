"""A file → a set of questions."""

from collections.abc import Iterator
from pathlib import Path

from rag_variants.corpus.knowledge import Skipped
from rag_variants.errors import QuestionsError
from rag_variants.questions.columns import Columns, read_columns
from rag_variants.questions.entries import EntryError, read_entry
from rag_variants.questions.rows import nothing_read, read_rows
from rag_variants.questions.sets import QuestionSet
from rag_variants.questions.table import Table, named_places
from rag_variants.types import Question


def load_questions(path: Path, name: str | None = None) -> QuestionSet:
    """The questions of a .jsonl, .json, .csv or .tsv file, with what was left out and how columns were read.

    One bad row takes no other down. Raises QuestionsError if there is no file, no question column or no question.
    """
    table = read_rows(path)
    columns = read_columns(table.columns)
    if "user_input" not in columns.sources:
        found = ", ".join(each[:60] for each in table.columns) or "none"
        raise QuestionsError(
            f"{path} has no column for the question; columns found: {found}. Name one of them user_input or question."
        )
    questions, left_out, decided = _read_all(table, columns)
    skipped = tuple(sorted((*table.skipped, *left_out), key=_place))
    if not questions:
        raise QuestionsError(nothing_read(path, skipped, table.columns))
    notes = (*table.notes, *columns.notes, *decided)
    return QuestionSet(name or Path(path).name, tuple(questions), skipped, notes)


def _place(skipped: Skipped) -> int:
    return int(skipped.name.split()[-1])


def _read_all(table: Table, columns: Columns) -> tuple[list[Question], list[Skipped], list[str]]:
    """Questions, rows left out, and what was decided beyond the names of columns."""
    given = {str(columns.value(row.values, "id")).strip() for row in table.rows}
    questions: list[Question] = []
    skipped: list[Skipped] = []
    joined: list[str] = []
    at_odds: list[str] = []
    places: dict[str, str] = {}
    for row in table.rows:
        number = str(row.number)
        try:
            entry = read_entry(row, columns, number if number not in given else f"row {number}")
        except EntryError as error:
            skipped.append(Skipped(row.place, str(error)))
            continue
        question = entry.question
        if question.id in places:
            reason = f"its id {question.id[:60]!r} is that of {places[question.id]}; give it another"
            skipped.append(Skipped(row.place, reason))
            continue
        places[question.id] = row.place
        questions.append(question)
        joined += [row.place] * entry.joined_reference
        at_odds += [row.place] * (question.answerable is False and bool(question.evidence))
    return questions, skipped, list(_decided(columns, joined, at_odds))


def _decided(columns: Columns, joined: list[str], at_odds: list[str]) -> Iterator[str]:
    """What was decided beyond the names of columns."""
    if joined:
        yield f"several references of one row are joined with a blank ({named_places(joined)})"
    if at_odds:
        yield f"answerable is false and evidence is given all the same; one of them is wrong ({named_places(at_odds)})"
    if "evidence" in columns.sources and columns.sources.keys() & {"reference_contexts", "reference_context_ids"}:
        yield "reference contexts are used only in rows without evidence"
    if "reference_contexts" in columns.sources:
        yield "reference_contexts → evidence: each text is a quote, in a group of its own"
    elif "reference_context_ids" in columns.sources:
        yield "reference_context_ids → evidence: each names a whole document, by path or file name without ending"
