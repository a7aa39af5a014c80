"""Trials and climbs as work for a page: opened in the job's thread, where the libraries load."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rag_variants.experiment.plan import Plan
from rag_variants.experiment.rungs import Rung
from rag_variants.experiment.runs import Run
from rag_variants.experiment.work import Work
from rag_variants.variants.base import Variant
from rag_variants.variants.stages import Bench

if TYPE_CHECKING:
    from rag_variants.experiment.compare import Comparison
    from rag_variants.experiment.ladder import Ladder


def open_trial(a: Variant, b: Variant, plan: Plan, bench: Bench) -> "Callable[[], Work[Comparison]]":
    """What begins the comparison of A and B over a plan."""

    def begin() -> "Work[Comparison]":
        from rag_variants.experiment.trial import Trial

        return Trial(a, b, plan, bench)

    return begin


def open_climb(rungs: Sequence[Rung], plan: Plan, bench: Bench, known: Sequence[Run]) -> "Callable[[], Work[Ladder]]":
    """What begins the ladder of these rungs over a plan; rungs with a known run are not run again."""

    def begin() -> "Work[Ladder]":
        from rag_variants.experiment.climb import Climb

        return Climb(rungs, plan, bench, known)

    return begin
