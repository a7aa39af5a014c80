"""One setting of a sweep, measured: the scores of a run without its records, so that thousands of them fit."""

import statistics
from collections.abc import Mapping
from dataclasses import dataclass

from rag_variants.evaluation.runs import Run, RunCalls
from rag_variants.metrics import METRICS
from rag_variants.pipeline.setting import settings_of
from rag_variants.pipeline.variant import Variant
from rag_variants.questions.repeated import repeated_ids


@dataclass(frozen=True, slots=True)
class Point:
    """A variant's scores by metric and question id, scored questions only, of `asked` questions.

    `failed` of them ended with an error, `error` is the first such. `seconds` is its share of its batch.
    """

    variant: Variant
    scores: Mapping[str, Mapping[str, float]]
    asked: int
    failed: int
    error: str | None
    calls: RunCalls
    seconds: float

    def mean(self, metric: str) -> float | None:
        """The mean over the questions that were scored; None if none was, which is not 0."""
        values = self.scores[metric]
        return statistics.fmean(values.values()) if values else None

    def amount(self, effort: str) -> float | None:
        """What a question typically takes: the mean, of times the median, as one question waits for a new index."""
        values = self.scores[effort]
        return (
            statistics.median(values.values()) if values and METRICS[effort].typical == "median" else self.mean(effort)
        )

    def scored(self, metric: str) -> int:
        """How many questions were scored."""
        return len(self.scores[metric])

    @property
    def off_default(self) -> int:
        """How many settings are not at their default."""
        return sum(getattr(self.variant, name) != of.default for name, (of, _) in settings_of(self.variant).items())


def make_point(run: Run) -> Point:
    """A run reduced to its scores; equal questions count once, by the first."""
    errors = [row.record.error for row in run.rows if row.record.error is not None]
    scores: dict[str, dict[str, float]] = {name: {} for name in run.metrics}
    repeats = repeated_ids(row.record.question for row in run.rows)
    for row in run.rows:
        if row.record.question.id in repeats:
            continue
        for name, score in row.scores.items():
            if score.value is not None:
                scores[name][row.record.question.id] = score.value
    return Point(run.variant, scores, len(run.rows), len(errors), errors[0] if errors else None, run.calls, run.seconds)
