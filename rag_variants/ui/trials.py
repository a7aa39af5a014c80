"""Trials as work for a page: opened in the job's thread, where the libraries load."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from rag_variants.experiment.plan import Plan
from rag_variants.experiment.work import Work
from rag_variants.variants.base import Variant
from rag_variants.variants.stages import Bench

if TYPE_CHECKING:
    from rag_variants.experiment.compare import Comparison


def open_trial(a: Variant, b: Variant, plan: Plan, bench: Bench) -> "Callable[[], Work[Comparison]]":
    """What begins the comparison of A and B over a plan."""

    def begin() -> "Work[Comparison]":
        from rag_variants.experiment.trial import Trial

        return Trial(a, b, plan, bench)

    return begin
