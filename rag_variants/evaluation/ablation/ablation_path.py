"""An ablation path from A to B: what each single change did, and how the changes add up."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from rag_variants.evaluation.ablation.waypoints import Waypoint
from rag_variants.evaluation.compare import compare_in_turn, compare_runs
from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.runs import Run
from rag_variants.evaluation.statistics.signflips import TOLERANCE
from rag_variants.metrics import all_metrics


@dataclass(frozen=True)
class AblationPath:
    """The waypoints from A to B; `steps[i]` compares waypoint i + 1 with waypoint i, `total` compares B with A.

    Verdicts and intervals of the steps hold together for all metrics of all steps; those of `total` are the ones of the
    plain comparison. What a step did depends on the waypoint it starts from, so another order gives other steps.
    """

    waypoints: tuple[Waypoint, ...]
    steps: tuple[Comparison, ...]
    total: Comparison

    @property
    def complete(self) -> bool:
        """Whether every question was answered on every waypoint."""
        return self.total.a.complete and all(step.b.complete for step in self.steps)

    def running(self, metric: str) -> tuple[float, ...]:
        """Σ of the deltas up to each step, in the metric's unit; a step without a scored pair adds nothing."""
        return tuple(accumulate(step.metrics[metric].delta.mean or 0.0 for step in self.steps))

    def gap(self, metric: str) -> float:
        """B − A minus the sum of the steps; 0 if every step was scored on the same questions as the whole."""
        total = self.total.metrics[metric].delta.mean or 0.0
        rest = total - math.fsum(step.metrics[metric].delta.mean or 0.0 for step in self.steps)
        return 0.0 if abs(rest) < TOLERANCE else rest

    def scored(self, metric: str) -> tuple[int, int]:
        """How many questions were scored on every waypoint, and how many on at least one."""
        found = [_scored_questions(run, metric) for run in self.runs]
        return len(frozenset.intersection(*found)), len(frozenset.union(*found))

    @property
    def runs(self) -> tuple[Run, ...]:
        """The run of each waypoint."""
        return (self.total.a, *(step.b for step in self.steps))

    def worst(self, metric: str) -> int | None:
        """The step (from 0) with the largest loss in the metric's own direction, the first of equals; None if none."""
        sign = 1 if all_metrics()[metric].higher_is_better else -1
        losses = [sign * (step.metrics[metric].delta.mean or 0.0) for step in self.steps]
        least = min(losses, default=0.0)
        if least > -TOLERANCE:
            return None
        return next(at for at, loss in enumerate(losses) if loss < least + TOLERANCE)


def build_path(waypoints: Sequence[Waypoint], runs: Sequence[Run]) -> AblationPath:
    """The path of one run per waypoint. Raises ComparisonError for runs that cannot be compared."""
    return AblationPath(tuple(waypoints), compare_in_turn(runs), compare_runs(runs[0], runs[-1]))


def _scored_questions(run: Run, metric: str) -> frozenset[str]:
    return frozenset(
        row.record.question.id for row in run.rows if metric in row.scores and row.scores[metric].value is not None
    )
