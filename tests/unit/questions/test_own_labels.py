"""Labels of one's own: a value, and a file that is whole or not there."""

from dataclasses import replace
from pathlib import Path

import pytest

from rag_variants.errors import QuestionsError, StateError
from rag_variants.questions.label_lines import labels_csv, labels_jsonl
from rag_variants.questions.labels import JudgeLabel, load_labels, read_labels
from rag_variants.questions.own_labels import OwnLabels, key_of_label, read_own_labels, write_own_labels

ONE = JudgeLabel("1", "The desk opens at 9.", "It opens at 9.", True, "faithfulness", "When?", "en", "lookup")
TWO = JudgeLabel("2", "- Łódź, 中文; =SUM(A1)", "=1+1", False, "context_precision", 'He said "no",\nthen left')
BARE = JudgeLabel("3", "text", "statement", True)


def test_a_second_label_on_the_same_takes_the_place_of_the_first() -> None:
    own = OwnLabels().add([ONE, TWO]).add([replace(ONE, id="other", supported=False)])
    assert [label.supported for label in own.labels] == [False, False]
    assert own.given[key_of_label(ONE)].supported is False
    assert len({label.id for label in own.labels}) == 2


def test_ids_are_made_of_what_a_label_is_about() -> None:
    """Two files may both count from 1: their labels do not meet."""
    own = OwnLabels().add([ONE, replace(TWO, id="1")])
    assert len(own.labels) == 2
    assert OwnLabels().add([replace(ONE, id="9", supported=False)]).labels[0].id == own.labels[0].id


def test_the_fingerprint_changes_with_a_verdict() -> None:
    assert OwnLabels().add([ONE]).fingerprint != OwnLabels().add([replace(ONE, supported=False)]).fingerprint


@pytest.mark.parametrize(("ending", "write"), [(".jsonl", labels_jsonl), (".csv", labels_csv)])
def test_written_labels_read_back_alike(tmp_path: Path, ending: str, write) -> None:
    path = tmp_path / f"labels{ending}"
    path.write_text(write([ONE, TWO, BARE]), encoding="utf-8", newline="")
    found = load_labels(path)
    assert [(key_of_label(each), each.supported, each.language, each.kind) for each in found] == [
        (key_of_label(each), each.supported, each.language, each.kind) for each in (ONE, TWO, BARE)
    ]


def test_no_cell_of_the_csv_is_a_formula() -> None:
    cells = [cell for line in labels_csv([TWO]).splitlines()[1:] for cell in line.split(",")]
    assert not [cell for cell in cells if cell.strip('"').startswith(("=", "-", "+", "@"))]


def test_what_is_kept_comes_back_and_belongs_to_its_documents(tmp_path: Path) -> None:
    own = OwnLabels().add([ONE, TWO])
    write_own_labels(tmp_path, "abc1", own)
    assert read_own_labels(tmp_path, "abc1") == own
    assert read_own_labels(tmp_path, "abc2") == OwnLabels()
    write_own_labels(tmp_path, "abc1", own.remove(own.given))
    assert read_own_labels(tmp_path, "abc1") == OwnLabels()


def test_a_write_that_fails_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = OwnLabels().add([ONE])
    write_own_labels(tmp_path, "abc1", own)

    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(StateError, match="No space left on device"):
        write_own_labels(tmp_path, "abc1", own.add([TWO]))
    assert read_own_labels(tmp_path, "abc1") == own


def test_a_broken_line_is_named_left_out_and_put_aside_before_the_next_write(tmp_path: Path) -> None:
    own = OwnLabels().add([ONE])
    write_own_labels(tmp_path, "abc1", own)
    path = tmp_path / "labels" / "abc1.jsonl"
    path.write_text(path.read_text(encoding="utf-8") + '{"statement": "cut o', encoding="utf-8")
    found = read_own_labels(tmp_path, "abc1")
    assert found.labels == own.labels
    assert [each.name for each in found.skipped] == ["line 2"]
    write_own_labels(tmp_path, "abc1", found.add([TWO]))
    assert "cut o" in path.with_suffix(".jsonl.broken").read_text(encoding="utf-8")
    assert len(read_own_labels(tmp_path, "abc1").labels) == 2


def test_bad_lines_of_a_file_are_named_and_good_ones_kept(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    lines = [labels_jsonl([ONE]), '{"context": "c", "statement": "s", "supported": "maybe"}\n', labels_jsonl([BARE])]
    path.write_text("".join(lines), encoding="utf-8")
    found = read_labels(path)
    assert [label.id for label in found.labels] == ["1", "3"]
    assert [each.name for each in found.skipped] == ["line 2"]
    with pytest.raises(QuestionsError, match="line 2"):
        load_labels(path)


def test_a_fingerprint_cannot_lead_out_of_the_folder(tmp_path: Path) -> None:
    with pytest.raises(QuestionsError, match="no fingerprint"):
        read_own_labels(tmp_path, "../../etc/passwd")
