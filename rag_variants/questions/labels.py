"""A file → judge labels: statements of which people said whether a text supports them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from rag_variants.corpus.knowledge import Skipped
from rag_variants.errors import QuestionsError
from rag_variants.questions.rows import first_reasons, read_rows
from rag_variants.questions.shapes import LabelShape, sentence

_OTHER_NAMES = {
    "context": ("contexts", "retrieved_contexts", "source"),
    "statement": ("claim", "sentence"),
    "supported": ("verdict", "label"),
    "question": ("user_input",),
}


@dataclass(frozen=True, slots=True)
class JudgeLabel:
    """A statement with the context it was read in and a person's word on whether the context supports it."""

    id: str
    context: str
    statement: str
    supported: bool
    metric: str = "faithfulness"
    question: str | None = None
    language: str | None = None
    kind: str | None = None


@dataclass(frozen=True, slots=True)
class LabelFile:
    """The labels of a file in order, and the lines that cannot be used, each with its reason."""

    labels: tuple[JudgeLabel, ...]
    skipped: tuple[Skipped, ...] = ()


def load_labels(path: Path) -> tuple[JudgeLabel, ...]:
    """The labels of a .jsonl, .json, .csv or .tsv file, in order.

    Raises QuestionsError if any line is broken, naming the first ones: an agreement over fewer labels than the file
    holds would be another number.
    """
    found = read_labels(path)
    if found.skipped:
        raise QuestionsError(
            f"{path} holds labels that cannot be used. {first_reasons(found.skipped)} Mend these lines."
        )
    return found.labels


def read_labels(path: Path) -> LabelFile:
    """As `load_labels`, but broken lines are left out and named. Raises QuestionsError if there is nothing to read."""
    table = read_rows(path)
    skipped = list(table.skipped)
    labels: dict[str, JudgeLabel] = {}
    for row in table.rows:
        try:
            shape = LabelShape.model_validate(_named(row.values))
        except ValidationError as error:
            skipped.append(Skipped(row.place, sentence(error, {})))
            continue
        label = JudgeLabel(**{**shape.model_dump(), "id": shape.id or str(row.number)})
        if label.id in labels:
            skipped.append(Skipped(row.place, f"the id {label.id[:60]!r} is there already; give it another"))
            continue
        labels[label.id] = label
    return LabelFile(tuple(labels.values()), tuple(skipped))


def _named(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row by the own names of its columns, without blanks."""
    columns = {column.strip().lower(): value for column, value in row.items() if value not in (None, "")}
    for name, others in _OTHER_NAMES.items():
        for other in others:
            if name not in columns and other in columns:
                columns[name] = columns[other]
    if isinstance(columns.get("context"), list):
        columns["context"] = "\n\n".join(map(str, columns["context"]))
    return columns
