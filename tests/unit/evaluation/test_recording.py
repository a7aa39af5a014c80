"""A run that was kept as a recording is replayed word for word."""

from pathlib import Path

import pytest

from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.recording import recorded_answers, save_recording
from rag_variants.evaluation.run import run_variant
from rag_variants.metrics import choose_metrics
from rag_variants.pipeline import read_variant
from rag_variants.pipeline.answer.recording_lines import RecordingError
from rag_variants.pipeline.answer.recordings import load_recording
from rag_variants.questions.sets import QuestionSet
from rag_variants.report.export import RUN_FORMATS
from rag_variants.types import Question
from tests.making import bench

TEXTS = {
    "deposit.md": "The deposit for a studio is limited to 450 EUR. The desk is made of steel.",
    "gate.md": "Visitors park their cars behind the northern gate of the building.",
}
QUESTIONS = (Question("q1", "How much is the deposit for a studio?"), Question("q2", "Who painted the ceiling?"))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RAG_VARIANTS_HOME", str(tmp_path))
    return tmp_path


def make_run(variant: str):
    place = bench(TEXTS)
    plan = Plan(place.knowledge, QuestionSet("qs", QUESTIONS), choose_metrics("faithfulness"), today=place.today)
    return run_variant(read_variant(variant), plan, place)


def answers(run):
    return [row.record.answer for row in run.rows]


@pytest.mark.parametrize("style", ["embedded", "embedded:inventive,prompt=free,temperature=2"])
def test_a_run_is_replayed_with_its_key(home: Path, style: str):
    run = make_run(f"keyword:top_k=1,answerer={style}")
    path = save_recording(run, "kept", home, {"model": "m"})
    again = make_run("keyword:top_k=1,answerer=recorded:kept")
    assert path == home / "recorded" / "kept.jsonl"
    for before, after in zip(answers(run), answers(again), strict=True):
        assert (after.text, after.declined, after.citations) == (before.text, before.declined, before.citations)
        assert (after.simulated, after.faults, after.origin) == (before.simulated, before.faults, (("model", "m"),))
    assert again.versions["answerer"] == f"recorded:kept {load_recording(path).fingerprint}"


def test_other_chunks_are_no_replay(home: Path):
    save_recording(make_run("keyword:top_k=1"), "kept", home)
    again = make_run("keyword:top_k=1,chunk_size=50,chunk_overlap=0,answerer=recorded:kept")
    assert answers(again)[0] is None
    assert "from other chunks" in again.rows[0].record.error
    assert again.rows[0].scores["faithfulness"].error == again.rows[0].record.error


def test_an_answer_keeps_its_first_origin_and_a_row_without_one_is_left_out(home: Path):
    run = make_run("keyword:top_k=1")
    kept = recorded_answers(run)
    assert dict(kept[0].answer.origin)["variant"] == "keyword:top_k=1"
    save_recording(run, "kept", home, {"model": "m"})
    again = make_run("keyword:top_k=1,answerer=recorded:kept")
    assert recorded_answers(again, {"model": "other"})[0].answer.origin == (("model", "m"),)
    missing = make_run("keyword:top_k=1,chunk_size=50,chunk_overlap=0,answerer=recorded:kept")
    assert len(recorded_answers(missing)) == sum(answer is not None for answer in answers(missing)) < 2


def test_a_run_written_as_jsonl_is_a_recording(home: Path):
    run = make_run("keyword:top_k=1")
    path = home / "x.jsonl"
    path.write_text(RUN_FORMATS[".jsonl"](run), encoding="utf-8")
    assert load_recording(path).answers == recorded_answers(run)


def test_a_name_that_is_a_path_is_refused(home: Path):
    with pytest.raises(RecordingError, match="cannot name a recording"):
        save_recording(make_run("keyword"), "../x", home)


def test_a_broken_line_of_a_recording_is_a_note_of_the_run(home: Path):
    path = save_recording(make_run("keyword:top_k=1"), "kept", home)
    path.write_text(path.read_text(encoding="utf-8") + "{\n", encoding="utf-8")
    notes = make_run("keyword:top_k=1,answerer=recorded:kept").notes
    assert len(notes) == 1
    assert notes[0].startswith("Recording kept, line 3 left out: it is not JSON")
