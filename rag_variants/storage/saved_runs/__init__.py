"""Every finished run is saved below the state folder, to be listed, named, compared again and deleted."""

from collections.abc import Iterable
from pathlib import Path

from rag_variants.evaluation.runs import Run
from rag_variants.settings import Settings
from rag_variants.storage.run_files import is_run_file, load_run
from rag_variants.storage.saved_runs.folder import BASELINE, SavedRuns
from rag_variants.storage.saved_runs.notes import SavedNote

__all__ = ["BASELINE", "PREFIX", "SavedNote", "SavedRuns", "open_saved", "open_saved_runs", "save_finished"]

PREFIX = "run:"  # before the name or id of a saved run, where a variant could stand


def open_saved_runs(settings: Settings) -> SavedRuns:
    """The saved runs of this computer's state folder."""
    return SavedRuns(settings.state_folder() / "runs", settings.runs_kept)


def save_finished(runs: Iterable[Run], settings: Settings) -> None:
    """Saves the runs that are complete. Raises StateError."""
    finished = [run for run in runs if run.complete]
    if finished:
        saved = open_saved_runs(settings)
        for run in finished:
            saved.save(run)


def open_saved(text: str, settings: Settings) -> Run | None:
    """The run that a text names (`before.json`, `run:NAME`, `run:baseline`), None if it is no saved run's name.

    Raises RunFileError or UserError if there is none.
    """
    if text.startswith(PREFIX):
        saved = open_saved_runs(settings)
        return saved.load(saved.find(text.removeprefix(PREFIX)).id)
    return load_run(Path(text)) if is_run_file(text) else None
