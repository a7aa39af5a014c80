"""`rag-variants compare` and `rag-variants run`."""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rag_variants.cli.exits import DONE, INTERRUPTED
from rag_variants.cli.options import add_experiment_options, positive, read_plan, read_settings
from rag_variants.cli.printing import follow, show

if TYPE_CHECKING:
    from rag_variants.experiment.runs import Run
    from rag_variants.experiment.work import Progress


def add_commands(commands: Any) -> None:
    """Adds `compare` and `run`."""
    compare = commands.add_parser("compare", help="two variants, the same questions, deltas")
    compare.add_argument("a", metavar="A", help="a variant such as keyword or hybrid:top_k=3, or a kept run (.json)")
    compare.add_argument("b", metavar="B", help="the other one")
    add_experiment_options(compare)
    _add_repeats(compare)
    compare.set_defaults(command=_compare)
    run = commands.add_parser("run", help="one variant alone")
    run.add_argument("a", metavar="A", help="a variant such as keyword or hybrid:top_k=3")
    add_experiment_options(run)
    _add_repeats(run)
    run.set_defaults(command=_run)


def _add_repeats(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--repeats",
        type=positive,
        default=1,
        metavar="N",
        help="how often the judge scores each record; 2 or more measure its own noise (default: 1)",
    )


def _compare(options: argparse.Namespace) -> int:
    from rag_variants.experiment.compare import compare_runs
    from rag_variants.report.document import comparison_document
    from rag_variants.report.export import COMPARISON_FORMATS, check_targets, write_text
    from rag_variants.report.terminal import comparison_view
    from rag_variants.store import to_json

    if options.forecast:
        return _show_forecast(options, (options.a, options.b))
    check_targets(options.out, tuple(COMPARISON_FORMATS))
    (a, b), interrupted = do_runs(options, (options.a, options.b))
    comparison = compare_runs(a, b)
    for target in options.out:
        write_text(target, COMPARISON_FORMATS[target.suffix.lower()](comparison))
    if options.json:
        print(to_json(comparison_document(comparison)), end="")
    else:
        show(comparison_view(comparison))
    return INTERRUPTED if interrupted else DONE


def _run(options: argparse.Namespace) -> int:
    from rag_variants.report.export import RUN_FORMATS, check_targets, write_text
    from rag_variants.report.terminal import run_view
    from rag_variants.store import run_document, to_json

    if options.forecast:
        return _show_forecast(options, (options.a,))
    check_targets(options.out, tuple(RUN_FORMATS))
    (run,), interrupted = do_runs(options, (options.a,))
    for target in options.out:
        write_text(target, RUN_FORMATS[target.suffix.lower()](run))
    if options.json:
        print(to_json(run_document(run)), end="")
    else:
        show(run_view(run))
    return INTERRUPTED if interrupted else DONE


def _show_forecast(options: argparse.Namespace, sides: Sequence[str]) -> int:
    """Says what the run would still ask of models elsewhere, and asks nothing."""
    from rag_variants.experiment.forecast import Forecast
    from rag_variants.report.calls import forecast_lines
    from rag_variants.store import is_run_file, to_json
    from rag_variants.variants import read_variant
    from rag_variants.variants.stages import open_bench

    variants = [read_variant(side) for side in sides if not is_run_file(side)]
    plan = read_plan(options)
    forecast = Forecast(variants, plan, open_bench(plan.knowledge, plan.today, read_settings(options)))
    interrupted = follow(forecast.steps(), quiet=options.quiet)
    found = forecast.result()
    if found is None:
        return INTERRUPTED
    print(to_json(asdict(found)).rstrip() if options.json else "\n".join(forecast_lines(found)))
    return INTERRUPTED if interrupted else DONE


def do_runs(options: argparse.Namespace, sides: Sequence[str]) -> "tuple[list[Run], bool]":
    """The run of each side, kept ones read and variants run together; whether it was interrupted."""
    from rag_variants.experiment.repeat_work import Repetition
    from rag_variants.experiment.run import Experiment
    from rag_variants.store import is_run_file, load_run
    from rag_variants.variants import read_variant
    from rag_variants.variants.stages import open_bench

    kept = {side: load_run(Path(side)) for side in sides if is_run_file(side)}
    variants = {side: read_variant(side) for side in sides if side not in kept}
    if not variants:
        return [kept[side] for side in sides], False
    plan = read_plan(options)
    bench = open_bench(plan.knowledge, plan.today, read_settings(options))
    experiment = Experiment(list(variants.values()), plan, bench)
    again: list[Repetition] = []

    def steps() -> "Iterator[Progress]":
        yield from experiment.steps()
        if getattr(options, "repeats", 1) > 1:
            again.append(Repetition(experiment.runs(), plan, bench, options.repeats))
            yield from again[0].steps()

    interrupted = follow(steps(), quiet=options.quiet)
    made = dict(zip(variants, again[0].result() if again else experiment.runs(), strict=True))
    return [kept.get(side) or made[side] for side in sides], interrupted
