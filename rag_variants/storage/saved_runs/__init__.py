"""Every finished run is kept below the state folder, to be listed, named, compared again and deleted."""

from collections.abc import Iterable
from pathlib import Path

from rag_variants.evaluation.runs import Run
from rag_variants.settings import Settings
from rag_variants.storage.run_files import is_run_file, load_run
from rag_variants.storage.saved_runs.folder import BASELINE, KeptRuns
from rag_variants.storage.saved_runs.notes import KeptNote

__all__ = ["BASELINE", "PREFIX", "KeptNote", "KeptRuns", "keep_finished", "open_kept", "open_kept_runs"]

PREFIX = "run:"  # before the name or id of a kept run, where a variant could stand


def open_kept_runs(settings: Settings | None = None) -> KeptRuns:
    """The kept runs of this computer's state folder."""
    settings = settings or Settings()
    return KeptRuns(settings.state_folder() / "runs", settings.runs_kept)


def keep_finished(runs: Iterable[Run]) -> None:
    """Keeps the runs that are complete. Raises StateError."""
    finished = [run for run in runs if run.complete]
    if finished:
        kept = open_kept_runs()
        for run in finished:
            kept.keep(run)


def open_kept(text: str) -> Run | None:
    """The run that a text names (`before.json`, `run:NAME`, `run:baseline`), None if it is no kept run's name.

    Raises RunFileError or UserError if there is none.
    """
    if text.startswith(PREFIX):
        kept = open_kept_runs()
        return kept.load(kept.find(text.removeprefix(PREFIX)).id)
    return load_run(Path(text)) if is_run_file(text) else None
