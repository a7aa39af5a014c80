"""An ablation path as work: every waypoint over the same questions, question by question."""

from collections.abc import Iterator, Sequence

from rag_variants.evaluation.ablation.ablation_path import AblationPath, build_path
from rag_variants.evaluation.ablation.waypoints import Waypoint
from rag_variants.evaluation.known_runs import KnownRuns
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.runs import Run
from rag_variants.evaluation.work import Progress
from rag_variants.pipeline.bench import Bench


class AblationWork:
    """The waypoints of an ablation path over a plan: `Work` whose result is the path over the questions done so far.

    `known` are runs over the same plan; a waypoint that has a complete one is not run again. Raises
    ComparisonError for a run over another plan, before any work is done.
    """

    def __init__(self, waypoints: Sequence[Waypoint], plan: Plan, bench: Bench, known: Sequence[Run] = ()) -> None:
        self._waypoints = tuple(waypoints)
        self._runs = KnownRuns([waypoint.variant for waypoint in waypoints], plan, bench, known)

    def steps(self) -> Iterator[Progress]:
        """Answers and scores on waypoints that have no run. Raises UserError if it cannot start."""
        return self._runs.steps()

    def result(self) -> AblationPath | None:
        """The path over the questions that are done on every waypoint; None before the first."""
        runs = self._runs.runs()
        walked = [runs[waypoint.variant] for waypoint in self._waypoints]
        return build_path(self._waypoints, walked) if walked[0].rows else None

    @property
    def complete(self) -> bool:
        """Whether every question is done on every waypoint."""
        return self._runs.complete
