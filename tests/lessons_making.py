"""A small base whose lesson is known by construction: every question needs two documents, and top_k decides."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

NAMES = ("amber", "birch", "cedar", "delta", "ember", "flint", "grove", "heath", "ivory", "jasper", "kelp", "lotus")


def texts_of(english: str) -> dict[str, str]:
    """A text in three languages."""
    return {"en": english, "pl": f"{english} (pl)", "zh": f"{english}（中）"}


def lesson_line(id_: str = "two-places", **changes: Any) -> dict[str, Any]:
    """One line of a lesson file: a second chunk brings the second piece of evidence."""
    line: dict[str, Any] = {
        "id": id_,
        "chapter": texts_of("More chunks"),
        "a": "keyword:top_k=1",
        "b": "keyword:top_k=2",
        "questions": {"tags": {"lesson": "two"}},
        "metric": "evidence_recall",
        "direction": "better",
        "others": {"hit_rate": "not shown"},
        "minutes": 4,
        "show": "amber",
        "title": texts_of("One more chunk"),
        "story": texts_of("A reads one chunk, B two."),
        "ask": texts_of("Where does recall go?"),
        "takeaway": texts_of("Two places need two chunks."),
        "explain": texts_of("Half of the evidence stood in the second chunk."),
    }
    return {**line, **changes}


def write_lessons(folder: Path, lines: Sequence[object]) -> Path:
    """Writes a lesson file; texts are written as they are, anything else as JSON."""
    written = [line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines]
    path = folder / "lessons.jsonl"
    path.write_text("\n".join(written) + "\n", encoding="utf-8")
    return path


def write_lesson_base(folder: Path) -> tuple[Path, Path]:
    """Documents and questions on disk: for each name one document with its weight and one with its price."""
    documents = folder / "documents"
    documents.mkdir(parents=True)
    questions = []
    for at, name in enumerate(NAMES):
        weight, price = f"The {name} sensor weighs {at + 20} grams.", f"The {name} sensor costs {at + 70} euros."
        (documents / f"{name}-weight.md").write_text(weight, encoding="utf-8")
        (documents / f"{name}-price.md").write_text(price, encoding="utf-8")
        questions.append(
            {
                "id": name,
                "user_input": f"How much does the {name} sensor weigh and what does the {name} sensor cost?",
                "reference": f"It weighs {at + 20} grams and costs {at + 70} euros.",
                "evidence": [
                    {"document": f"{name}-weight.md", "quote": weight, "group": 1},
                    {"document": f"{name}-price.md", "quote": price, "group": 2},
                ],
                "tags": {"lesson": "two", "kind": "multi_hop"},
            }
        )
    file = folder / "questions.jsonl"
    file.write_text("".join(json.dumps(each) + "\n" for each in questions), encoding="utf-8")
    return documents, file
