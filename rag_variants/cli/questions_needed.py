"""`rag-variants questions-needed`: how many questions would show a change of a chosen size."""

import argparse
from dataclasses import asdict
from typing import Any

from rag_variants.cli.exits import DONE, INTERRUPTED
from rag_variants.cli.experiments import do_runs
from rag_variants.cli.forecast import show_forecast_of_sides
from rag_variants.cli.options import add_experiment_options
from rag_variants.cli.printing import show
from rag_variants.evaluation.statistics.planner import POWER


def add_commands(commands: Any) -> None:
    """Adds `questions-needed`."""
    parser = commands.add_parser(
        "questions-needed", help="how many questions would show a change of a chosen size, from the spread at hand"
    )
    parser.add_argument("a", metavar="A", help="a variant such as keyword or hybrid:top_k=3, or a kept run (.json)")
    parser.add_argument("b", metavar="B", help="the other one: how much their scores differ is the spread")
    parser.add_argument(
        "--change", type=_share, default=0.05, metavar="SIZE", help="the change to be shown (default: %(default)s)"
    )
    parser.add_argument(
        "--power", type=_share, default=POWER, metavar="SHARE", help="in what share of runs (default: %(default)s)"
    )
    add_experiment_options(parser)
    parser.set_defaults(command=_questions_needed)


def _questions_needed(options: argparse.Namespace) -> int:
    from rag_variants.evaluation.compare import compare_runs
    from rag_variants.evaluation.statistics.planner import questions_needed
    from rag_variants.report.needs import needs_view
    from rag_variants.storage.run_documents import to_json

    if options.forecast:
        return show_forecast_of_sides(options, (options.a, options.b))
    (a, b), interrupted = do_runs(options, (options.a, options.b))
    comparison = compare_runs(a, b)
    needs = {
        name: questions_needed(comparison, name, options.change, power=options.power) for name in comparison.metrics
    }
    if options.json:
        print(to_json({name: asdict(need) if need else None for name, need in needs.items()}), end="")
    else:
        show(needs_view(comparison, needs, options.change, options.power))
    return INTERRUPTED if interrupted else DONE


def _share(text: str) -> float:
    value = float(text)
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 1")
    return value
