"""One row of a file → a question."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from typing import Any

from pydantic import ValidationError

from rag_variants.questions.cells import read_list
from rag_variants.questions.columns import Columns, is_blank, meaning
from rag_variants.questions.shapes import EvidenceShape, QuestionShape, as_path, sentence
from rag_variants.questions.table import TableRow
from rag_variants.types import Evidence, Question, Trap

_OWN = ("id", "user_input", "answerable", "evidence", "answer_keys", "avoid", "traps", "tags")


class EntryError(ValueError):
    """A row that is no question; the message names the column and what to write."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A question with what was decided while reading it."""

    question: Question
    joined_reference: bool = False


def read_entry(row: TableRow, columns: Columns, default_id: str) -> Entry:
    """The question in a row. Raises EntryError."""
    values = {name: columns.value(row.values, name) for name in _OWN}
    tags = {tag: row.values.get(column) for tag, column in columns.tags().items()}
    several = _references(row, columns)
    values |= {"reference": " ".join(several) if several else None, "tag_columns": tags}
    if is_blank(values["evidence"]):
        values["evidence"] = _from_contexts(row, columns)
    try:
        shape = QuestionShape.model_validate({name: each for name, each in values.items() if not is_blank(each)})
    except ValidationError as error:
        names = {name: columns.source(row.values, name) for name in (*_OWN, "reference")}
        raise EntryError(sentence(error, names)) from error
    question = Question(
        id=shape.id or default_id,
        user_input=shape.user_input,
        reference=shape.reference,
        answerable=shape.answerable,
        evidence=_grouped(shape.evidence) or _whole_documents(row, columns),
        answer_keys=tuple(tuple(each) for each in shape.answer_keys),
        avoid=tuple(shape.avoid),
        traps=tuple(Trap(trap.document, trap.quote, trap.why) for trap in shape.traps),
        tags=tuple(sorted({**shape.tag_columns, **shape.tags}.items())),
    )
    return Entry(question, len(several) > 1)


def _references(row: TableRow, columns: Columns) -> tuple[str, ...]:
    """The right answers of a row; only a list or a column of several may hold more than one."""
    source = columns.source(row.values, "reference")
    value = row.values.get(source)
    if is_blank(value):
        return ()
    if isinstance(value, str) and not (meaning(source) == "reference" and source.strip().lower().endswith("s")):
        return (value,)
    texts = read_list(value) if isinstance(value, str) else _texts(value)
    if texts is None:
        raise EntryError(f"{source} is {str(value)[:60]!r}; write one text")
    return tuple(text for text in texts if text.strip())


def _texts(value: Any) -> tuple[str, ...] | None:
    """The texts of a JSON list or a cell, or None if it holds anything else."""
    if value is None or isinstance(value, str):
        return read_list(value) or ()
    if isinstance(value, list) and all(each is None or isinstance(each, str) for each in value):
        return tuple(each for each in value if each is not None)
    return None


def _from_contexts(row: TableRow, columns: Columns) -> list[dict[str, str]]:
    """Evidence from ragas' reference contexts: each text is a quote, from the document of the id beside it."""
    contexts = _texts(columns.value(row.values, "reference_contexts"))
    ids = _texts(columns.value(row.values, "reference_context_ids"))
    if contexts is None or ids is None:
        raise EntryError("reference_contexts and reference_context_ids are not lists of texts; write JSON lists")
    documents: Iterable[str] = ids if len(ids) == len(contexts) else [""] * len(contexts)
    return [{"document": name, "quote": quote} for name, quote in zip(documents, contexts, strict=True)]


def _whole_documents(row: TableRow, columns: Columns) -> tuple[Evidence, ...]:
    """Evidence from ids alone: each names a whole document, by its path or its file name without ending."""
    ids = _texts(columns.value(row.values, "reference_context_ids")) or ()
    return tuple(Evidence(as_path(name), "", group) for group, name in enumerate(ids, 1) if name.strip())


def _grouped(evidence: list[EvidenceShape]) -> tuple[Evidence, ...]:
    """Evidence with its groups; an entry without one gets the next number that nobody uses."""
    taken = {each.group for each in evidence}
    free = (number for number in count(1) if number not in taken)
    return tuple(
        Evidence(each.document, each.quote, next(free) if each.group is None else each.group, each.key)
        for each in evidence
    )
