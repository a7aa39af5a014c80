"""Would the winner change under another judge? The same records under other sources of verdicts.

Means of different sources are not to be compared with each other: a strict judge gives lower ones to both sides. What
can be compared is the sign of B − A.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.judging.gold_check import gold_precision
from rag_variants.evaluation.judging.labels import Labels, Scorer, score_labelled
from rag_variants.evaluation.runs import ScoredRecord
from rag_variants.evaluation.statistics.signflips import TOLERANCE
from rag_variants.metrics import GROUPS, METRICS
from rag_variants.types import Record, Score

Winner = Literal["A", "B", "equal"]
Value = Callable[[ScoredRecord], float | None]


@dataclass(frozen=True, slots=True)
class SourceDelta:
    """One metric under one source of verdicts, over the `n` pairs that it scores on both sides; B − A.

    `wins` and `losses` count pairs where B is higher or lower. No test is made of it. `moved` counts the scores that
    differ from those of the run.
    """

    a: float
    b: float
    n: int
    wins: int
    losses: int
    moved: int = 0

    @property
    def mean(self) -> float:
        """B − A."""
        return self.b - self.a

    @property
    def winner(self) -> Winner:
        """Who has the higher mean; a difference that three decimals do not show is none."""
        return "equal" if round(abs(self.mean), 3) == 0 else "B" if self.mean > 0 else "A"


@dataclass(frozen=True)
class VerdictSource:
    """A source of verdicts with its deltas by metric; None where it has none to give."""

    name: str
    deltas: Mapping[str, SourceDelta | None]


def judged_metrics(comparison: Comparison) -> tuple[str, ...]:
    """The metrics of the run that can be put to other sources, in the order of the path: ranked before answered."""
    alike = [name for name in comparison.metrics if (verdicts := METRICS[name].verdicts) and verdicts.alike]
    return tuple(sorted(alike, key=lambda name: GROUPS.index(METRICS[name].group)))


def run_source(comparison: Comparison) -> VerdictSource:
    """The run's own judge, as it scored."""
    return VerdictSource(
        comparison.judge, {name: source_delta(comparison, name, _own(name)) for name in judged_metrics(comparison)}
    )


def gold_source(comparison: Comparison) -> VerdictSource:
    """Gold marks: context precision alone. A mark says nothing of an answer's claims."""
    values: Mapping[str, Value] = {"context_precision": gold_precision}
    names = judged_metrics(comparison)
    return VerdictSource(
        "gold marks",
        {name: source_delta(comparison, name, values[name]) if name in values else None for name in names},
    )


def label_source(comparison: Comparison, labels: Labels, scorer: Scorer | None = None) -> VerdictSource:
    """The run's judge with a person's labels in place of its verdicts, where there are any."""

    def value(name: str) -> Value:
        def read(row: ScoredRecord) -> float | None:
            made = score_labelled(name, row, labels, scorer)
            return (made or row.scores.get(name) or Score(None)).value

        return read

    touched = {case.metric for case in labels.given}
    names = judged_metrics(comparison)
    return VerdictSource(
        f"{comparison.judge} with your labels",
        {name: source_delta(comparison, name, value(name)) if name in touched else None for name in names},
    )


def source_delta(comparison: Comparison, metric: str, value: Value) -> SourceDelta | None:
    """The delta of a metric where `value` gives each row's score; None without a pair that has both."""
    pairs, moved = [], 0
    for left, right in comparison.pairs:
        a, b = value(left), value(right)
        moved += sum(_moved(row, metric, new) for row, new in ((left, a), (right, b)))
        if a is not None and b is not None:
            pairs.append((a, b))
    if not pairs:
        return None
    deltas = [b - a for a, b in pairs]
    return SourceDelta(
        fmean(a for a, _ in pairs),
        fmean(b for _, b in pairs),
        len(pairs),
        sum(delta > TOLERANCE for delta in deltas),
        sum(delta < -TOLERANCE for delta in deltas),
        moved,
    )


def winners(sources: Iterable[VerdictSource], metric: str) -> dict[str, Winner]:
    """Who is ahead in a metric, by source, for those that have a delta."""
    found = ((source.name, source.deltas.get(metric)) for source in sources)
    return {name: delta.winner for name, delta in found if delta is not None}


def calls_needed(comparison: Comparison, metrics: Sequence[str] | None = None) -> int:
    """About how many calls a chat model needs for the records: two an answer, one a chunk; what both sides share once.

    Replies at hand are not known here, so it is the most rather than the least.
    """
    names = judged_metrics(comparison) if metrics is None else metrics
    rows = [row for pair in comparison.pairs for row in pair]
    return sum(_calls_of(name, [row.record for row in rows if _is_scored(row, name)]) for name in names)


def _calls_of(metric: str, records: Sequence[Record]) -> int:
    verdicts = METRICS[metric].verdicts
    if verdicts is not None and verdicts.about == "chunk":
        return len({(record.question.id, hit.chunk.text) for record in records for hit in record.hits})
    answers = {
        (record.question.id, record.answer.text, tuple(hit.chunk.text for hit in record.hits))
        for record in records
        if record.answer
    }
    return 2 * len(answers)


def _is_scored(row: ScoredRecord, metric: str) -> bool:
    return metric in row.scores and row.scores[metric].value is not None


def _own(name: str) -> Value:
    def read(row: ScoredRecord) -> float | None:
        return row.scores[name].value if name in row.scores else None

    return read


def _moved(row: ScoredRecord, metric: str, new: float | None) -> bool:
    old = row.scores[metric].value if metric in row.scores else None
    return old is not None and new is not None and abs(new - old) > TOLERANCE
