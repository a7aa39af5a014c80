"""`--forecast`: what a command would still ask of models elsewhere, in place of running it."""

import argparse
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from rag_variants.cli.exits import DONE, INTERRUPTED
from rag_variants.cli.options import read_plan, read_settings
from rag_variants.cli.printing import follow
from rag_variants.settings import Settings

if TYPE_CHECKING:
    from rag_variants.evaluation.plan import Plan
    from rag_variants.evaluation.runs import Run
    from rag_variants.pipeline.variant import Variant


def show_forecast(
    options: argparse.Namespace,
    variants: "Iterable[Variant]",
    known: "Sequence[Run]" = (),
    narrowed: "Callable[[Plan], Plan]" = lambda plan: plan,
) -> int:
    """Says what the variants that have no run yet would ask, and asks nothing. Raises UserError.

    `narrowed` gives the part of the options' plan that would be asked.
    """
    from dataclasses import asdict

    from rag_variants.evaluation.forecast import Forecast
    from rag_variants.evaluation.known_runs import missing_variants
    from rag_variants.pipeline.bench import open_bench
    from rag_variants.report.calls import forecast_lines
    from rag_variants.storage.run_documents import to_json

    plan = narrowed(read_plan(options))
    bench = open_bench(plan.knowledge, plan.today, read_settings(options))
    forecast = Forecast(missing_variants(variants, known), plan, bench, getattr(options, "repeats", 1))
    interrupted = follow(forecast.steps(), quiet=options.quiet)
    found = forecast.result()
    if found is None:
        return INTERRUPTED
    print(to_json(asdict(found)).rstrip() if options.json else "\n".join(forecast_lines(found)))
    return INTERRUPTED if interrupted else DONE


def show_forecast_of_sides(options: argparse.Namespace, sides: Sequence[str]) -> int:
    """The same of sides as they are typed; a kept run asks nothing."""
    from rag_variants.pipeline import read_variant
    from rag_variants.storage.saved_runs import open_saved

    return show_forecast(options, [read_variant(side) for side in sides if open_saved(side, Settings()) is None])
