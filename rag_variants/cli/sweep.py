"""`rag-variants sweep`: one variant, its settings gone through, the best and the simplest that equals it."""

import argparse
from functools import partial
from typing import TYPE_CHECKING, Any

from rag_variants.cli.exits import DONE, INTERRUPTED
from rag_variants.cli.forecast import show_forecast
from rag_variants.cli.options import add_experiment_options, read_plan, read_settings
from rag_variants.cli.printing import follow, show
from rag_variants.settings import Settings

if TYPE_CHECKING:
    from rag_variants.evaluation.comparison import Comparison
    from rag_variants.evaluation.plan import Plan
    from rag_variants.evaluation.tuning.sweep import Sweep
    from rag_variants.pipeline.bench import Bench


def add_commands(commands: Any) -> None:
    """Adds `sweep`."""
    parser = commands.add_parser("sweep", help="which value of a setting is best, and which cannot be told from it?")
    parser.add_argument("a", metavar="VARIANT", help="where the sweep departs from, such as hybrid or keyword:top_k=3")
    parser.add_argument(
        "--over",
        action="append",
        default=[],
        metavar="NAME=VALUES",
        help="a setting and its values: top_k=1..10, chunk_size=200,400,800 or keyword_weight=0..1:0.1; repeatable",
    )
    parser.add_argument(
        "--metric",
        metavar="NAME",
        help="the metric that decides (default: evidence_recall, else context_recall; where only the answer's settings "
        "move key_facts, else faithfulness)",
    )
    parser.add_argument(
        "--final-check",
        action="store_true",
        help="then compare the recommended setting with the start on the questions tagged split=holdout; that they "
        "were opened is remembered",
    )
    add_experiment_options(parser)
    parser.set_defaults(command=_sweep)


def _sweep(options: argparse.Namespace) -> int:
    from rag_variants.evaluation.tuning.final_check import held_out_plan
    from rag_variants.evaluation.tuning.grid import make_grid
    from rag_variants.evaluation.tuning.sweep_work import SweepWork, sweep_plan
    from rag_variants.evaluation.tuning.tuning_log import open_tuning_log
    from rag_variants.pipeline import read_variant
    from rag_variants.pipeline.bench import open_bench
    from rag_variants.report.export import check_targets, write_text
    from rag_variants.report.sweep_export import SWEEP_FORMATS, sweep_document
    from rag_variants.report.sweep_text import sweep_view
    from rag_variants.storage.run_documents import to_json

    check_targets(options.out, tuple(SWEEP_FORMATS))
    grid = make_grid(read_variant(options.a), options.over)
    if options.forecast:
        return show_forecast(options, grid.points, narrowed=partial(sweep_plan, grid=grid))
    plan = read_plan(options)
    held = held_out_plan(plan) if options.final_check else None
    bench = open_bench(plan.knowledge, plan.today, read_settings(options))
    work = SweepWork(grid, plan, bench, metric=options.metric, log=open_tuning_log(Settings()))
    interrupted = follow(work.steps(), quiet=options.quiet)
    sweep = work.result()
    assert sweep is not None, "without a finished question an interrupt has ended the command"
    check = None
    if held is not None and not interrupted:
        check, interrupted = _check(sweep, held, bench, quiet=options.quiet)
    for target in options.out:
        write_text(target, SWEEP_FORMATS[target.suffix.lower()](sweep, check))
    if options.json:
        print(to_json(sweep_document(sweep, check)), end="")
    else:
        show(sweep_view(sweep, check))
    return INTERRUPTED if interrupted else DONE


def _check(sweep: "Sweep", held: "Plan", bench: "Bench", *, quiet: bool) -> "tuple[Comparison | None, bool]":
    """The recommended setting against the start on the hold-out, which is not opened where both are the same."""
    import sys

    from rag_variants.evaluation.tuning.final_check import FinalCheck
    from rag_variants.evaluation.tuning.tuning_log import open_tuning_log
    from rag_variants.report.sweep_undecided import closed_sentence

    if sweep.recommended is None or sweep.recommended is sweep.start:
        print(f"note: {closed_sentence(sweep)}", file=sys.stderr)
        return None, False
    check = FinalCheck(sweep.start.variant, sweep.recommended.variant, held, bench, open_tuning_log(Settings()))
    interrupted = follow(check.steps(), quiet=quiet)
    return check.result(), interrupted
