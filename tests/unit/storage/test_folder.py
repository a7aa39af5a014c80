"""Runs that are kept: listed, named, found, thinned out, and never lost to a bad file."""

import dataclasses
import json

import pytest

from rag_variants.errors import StateError, UserError
from rag_variants.settings import Settings
from rag_variants.storage.run_documents import run_document, to_json
from rag_variants.storage.run_files import RunFileError
from rag_variants.storage.saved_runs import SavedRuns, open_saved, open_saved_runs, save_finished
from rag_variants.types import Score
from tests.unit.storage.test_run_files import make_run

RUN = make_run("keyword", "retrieval")
DAYS = [f"2026-01-{day:02}T00:00:00+00:00" for day in range(1, 30)]


def made(day, variant="keyword", **changes):
    """The run of another day; other scores make it another run."""
    row = RUN.rows[0]
    changed = dataclasses.replace(row, scores={**row.scores, "mrr": Score(day / 100)})
    rows = (changed, *RUN.rows[1:])
    return dataclasses.replace(RUN, created=DAYS[day], rows=rows, **changes)


@pytest.fixture
def kept(tmp_path):
    return SavedRuns(tmp_path / "runs", limit=3)


def test_a_kept_run_reads_back_equal_and_its_note_says_what_it_holds(kept):
    note = kept.save(RUN)
    assert to_json(run_document(kept.load(note.id))) == to_json(run_document(RUN))
    ((listed,), problems) = kept.notes()
    assert (listed, problems) == (note, ())
    assert (note.variant, note.answered, note.questions) == ("keyword", 3, RUN.questions)
    values = [row.scores["mrr"].value for row in RUN.rows if row.scores["mrr"].value is not None]
    assert note.means["mrr"] == (sum(values) / len(values), len(values))


def test_the_newest_is_first_and_the_oldest_nameless_goes(kept):
    notes = [kept.save(made(day)) for day in (1, 2, 3)]
    kept.rename(notes[0].id, "before")
    kept.mark_baseline(notes[1].id)
    later = [kept.save(made(day)) for day in (4, 5, 6, 7)]
    found = [note.id for note in kept.notes()[0]]
    # beside the named one and the baseline three remain: of 3, 4, 5, 6, 7 the days 5, 6, 7
    assert found == [each.id for each in (later[3], later[2], later[1], notes[1], notes[0])]
    assert not list(kept.folder.glob("*.part"))
    assert len(list(kept.folder.iterdir())) == 2 * 5


def test_the_same_run_again_takes_its_place_and_keeps_its_name(kept):
    first = kept.save(made(1))
    kept.rename(first.id, "mine")
    kept.mark_baseline(first.id)
    again = kept.save(dataclasses.replace(made(1), created=DAYS[9], seconds=99.0))
    ((only,), _) = kept.notes()
    assert only == again
    assert (only.id, only.name, only.baseline, only.created) == (first.id, "mine", True, DAYS[9])
    assert kept.save(dataclasses.replace(made(1), seed=8)).id != first.id


def test_a_run_is_found_by_name_by_id_and_as_the_baseline(kept):
    with pytest.raises(UserError, match="No run is kept yet"):
        kept.find("x")
    first, second = kept.save(made(1)), kept.save(made(2))
    kept.rename(first.id, "  two   words ")
    kept.mark_baseline(second.id)
    assert kept.find("two words").id == kept.find(first.id).id == first.id
    assert kept.find("baseline").id == second.id
    kept.mark_baseline(first.id)
    assert [note.baseline for note in kept.notes()[0]] == [False, True], "there is one"
    kept.mark_baseline(None)
    with pytest.raises(UserError, match="no kept run called 'baseline'"):
        kept.find("baseline")
    with pytest.raises(UserError, match="Did you mean two words"):
        kept.find("two word")


def test_a_name_stands_for_one_run(kept):
    first, second = kept.save(made(1)), kept.save(made(2))
    kept.rename(first.id, "mine")
    kept.rename(first.id, "mine")
    for name in ("mine", "baseline", first.id):
        with pytest.raises(UserError, match="is in use"):
            kept.rename(second.id, name)
    with pytest.raises(UserError, match="has 61 characters"):
        kept.rename(second.id, "x" * 61)
    kept.rename(first.id, "")
    kept.rename(second.id, "mine")
    assert kept.find("mine").id == second.id


def test_a_deleted_run_is_gone(kept):
    note = kept.save(RUN)
    kept.delete(note.id)
    kept.delete(note.id)
    assert list(kept.folder.iterdir()) == []
    for key in ("../x", "", "a/b", "a.b", "é"):
        with pytest.raises(UserError, match="is no id"):
            kept.delete(key)


def test_a_lost_or_broken_note_is_made_again_from_the_run(kept):
    note = kept.save(RUN)
    for text in ("", "{", "[]", '{"id": 1}', json.dumps({"means": {"mrr": 3}})):
        (kept.folder / f"{note.id}.note.json").write_text(text)
        assert kept.notes() == ((note,), ())
    (kept.folder / f"{note.id}.note.json").unlink()
    assert kept.find(note.id) == note


def test_a_broken_run_is_named_and_takes_no_other_down(kept):
    good = kept.save(made(1))
    (kept.folder / "bad.json.gz").write_bytes(b"\x1f\x8bnonsense")
    notes, (problem,) = kept.notes()
    assert [note.id for note in notes] == [good.id]
    assert "bad.json.gz is broken" in problem
    whole = (kept.folder / f"{good.id}.json.gz").read_bytes()
    (kept.folder / f"{good.id}.json.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(RunFileError, match=r"is broken .*Make the run again"):
        kept.load(good.id)


def test_a_folder_that_cannot_be_written_is_said(tmp_path):
    (tmp_path / "runs").write_text("a file")
    with pytest.raises(StateError, match="cannot be kept in"):
        SavedRuns(tmp_path / "runs", 3).save(RUN)


def test_only_what_is_complete_is_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("RAG_VARIANTS_HOME", str(tmp_path))
    monkeypatch.setenv("RAG_VARIANTS_RUNS_KEPT", "7")
    save_finished([dataclasses.replace(RUN, complete=False)], Settings())
    assert open_saved_runs(Settings()).notes() == ((), ())
    save_finished([RUN, made(1)], Settings())
    notes, _ = open_saved_runs(Settings()).notes()
    assert len(notes) == 2
    assert open_saved("keyword", Settings()) is None
    read = open_saved(f"run:{notes[0].id}", Settings())
    assert read is not None
    assert read.variant == RUN.variant
