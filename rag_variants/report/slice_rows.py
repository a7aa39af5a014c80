"""Slices as cells: a metric's mean delta under every tag, with how many questions stand behind it."""

from collections.abc import Sequence
from dataclasses import dataclass

from rag_variants.evaluation.comparison import Comparison, SliceDelta
from rag_variants.evaluation.statistics.paired import Delta
from rag_variants.metrics import GROUPS, all_metrics, label_of
from rag_variants.report.words import ARROWS, signed, wins_words

FEW = 5  # below this many questions a cell is marked
ALL = "all questions"
HAIR = "\u200a"  # the thinnest space


@dataclass(frozen=True, slots=True)
class SliceCell:
    """A metric inside a slice (`tag` is "" for all questions): the delta, and what is written for it."""

    tag: str
    label: str
    row: int
    metric: str
    metric_label: str
    delta: float | None
    n: int
    few: bool
    better: float  # the delta in the metric's own direction, 0 if there is none
    words: str
    count: str
    wins: str


def slice_tags(comparison: Comparison) -> tuple[str, ...]:
    """The slices that say something of their own: those that do not hold every question."""
    whole = len(comparison.counted)
    sizes = {
        tag: sum(tag in _tags_of(row.record.question.tags) for row, _ in comparison.counted)
        for tag in comparison.slices
    }
    return tuple(tag for tag in comparison.slices if sizes[tag] < whole)


def slice_cells(comparison: Comparison) -> tuple[SliceCell, ...]:
    """All questions, then every slice, each by every metric in the order of the screen."""
    names = sorted(comparison.metrics, key=lambda name: GROUPS.index(all_metrics()[name].group))
    judge = comparison.judge
    cells = [_cell("", 0, name, comparison.metrics[name].delta, judge) for name in names]
    for at, tag in enumerate(slice_tags(comparison), start=1):
        cells += [_cell(tag, at, name, comparison.slices[tag][name], judge) for name in names]
    return tuple(cells)


def slice_sentence(cell: SliceCell) -> str:
    """A cell in words: `language=pl · Evidence recall: −0.12 over 15 questions (1 ▲ 12 = 2 ▼)`."""
    if cell.delta is None:
        return f"{cell.label} · {cell.metric_label}: not scored on any question of both sides."
    few = f" Fewer than {FEW} questions: one of them can make this number." if cell.few else ""
    return (
        f"{cell.label} · {cell.metric_label}: {signed(cell.delta)} over {cell.n} "
        f"question{'' if cell.n == 1 else 's'} ({cell.wins}).{few}"
    )


def find_cell(cells: Sequence[SliceCell], tag: str, metric: str) -> SliceCell | None:
    """The cell of a tag and a metric."""
    return next((cell for cell in cells if (cell.tag, cell.metric) == (tag, metric)), None)


def _cell(tag: str, row: int, name: str, delta: SliceDelta | Delta, judge: str) -> SliceCell:
    metric = all_metrics()[name]
    better = (delta.mean or 0.0) * (1 if metric.higher_is_better else -1)
    arrow = ARROWS["better" if better > 0 else "worse"] if round(better, 2) else ""
    few = 0 < delta.n < FEW
    return SliceCell(
        tag=tag,
        label=tag or ALL,
        row=row,
        metric=name,
        metric_label=label_of(metric, judge),
        delta=delta.mean,
        n=delta.n,
        few=few,
        better=better,
        words=f"{arrow}{HAIR * bool(arrow)}{signed(delta.mean)}",
        count=f"({delta.n})" if few else f"{delta.n}" if delta.n else "",
        wins=wins_words(delta),
    )


def _tags_of(tags: Sequence[tuple[str, str]]) -> set[str]:
    return {f"{name}={value}" for name, value in tags}
