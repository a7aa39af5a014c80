"""`rag-variants ladder`: from A to B one setting at a time."""

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rag_variants.cli.exits import DONE, INTERRUPTED
from rag_variants.cli.forecast import show_forecast
from rag_variants.cli.options import add_experiment_options, read_plan, read_settings
from rag_variants.cli.printing import follow, show
from rag_variants.settings import Settings

if TYPE_CHECKING:
    from rag_variants.metrics.metric import Metric


def add_commands(commands: Any) -> None:
    """Adds `ladder`."""
    parser = commands.add_parser("ladder", help="from A to B one setting at a time: what did each of them do?")
    parser.add_argument("a", metavar="A", help="a variant such as keyword or hybrid:top_k=3, or a kept run (.json)")
    parser.add_argument("b", metavar="B", help="the other one, with several other settings")
    parser.add_argument("--order", metavar="NAMES", help="the settings in the order of the steps (default: by stage)")
    parser.add_argument("--metric", metavar="NAME", help="the metric shown step by step (default: the leading one)")
    add_experiment_options(parser)
    parser.set_defaults(command=_ladder)


def _ladder(options: argparse.Namespace) -> int:
    from rag_variants.evaluation.ablation.ablation_work import AblationWork
    from rag_variants.evaluation.ablation.waypoints import list_waypoints
    from rag_variants.evaluation.runs import Run
    from rag_variants.pipeline import read_variant
    from rag_variants.pipeline.bench import open_bench
    from rag_variants.report.ablation_export import ABLATION_FORMATS, ablation_document, ablation_view
    from rag_variants.report.ablation_words import waiting_sentence
    from rag_variants.report.export import check_targets, write_text
    from rag_variants.report.words import leading_metric
    from rag_variants.storage.run_documents import to_json
    from rag_variants.storage.saved_runs import open_saved

    check_targets(options.out, tuple(ABLATION_FORMATS))
    order = None if options.order is None else [each.strip() for each in options.order.split(",")]
    sides = [open_saved(side, Settings()) or read_variant(side) for side in (options.a, options.b)]
    known = [side for side in sides if isinstance(side, Run)]
    a, b = (side.variant if isinstance(side, Run) else side for side in sides)
    waypoints = list_waypoints(a, b, order)
    waiting = waiting_sentence(order, waypoints) if order else None
    if waiting:
        print(f"note: {waiting}", file=sys.stderr)
    if options.forecast:
        return show_forecast(options, [waypoint.variant for waypoint in waypoints], known)
    plan = read_plan(options)
    _check_metric(options.metric, plan.metrics)
    walk = AblationWork(waypoints, plan, open_bench(plan.knowledge, plan.today, read_settings(options)), known)
    interrupted = follow(walk.steps(), quiet=options.quiet)
    ladder = walk.result()
    assert ladder is not None, "without a finished question an interrupt has ended the command"
    metric = options.metric or leading_metric(ladder.total)
    for target in options.out:
        write_text(target, ABLATION_FORMATS[target.suffix.lower()](ladder, metric))
    if options.json:
        print(to_json(ablation_document(ladder)), end="")
    else:
        show(ablation_view(ladder, metric))
    return INTERRUPTED if interrupted else DONE


def _check_metric(name: str | None, metrics: "Sequence[Metric]") -> None:
    from rag_variants.errors import UserError, unknown

    known = [metric.name for metric in metrics if metric.set != "effort"]
    if name is not None and name not in known:
        raise UserError(unknown("metric in this run", name, known) + " Add it with --metrics.")
