"""Files of December 2026, before pydantic read them: they open, hold what they held, and are written again alike."""

import gzip
import json
import shutil
from pathlib import Path

import pytest

from rag_variants.llm.calls import Calls
from rag_variants.report.document import comparison_document
from rag_variants.report.reading import ReadComparison, load_result
from rag_variants.storage.run_documents import run_document, to_json
from rag_variants.storage.run_files import load_run
from rag_variants.storage.saved_runs import SavedRuns

FOLDER = Path(__file__).parents[2] / "fixtures" / "runs"
RUNS = ("plain.json", "expanded.json", "parents.json", "simulated.json", "judged.json.gz")


def text_of(name):
    content = (FOLDER / name).read_bytes()
    return (gzip.decompress(content) if name.endswith(".gz") else content).decode("utf-8")


# Settings that came after the files were written: read as their defaults, and written as every setting is.
LATER = {"formula": "okapi", "vectors_in": "exact", "ef_search": 100, "max_neighbors": 16}


def without_later(text):
    """A file without the settings that came later; each of them has its default in it."""
    document = json.loads(text)
    for side in ("a", "b"):
        settings = document.get(side, {}).get("settings", {})
        assert all(settings.pop(name, default) == default for name, default in LATER.items())
    return to_json(document)


@pytest.mark.parametrize("name", RUNS)
def test_a_run_is_written_again_as_it_was(name):
    assert without_later(to_json(run_document(load_run(FOLDER / name)))) == text_of(name)


def test_a_comparison_is_written_again_as_it_was():
    read = load_result(FOLDER / "comparison.json")
    assert isinstance(read, ReadComparison)
    assert without_later(to_json(comparison_document(read.comparison, read.findings))) == text_of("comparison.json")


@pytest.mark.parametrize("name", RUNS)
def test_a_run_holds_the_values_of_its_file(name):
    document, run = json.loads(text_of(name)), load_run(FOLDER / name)
    assert len(run.rows) == len(document["rows"]) == 3
    for row, kept in zip(run.rows, document["rows"], strict=True):
        record, side = row.record, kept["a"]
        assert [hit.chunk.id for hit in record.ranking] == [each["chunk_id"] for each in side["ranking"]]
        assert [hit.chunk.text for hit in record.hits] == [each["text"] for each in side["hits"]]
        assert [(part, each.share) for hit in record.ranking for part, each in hit.parts] == [
            (part, each["share"]) for hit in side["ranking"] for part, each in hit["parts"].items()
        ]
        assert {name: score.value for name, score in row.scores.items()} == {
            name: score["value"] for name, score in side["scores"].items()
        }
        assert record.answer is not None
        assert (record.answer.text, list(record.answer.citations)) == (side["answer"], side["citations"])
        assert record.question.tags == tuple(kept["tags"].items())


def test_what_only_some_runs_have_is_there():
    expanded, parents = load_run(FOLDER / "expanded.json"), load_run(FOLDER / "parents.json")
    terms = [row.record.expansion.terms for row in expanded.rows if row.record.expansion]
    assert len(terms) == 3
    assert all(isinstance(weight, float) for each in terms for _, weight in each)
    assert {setting for row in parents.rows for _, setting in row.record.passed_over} == {"mmr"}
    simulated = load_run(FOLDER / "simulated.json")
    answers = [row.record.answer for row in simulated.rows]
    assert all(answer and answer.simulated for answer in answers)
    assert any(answer.faults for answer in answers if answer)


def test_calls_and_noise_of_a_judge_elsewhere_are_there():
    run = load_run(FOLDER / "judged.json.gz")
    # 3 questions answered by a model without a price, a token read and a token written for each of its calls
    assert run.calls.answers == Calls(3, 0, 0, 3, 3, None)
    assert run.calls.judge == Calls(99, 0, 0, 99, 99, None)
    assert run.noise["faithfulness"].times == 3


def test_a_note_of_a_saved_run_is_read(tmp_path):
    key = json.loads(text_of("judged.note.json"))["id"]
    shutil.copy(FOLDER / "judged.json.gz", tmp_path / f"{key}.json.gz")
    note = tmp_path / f"{key}.note.json"
    shutil.copy(FOLDER / "judged.note.json", note)
    saved = SavedRuns(tmp_path, 3)
    ((read,), problems) = saved.notes()
    assert problems == ()
    note.unlink()
    assert saved.notes() == ((read,), ()), "made of the run, the note is the same"
    saved.mark_baseline(key)
    saved.mark_baseline(None)
    assert note.read_text(encoding="utf-8") == text_of("judged.note.json")
