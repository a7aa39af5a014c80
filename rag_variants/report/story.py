"""Several runs in a row: a metric's mean from run to run, over runs that were measured alike."""

from collections.abc import Sequence
from dataclasses import dataclass

from rag_variants.metrics import all_metrics, label_of
from rag_variants.report.saved_run_words import made_words
from rag_variants.report.words import plain, signed
from rag_variants.storage.saved_runs import SavedNote

MOST = 6  # runs in a row


@dataclass(frozen=True, slots=True)
class StoryPoint:
    """One metric of one run; `step` counts the runs from 1, oldest first, `change` is against the run before."""

    metric: str
    label: str
    step: int
    run: str
    mean: float
    shown: str
    change: str


@dataclass(frozen=True, slots=True)
class Story:
    """The runs in the order they were made, their points by metric, and a sentence for each run left out."""

    runs: tuple[SavedNote, ...]
    points: tuple[StoryPoint, ...]
    left_out: tuple[str, ...]


def tell_story(notes: Sequence[SavedNote]) -> Story:
    """The runs that share questions, documents and judge with the first one given; the others are named.

    Only metrics that every one of these runs has; effort is left out.
    """
    if not notes:
        return Story((), (), ())
    first = notes[0]
    alike = sorted((note for note in notes if note.measured_on == first.measured_on), key=lambda note: note.created)
    others = [note for note in notes if note.measured_on != first.measured_on]
    names = [
        name
        for name, metric in all_metrics().items()
        if metric.set != "effort" and all(name in note.means for note in alike)
    ]
    points = [point for name in names for point in _points(name, alike)]
    return Story(tuple(alike), tuple(points), tuple(_left_out(note, first) for note in others))


def _points(name: str, notes: Sequence[SavedNote]) -> list[StoryPoint]:
    label = label_of(all_metrics()[name], notes[0].judge_spec)
    means = [note.means[name] for note in notes]
    before = [None, *(mean for mean, _ in means)]
    return [
        StoryPoint(
            metric=name,
            label=label,
            step=step,
            run=f"{step}. {note.title}",
            mean=mean,
            shown=f"{plain(mean)} (n {n})",
            change="" if last is None else signed(mean - last),
        )
        for step, (note, (mean, n), last) in enumerate(zip(notes, means, before, strict=False), start=1)
    ]


def _left_out(note: SavedNote, first: SavedNote) -> str:
    pairs = zip(("questions", "documents", "judge"), note.measured_on, first.measured_on, strict=True)
    unlike = [what for what, mine, theirs in pairs if mine != theirs]
    return f"Left out, because of other {' and '.join(unlike)} than {first.title}: {note.title} of {made_words(note)}."
