"""What a sweep found: the best setting, those that cannot be told from it, the simplest of them, the frontier."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from rag_variants.errors import UserError, unknown
from rag_variants.evaluation.comparison import HEADLINE_ANSWERS, HEADLINE_RETRIEVAL
from rag_variants.evaluation.runs import Run
from rag_variants.evaluation.statistics.best_of import Gap, compare_with_best, flips_for, luck_of_best
from rag_variants.evaluation.statistics.paired import Delta, compare_paired
from rag_variants.evaluation.statistics.signflips import MIN_DIFFERING, TOLERANCE
from rag_variants.evaluation.tuning.grid import Grid, Impossible
from rag_variants.evaluation.tuning.points import Point
from rag_variants.metrics import all_metrics
from rag_variants.metrics.metric import Metric
from rag_variants.pipeline.setting import settings_of
from rag_variants.pipeline.variant import Variant

# What is computed once and does not depend on how many settings were tried.
_WITHOUT_TRIED = frozenset({"_against_start", "_place", "best", "gaps", "not_told_apart", "differing"})
FRONTIER_EFFORTS = ("context_characters", "latency_ms", "cost_usd")


@dataclass(frozen=True)
class Sweep:
    """The points measured so far, the start first, then in the grid's order; `waiting` are not measured yet.

    `metric` is fixed before the sweep and decides. `tried` counts the settings ever measured on the questions outside
    the hold-out. `head` is the start's run without rows: where everything came from.
    """

    grid: Grid
    metric: str
    points: tuple[Point, ...]
    waiting: int
    left_out: tuple[Impossible, ...]
    tried: int
    head: Run
    warnings: tuple[str, ...] = ()

    @property
    def start(self) -> Point:
        """The setting that the sweep departs from."""
        return self.points[0]

    @property
    def complete(self) -> bool:
        """Whether every point was measured on every question."""
        return not self.waiting and self.head.complete

    @property
    def quality(self) -> tuple[str, ...]:
        """The metrics that tell a better setting from a worse one."""
        return tuple(name for name in self.head.metrics if all_metrics()[name].set != "effort")

    @property
    def effort(self) -> tuple[str, ...]:
        """The metrics that say what a setting takes."""
        return tuple(name for name in self.head.metrics if all_metrics()[name].set == "effort")

    def with_statistics(self) -> "Sweep":
        """The same, with what takes seconds for hundreds of points already computed, here and not where it is shown."""
        for name in ("gaps", "luck"):
            getattr(self, name)
        return self

    def counting(self, tried: int) -> "Sweep":
        """The same points when `tried` settings were ever tried: luck alone is another one."""
        found = replace(self, tried=tried)
        found.__dict__.update({name: value for name, value in self.__dict__.items() if name in _WITHOUT_TRIED})
        return found

    def against_start(self, metric: str | None = None) -> tuple[Delta, ...]:
        """Each point's delta to the start in a metric (by default the one that decides), in the points' order.

        One family of tests for all points of the metric: its verdicts and intervals hold together.
        """
        name = metric or self.metric
        if name not in self._against_start:
            self._against_start[name] = self._compare_with_start(name)
        return self._against_start[name]

    @cached_property
    def _against_start(self) -> dict[str, tuple[Delta, ...]]:
        return {}

    def _compare_with_start(self, name: str) -> tuple[Delta, ...]:
        before = self.start.scores[name]
        deltas = {
            f"{at:05}": {key: value - before[key] for key, value in point.scores[name].items() if key in before}
            for at, point in enumerate(self.points)
        }
        better = dict.fromkeys(deltas, all_metrics()[name].higher_is_better)
        span = dict.fromkeys(deltas, all_metrics()[name].span)
        flips = flips_for(len(deltas), self.start.asked)
        return tuple(compare_paired(deltas, better, span=span, seed=self.head.seed, flips=flips).values())

    def advantage(self, point: Point) -> float | None:
        """By how much a point is better than the start, in the metric's unit and better direction; None: no pair."""
        mean = self.against_start()[self._place[point.variant]].mean
        return None if mean is None else self._sign * mean

    @cached_property
    def best(self) -> Point | None:
        """The point with the largest advantage, of equals the simplest; None if the metric was scored nowhere."""
        scored = [(each, advantage) for each in self.points if (advantage := self.advantage(each)) is not None]
        if not scored:
            return None
        most = max(advantage for _, advantage in scored)
        return min((each for each, advantage in scored if advantage >= most - TOLERANCE), key=self._simplicity)

    @cached_property
    def gaps(self) -> tuple[Gap, ...]:
        """Each point's gap to the best, in the points' order; empty without a best."""
        if self.best is None:
            return ()
        values = {f"{at:05}": point.scores[self.metric] for at, point in enumerate(self.points)}
        best = f"{self._place[self.best.variant]:05}"
        metric = all_metrics()[self.metric]
        found = compare_with_best(
            values, best, higher_is_better=metric.higher_is_better, span=metric.span, seed=self.head.seed
        )
        return tuple(found.values())

    @cached_property
    def not_told_apart(self) -> tuple[Point, ...]:
        """The best and every point that cannot be told from it, the simplest first."""
        near = [point for point, gap in zip(self.points, self.gaps, strict=False) if gap.n and not gap.told_apart]
        return tuple(sorted(near, key=self._simplicity))

    @cached_property
    def differing(self) -> int | None:
        """The most questions on which a point differs from the best; None if no other point was scored beside it."""
        if self.best is None:
            return None
        best = self.best.scores[self.metric]
        counts = [
            sum(abs(value - best[key]) >= TOLERANCE for key, value in point.scores[self.metric].items() if key in best)
            for point, gap in zip(self.points, self.gaps, strict=True)
            if point is not self.best and gap.n
        ]
        return max(counts, default=None)

    @property
    def decided(self) -> bool:
        """Whether the questions can tell any setting from the best: one differs from it on MIN_DIFFERING."""
        return self.differing is not None and self.differing >= MIN_DIFFERING

    @property
    def recommended(self) -> Point | None:
        """The simplest point that cannot be told from the best; None where no setting could be told from it."""
        return next(iter(self.not_told_apart), None) if self.decided else None

    @cached_property
    def luck(self) -> float | None:
        """The advantage that the best of `tried` equal settings would have on average; None with the start alone."""
        return luck_of_best(
            {f"{at:05}": point.scores[self.metric] for at, point in enumerate(self.points)},
            f"{0:05}",
            max(self.tried, len(self.points)),
            higher_is_better=all_metrics()[self.metric].higher_is_better,
            seed=self.head.seed,
        )

    def frontier(self, effort: str) -> tuple[Point, ...]:
        """The points that no other one beats in both the metric and an effort, least effort first.

        Another one beats a point if it is at least as good and takes at most as much, and is ahead in one of the two.
        Of equals in both the simplest stays.
        """
        found = [
            (taken, -self._sign * quality, self._simplicity(point), point)
            for point in self.points
            if (quality := point.mean(self.metric)) is not None and (taken := point.amount(effort)) is not None
        ]
        kept: list[Point] = []
        least = float("inf")  # of −quality
        for _, negative, _, point in sorted(found, key=lambda each: each[:3]):
            if negative < least - TOLERANCE:
                kept.append(point)
                least = negative
        return tuple(kept)

    @cached_property
    def _place(self) -> dict[Variant, int]:
        return {point.variant: at for at, point in enumerate(self.points)}

    @property
    def _sign(self) -> int:
        return 1 if all_metrics()[self.metric].higher_is_better else -1

    def _simplicity(self, point: Point) -> tuple[int, float, int]:
        """Simple is: fewest settings off their default, then least text read, then first in the grid."""
        read = point.mean("context_characters") if "context_characters" in point.scores else None
        return point.off_default, float("inf") if read is None else read, self._place[point.variant]


def sweep_metric(name: str | None, grid: Grid, metrics: Sequence[Metric]) -> str:
    """The metric that decides a sweep: the one named, else the headline for what the grid moves, fixed before the run.

    Where only the answer's settings move that is the headline for answers. Raises UserError for one that the run does
    not measure, and where it measures none.
    """
    known: Mapping[str, Metric] = {metric.name: metric for metric in metrics if metric.set != "effort"}
    if name is not None and name not in known:
        raise UserError(unknown("metric in this sweep", name, known) + " Add it with --metrics.")
    settings = settings_of(grid.start)
    answers_alone = all(settings[axis.name][1].stage == "answer" for axis in grid.axes)
    first = (*HEADLINE_ANSWERS, *HEADLINE_RETRIEVAL) if answers_alone else (*HEADLINE_RETRIEVAL, *HEADLINE_ANSWERS)
    found = name or next((each for each in (*first, *known) if each in known), None)
    if found is None:
        raise UserError("A sweep needs a metric that tells better from worse. Add one with --metrics, such as ndcg.")
    return found
