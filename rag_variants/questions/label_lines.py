"""Judge labels → the lines of a file."""

import csv
import io
import json
from collections.abc import Iterable
from dataclasses import asdict

from rag_variants.questions.labels import JudgeLabel

_COLUMNS = ("id", "metric", "question", "context", "statement", "supported", "language", "kind")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet takes for a formula


def labels_jsonl(labels: Iterable[JudgeLabel]) -> str:
    """One JSON object a line; reading them back gives equal labels."""
    return "".join(f"{json.dumps(_entry(label), ensure_ascii=False)}\n" for label in labels)


def labels_csv(labels: Iterable[JudgeLabel]) -> str:
    """The same as CSV. A text that a spreadsheet would run as a formula gets a blank before it, which reading drops."""
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, _COLUMNS, lineterminator="\r\n")
    writer.writeheader()
    for label in labels:
        writer.writerow({name: _cell(value) for name, value in _entry(label).items()})
    return buffer.getvalue()


def _entry(label: JudgeLabel) -> dict[str, str | int]:
    values = {**asdict(label), "supported": int(label.supported)}
    return {name: values[name] for name in _COLUMNS if values[name] is not None}


def _cell(value: str | int) -> str | int:
    return f" {value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
