"""`rag-variants attribution`: did other chunks move the scores, or another way of answering?"""

import argparse
from typing import Any

from rag_variants.cli.exits import DONE, INTERRUPTED
from rag_variants.cli.forecast import show_forecast
from rag_variants.cli.options import add_experiment_options, read_plan, read_settings
from rag_variants.cli.printing import follow, show
from rag_variants.settings import Settings


def add_commands(commands: Any) -> None:
    """Adds `attribution`."""
    parser = commands.add_parser(
        "attribution", help="what moved the scores: other chunks, or another way of answering?"
    )
    parser.add_argument("a", metavar="A", help="a variant such as keyword or hybrid:top_k=3, or a kept run (.json)")
    parser.add_argument("b", metavar="B", help="the other one, with other retrieval and other answer settings")
    add_experiment_options(parser)
    parser.set_defaults(command=_attribution)


def _attribution(options: argparse.Namespace) -> int:
    from rag_variants.evaluation.comparison import headline_of
    from rag_variants.evaluation.reasons.attribution import Swap, swap_answers
    from rag_variants.evaluation.runs import Run
    from rag_variants.pipeline import read_variant
    from rag_variants.pipeline.bench import open_bench
    from rag_variants.report.attribution import attribution_document, attribution_view
    from rag_variants.report.export import check_targets, write_text
    from rag_variants.storage.run_documents import to_json
    from rag_variants.storage.saved_runs import open_saved

    check_targets(options.out, (".json",))
    sides = [open_saved(side, Settings()) or read_variant(side) for side in (options.a, options.b)]
    known = [side for side in sides if isinstance(side, Run)]
    a, b = (side.variant if isinstance(side, Run) else side for side in sides)
    if options.forecast:
        return show_forecast(options, (a, *swap_answers(a, b), b), known)
    plan = read_plan(options)
    bench = open_bench(plan.knowledge, plan.today, read_settings(options))
    swap = Swap(a, b, plan, bench, known)
    interrupted = follow(swap.steps(), quiet=options.quiet)
    found = swap.result()
    assert found is not None, "without a finished question an interrupt has ended the command"
    document = to_json(attribution_document(found))
    for target in options.out:
        write_text(target, document)
    if options.json:
        print(document, end="")
    else:
        headline = headline_of(found.metrics)
        show(attribution_view(found, plan.judge, headline.answers or headline.retrieval))
    return INTERRUPTED if interrupted else DONE
