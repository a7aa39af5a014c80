"""Answers kept in files: where they are, and how a file is read and written."""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rag_variants.corpus.knowledge import Skipped
from rag_variants.errors import UserError, unknown
from rag_variants.pipeline.answer.recording_lines import (
    RecordedAnswer,
    RecordingError,
    print_line,
    read_line,
    reason_of,
)
from rag_variants.settings import packaged

ENDING = ".jsonl"
RECORDED_NAME = "letters A to Z, digits, `.`, `_` and `-`"
# Never a path: no separator, and no dot at the beginning.
_RECORDED_SPEC = re.compile(r"recorded:[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}")


@dataclass(frozen=True, slots=True)
class Recording:
    """The answers of a file in its order, the lines left out with their reasons, and 16 hex digits of its text."""

    name: str
    answers: tuple[RecordedAnswer, ...]
    skipped: tuple[Skipped, ...] = ()
    fingerprint: str = ""


def is_recorded(spec: str) -> bool:
    """Whether a spec is `recorded:NAME` with a name of RECORDED_NAME, no dot first."""
    return _RECORDED_SPEC.fullmatch(spec) is not None


def recording_folders(home: Path) -> tuple[Path, ...]:
    """Where recordings are looked for, first to last: those of the sample, then those in the state folder."""
    return packaged("sample_kb") / "recorded", home / "recorded"


def recording_names(home: Path) -> tuple[str, ...]:
    """The names of all recordings on this computer, sorted."""
    return tuple(sorted({path.stem for folder in recording_folders(home) for path in folder.glob(f"*{ENDING}")}))


def find_recording(name: str, home: Path) -> Path:
    """The file of a recording. Raises RecordingError, with the known names, if there is none."""
    for folder in recording_folders(home):
        path = folder / f"{name}{ENDING}"
        if path.is_file():
            return path
    names = recording_names(home)
    known = unknown("recording", name, names) if names else f"There is no recording called {name!r}, and none at all."
    raise RecordingError(f"{known} Put {name}{ENDING} into {recording_folders(home)[-1]}.")


def recording_stamp(spec: str, home: Path) -> tuple[int, int] | None:
    """What changes when the file behind `recorded:NAME` does: time and size; None for other specs or no file."""
    if not is_recorded(spec):
        return None
    try:
        found = find_recording(spec.partition(":")[2], home).stat()
    except (RecordingError, OSError):  # said where the answerer is opened
        return None
    return found.st_mtime_ns, found.st_size


def load_recording(path: Path) -> Recording:
    """The answers of a JSONL file. A bad line is left out with its reason and takes no other down.

    Raises RecordingError if the file cannot be read or no line can be used.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise RecordingError(f"{path} cannot be read ({error}). Save it as UTF-8, one answer a line.") from error
    answers: list[RecordedAnswer] = []
    skipped: list[Skipped] = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                answers.append(read_line(line))
            except (ValueError, TypeError, KeyError, AttributeError, UserError) as error:
                skipped.append(Skipped(f"line {number}", reason_of(error)))
    if not answers:
        reasons = " · ".join(f"{each.name}: {each.reason}" for each in skipped[:5]) or "it is empty"
        raise RecordingError(f"Nothing in {path} could be used ({reasons}). Write one answer a line into it.")
    fingerprint = hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]
    return Recording(path.stem, tuple(answers), tuple(skipped), fingerprint)


def print_recording(answers: Iterable[RecordedAnswer]) -> str:
    """The text of a file with these answers; reading it gives them back."""
    return "".join(print_line(each) + "\n" for each in answers)
