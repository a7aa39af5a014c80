"""Saved runs in words."""

from datetime import datetime

from rag_variants.report.words import plain
from rag_variants.storage.saved_runs import SavedNote

BASELINE_MARK = "⚑ baseline"


def made_words(note: SavedNote) -> str:
    """When a run was made, in this computer's time: `2026-05-04 14:30`."""
    try:
        return datetime.fromisoformat(note.created).astimezone().strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return note.created


def asked_words(note: SavedNote) -> str:
    """How many questions of which file, and of which part of it: `16 of sample, language=pl`."""
    return f"{note.answered} of {note.questions.name}" + (f", {note.slice}" if note.slice else "")


def mean_words(note: SavedNote, metric: str) -> str:
    """A mean with how many questions stand behind it: `0.74 (n 62)`; `–` where none was scored."""
    if metric not in note.means:
        return "–"
    mean, n = note.means[metric]
    return f"{plain(mean)} (n {n})"
