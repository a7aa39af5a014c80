"""A run → recorded answers, so that they can be replayed with `recorded:NAME`."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from rag_variants.evaluation.runs import Run
from rag_variants.pipeline.answer.recording_lines import RecordedAnswer, RecordingError
from rag_variants.pipeline.answer.recordings import (
    ENDING,
    RECORDED_NAME,
    is_recorded,
    print_recording,
    recording_folders,
)
from rag_variants.pipeline.spec import print_variant
from rag_variants.whole_files import write_whole


def recorded_answers(run: Run, origin: Mapping[str, str] | None = None) -> tuple[RecordedAnswer, ...]:
    """The answers of a run, each for the chunks that it was made from; questions without an answer are left out.

    `origin` says where they came from (model, prompt, …). By default it is the run's variant, day and versions; an
    answer that was recorded before keeps its own.
    """
    given = dict(origin) if origin is not None else _origin(run)
    variant = print_variant(run.variant, without="answer")
    return tuple(
        RecordedAnswer(
            record.question.user_input,
            replace(record.answer, origin=record.answer.origin or tuple(given.items())),
            variant,
            tuple(hit.chunk.id for hit in record.hits),
        )
        for record in (row.record for row in run.rows)
        if record.answer is not None
    )


def save_recording(run: Run, name: str, home: Path, origin: Mapping[str, str] | None = None) -> Path:
    """Writes a run's answers into the state folder `home`, whole or not at all; the path of the file.

    Raises RecordingError for a name that is none, and if the file cannot be written.
    """
    if not is_recorded(f"recorded:{name}"):
        raise RecordingError(f"{name!r} cannot name a recording. Use {RECORDED_NAME}.")
    path = recording_folders(home)[-1] / f"{name}{ENDING}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, print_recording(recorded_answers(run, origin)))
    except OSError as error:
        raise RecordingError(f"{path} cannot be written ({error.strerror}). Choose another state folder.") from error
    return path


def _origin(run: Run) -> dict[str, str]:
    return {"variant": print_variant(run.variant), "created": run.created, **run.versions}
