"""Questions → JSONL in the product's own format."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from rag_variants.errors import QuestionsError
from rag_variants.types import Evidence, Question


def as_lines(questions: Iterable[Question]) -> Iterator[str]:
    """One JSON object a question, without line end; reading them back gives equal questions."""
    for question in questions:
        yield json.dumps(_entry(question), ensure_ascii=False)


def write_questions(questions: Iterable[Question], path: Path) -> None:
    """A .jsonl file of the questions. Raises QuestionsError if it cannot be written."""
    try:
        Path(path).write_text("".join(f"{line}\n" for line in as_lines(questions)), encoding="utf-8", newline="\n")
    except (OSError, ValueError) as error:
        raise QuestionsError(f"{path} cannot be written ({error}). Choose another place.") from error


# The columns of a question in a table, by the names that `_entry` gives.
QUESTION_COLUMNS = (
    "id", "user_input", "reference", "answerable", "evidence", "reference_context_ids", "answer_keys", "avoid", "traps",
    "tags",
)  # fmt: skip


def question_cells(question: Question) -> Iterator[str]:
    """The cells of a question, one for each of QUESTION_COLUMNS: texts as they are, what has parts as JSON."""
    entry = _entry(question)
    for name in QUESTION_COLUMNS:
        value = entry.get(name)
        yield "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _entry(question: Question) -> dict[str, Any]:
    entry: dict[str, Any] = {"id": question.id, "user_input": question.user_input, "reference": question.reference}
    if question.answerable is not None:
        entry["answerable"] = question.answerable
    whole = [each.document for each in question.evidence if not each.quote]
    quoted = [_evidence(each) for each in question.evidence if each.quote]
    entry |= {"evidence": quoted} if quoted else {"reference_context_ids": whole} if whole else {}
    if question.answer_keys:
        entry["answer_keys"] = [list(each) for each in question.answer_keys]
    if question.avoid:
        entry["avoid"] = list(question.avoid)
    if question.traps:
        entry["traps"] = [{"document": each.document, "quote": each.quote, "why": each.why} for each in question.traps]
    if question.tags:
        entry["tags"] = dict(question.tags)
    return entry


def _evidence(evidence: Evidence) -> dict[str, Any]:
    entry: dict[str, Any] = {"document": evidence.document, "quote": evidence.quote, "group": evidence.group}
    return entry if evidence.key is None else entry | {"key": evidence.key}
