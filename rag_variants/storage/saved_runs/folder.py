"""Runs in a folder: `ID.json.gz`, and beside it `ID.note.json` to list it by."""

import gzip
from dataclasses import replace
from pathlib import Path

from rag_variants.errors import StateError, UserError, unknown
from rag_variants.evaluation.runs import Run
from rag_variants.storage.run_documents import run_document, to_json
from rag_variants.storage.run_files import load_run
from rag_variants.storage.saved_runs.notes import SavedNote, make_note, print_note, read_note
from rag_variants.whole_files import write_whole

BASELINE = "baseline"
LONGEST_NAME = 60


class SavedRuns:
    """At most `limit` runs in a folder, beside those that have a name or are the baseline; the oldest go first.

    Methods raise StateError if the folder cannot be written, RunFileError for a run that cannot be read.
    """

    def __init__(self, folder: Path, limit: int) -> None:
        self.folder = folder
        self._limit = limit

    def save(self, run: Run) -> SavedNote:
        """Saves a run. One with the same answers and scores under the same settings takes the place of the earlier."""
        note = make_note(run)
        known = self._read_note(note.id)
        if known:
            note = replace(note, name=known.name, baseline=known.baseline)
        content = gzip.compress(to_json(run_document(run)).encode("utf-8"), mtime=0)
        self._write(self._run_file(note.id), content)
        self._write_note(note)
        spare = [each for each in self.notes()[0] if not (each.name or each.baseline)]
        for each in spare[self._limit :]:
            self.delete(each.id)
        return note

    def notes(self) -> tuple[tuple[SavedNote, ...], tuple[str, ...]]:
        """What is saved, newest first, and a sentence for each run that cannot be read."""
        found, problems = [], []
        for file in sorted(self.folder.glob("*.json.gz")):
            key = file.name.removesuffix(".json.gz")
            note = self._read_note(key)
            try:
                found.append(note or replace(make_note(load_run(file)), id=key))
            except UserError as error:
                problems.append(str(error))
        return tuple(sorted(found, key=lambda note: (note.created, note.id), reverse=True)), tuple(problems)

    def load(self, key: str) -> Run:
        """The run of an id."""
        return load_run(self._run_file(key))

    def find(self, text: str) -> SavedNote:
        """The run that is the `baseline`, or has this name or id. Raises UserError with the known ones."""
        notes, _ = self.notes()
        for note in notes:
            if text in (note.name, note.id) or (text == BASELINE and note.baseline):
                return note
        if not notes:
            raise UserError("No run is kept yet. Make one with rag-variants run or compare.")
        known = [
            *([BASELINE] if any(note.baseline for note in notes) else []),
            *(note.name or note.id for note in notes),
        ]
        raise UserError(f"{unknown('kept run', text, known[:20])} See them all with rag-variants runs.")

    def rename(self, key: str, name: str) -> None:
        """Gives a run a name of its own; "" takes it away. Raises UserError for a name that is in use or too long."""
        name = " ".join(name.split())
        if len(name) > LONGEST_NAME:
            raise UserError(f"The name has {len(name)} characters. Use at most {LONGEST_NAME}.")
        if name == BASELINE or any(name and name in (note.name, note.id) for note in self._others(key)):
            raise UserError(f"{name!r} is in use. Choose another name.")
        self._write_note(replace(self.find(key), name=name))

    def mark_baseline(self, key: str | None) -> None:
        """Makes one run the baseline, the only one; None: none is."""
        for note in self.notes()[0]:
            if note.baseline != (note.id == key):
                self._write_note(replace(note, baseline=note.id == key))

    def delete(self, key: str) -> None:
        """Removes a run for good; one that is gone already is no mistake."""
        try:
            self._run_file(key).unlink(missing_ok=True)
            self._note_file(key).unlink(missing_ok=True)
        except OSError as error:
            raise StateError(f"The kept run {key} cannot be removed ({error.strerror}). Mend its folder.") from error

    def _others(self, key: str) -> list[SavedNote]:
        return [note for note in self.notes()[0] if note.id != key]

    def _run_file(self, key: str) -> Path:
        return self.folder / f"{_checked(key)}.json.gz"

    def _note_file(self, key: str) -> Path:
        return self.folder / f"{_checked(key)}.note.json"

    def _read_note(self, key: str) -> SavedNote | None:
        """The note of an id; None if it is missing, or unreadable: then the run itself says what it holds."""
        try:
            return read_note(self._note_file(key).read_text(encoding="utf-8"), key)
        except (OSError, ValueError):
            return None

    def _write_note(self, note: SavedNote) -> None:
        self._write(self._note_file(note.id), print_note(note))

    def _write(self, path: Path, content: str | bytes) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_whole(path, content)
        except OSError as error:
            raise StateError(
                f"The run cannot be kept in {self.folder} ({error.strerror}). "
                f"Make room there, or set RAG_VARIANTS_HOME to another folder."
            ) from error


def _checked(key: str) -> str:
    """An id as it may stand in a file name."""
    if not (key.isascii() and key.isalnum()):
        raise UserError(f"{key[:40]!r} is no id of a kept run. See them with rag-variants runs.")
    return key
