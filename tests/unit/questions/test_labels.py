"""Judge labels."""

from pathlib import Path

import pytest

from rag_variants.errors import QuestionsError
from rag_variants.questions.labels import JudgeLabel, load_labels


def load(folder: Path, content: str, name: str = "labels.jsonl") -> tuple[JudgeLabel, ...]:
    (folder / name).write_text(content, encoding="utf-8")
    return load_labels(folder / name)


def test_labels(tmp_path: Path) -> None:
    text = (
        '{"id": "l1", "metric": "context_recall", "question": "q", "context": " c ", "statement": "s", "supported": 1,'
        ' "language": "en", "kind": "verbatim"}\n{"context": "c", "statement": "s", "supported": 0}\n'
    )
    assert load(tmp_path, text) == (
        JudgeLabel("l1", " c ", "s", True, "context_recall", "q", "en", "verbatim"),
        JudgeLabel("2", "c", "s", False),
    )


def test_csv_and_other_names(tmp_path: Path) -> None:
    (label,) = load(tmp_path, "contexts;claim;verdict\na, b;NA;PRAWDA\n", "labels.csv")
    assert (label.context, label.statement, label.supported, label.metric) == ("a, b", "NA", True, "faithfulness")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"context": "c", "statement": "s"}', "line 2: supported is missing; write 1 or 0"),
        ('{"context": "c", "statement": "s", "supported": 2}', "line 2: supported: it is 2; write true or false"),
        ('{"statement": "s", "supported": 1}', "line 2: context is missing; write the text that was read"),
        ('{"context": "c", "statement": " ", "supported": 1}', "line 2: statement is missing; write the sentence"),
        ("{broken", "line 2: it is not JSON"),
        ('{"id": "a", "context": "c", "statement": "s", "supported": 1}', "line 2: the id 'a' is there already"),
    ],
)
def test_a_broken_label_is_an_error_that_names_it(tmp_path: Path, line: str, message: str) -> None:
    good = '{"id": "a", "context": "c", "statement": "s", "supported": 1}\n'
    with pytest.raises(QuestionsError, match=message):
        load(tmp_path, good + line)


def test_missing_and_empty_files(tmp_path: Path) -> None:
    with pytest.raises(QuestionsError, match="There is no file"):
        load_labels(tmp_path / "none.jsonl")
    with pytest.raises(QuestionsError, match="is empty"):
        load(tmp_path, "")
