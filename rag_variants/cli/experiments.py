"""`rag-variants compare` and `rag-variants run`."""

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rag_variants.cli.exits import DONE, INTERRUPTED, NOT_MET, UNDECIDED
from rag_variants.cli.forecast import show_forecast_of_sides
from rag_variants.cli.options import add_experiment_options, positive, read_plan, read_settings
from rag_variants.cli.printing import follow, show
from rag_variants.settings import Settings

if TYPE_CHECKING:
    from rag_variants.evaluation.gates.gates import JudgedRequirement
    from rag_variants.evaluation.runs import Run
    from rag_variants.evaluation.work import Progress
    from rag_variants.types import Question

Check = Callable[[Iterable[str], "Iterable[Question]"], None]  # metrics measured and questions asked, before any work


def add_commands(commands: Any) -> None:
    """Adds `compare` and `run`."""
    compare = commands.add_parser("compare", help="two variants, the same questions, deltas")
    compare.add_argument("a", metavar="A", help="a variant such as keyword or hybrid:top_k=3, or a kept run (.json)")
    compare.add_argument("b", metavar="B", help="the other one")
    compare.add_argument(
        "--require",
        action="append",
        default=[],
        metavar="TEXT",
        help="what has to hold, such as 'context_recall not worse by 0.02' or 'B.faithfulness>=0.9'; may be repeated",
    )
    compare.add_argument(
        "--anyway",
        action="store_true",
        help="compare what runs with other questions, documents, judge or metrics share; the difference is named first",
    )
    compare.add_argument(
        "--critical",
        default="",
        metavar="TAG=VALUE",
        help="questions whose changes are listed one by one (default: risk=high, where questions carry it)",
    )
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
    from rag_variants.evaluation.compare import compare_runs
    from rag_variants.evaluation.gates.gates import judge_requirements
    from rag_variants.evaluation.gates.requirements import check_requirements, read_requirement
    from rag_variants.evaluation.reasons.critical import read_critical
    from rag_variants.report.document import comparison_document
    from rag_variants.report.export import COMPARISON_FORMATS, check_targets, write_text
    from rag_variants.report.terminal import comparison_view
    from rag_variants.storage.run_documents import to_json

    if options.forecast:
        return show_forecast_of_sides(options, (options.a, options.b))
    check_targets(options.out, tuple(COMPARISON_FORMATS))
    required = [read_requirement(text) for text in options.require]
    if options.critical:
        read_critical(options.critical, ())
    (a, b), interrupted = do_runs(
        options,
        (options.a, options.b),
        check=lambda metrics, questions: check_requirements(required, metrics, questions),
    )
    comparison = replace(compare_runs(a, b, anyway=options.anyway), critical=options.critical)
    findings = judge_requirements(required, comparison)
    for target in options.out:
        write_text(target, COMPARISON_FORMATS[target.suffix.lower()](comparison, findings))
    if options.json:
        print(to_json(comparison_document(comparison, findings)), end="")
    else:
        show(comparison_view(comparison, findings))
    return INTERRUPTED if interrupted else _exit_code((a, b), findings)


def _exit_code(runs: "Sequence[Run]", findings: "Sequence[JudgedRequirement]" = ()) -> int:
    """Nothing is decided where every answer or judgement failed, whatever was required."""
    from rag_variants.evaluation.gates.gates import overall

    if any(run.failure for run in runs):
        return UNDECIDED
    return {"met": DONE, "not met": NOT_MET, "undecided": UNDECIDED}[overall(findings)]


def _run(options: argparse.Namespace) -> int:
    from rag_variants.report.export import RUN_FORMATS, check_targets, write_text
    from rag_variants.report.terminal import run_view
    from rag_variants.storage.run_documents import run_document, to_json

    if options.forecast:
        return show_forecast_of_sides(options, (options.a,))
    check_targets(options.out, tuple(RUN_FORMATS))
    (run,), interrupted = do_runs(options, (options.a,))
    for target in options.out:
        write_text(target, RUN_FORMATS[target.suffix.lower()](run))
    if options.json:
        print(to_json(run_document(run)), end="")
    else:
        show(run_view(run))
    return INTERRUPTED if interrupted else _exit_code([run])


def do_runs(
    options: argparse.Namespace, sides: Sequence[str], check: Check = lambda metrics, questions: None
) -> "tuple[list[Run], bool]":
    """The run of each side, kept ones read and variants run together; whether it was interrupted."""
    from rag_variants.evaluation.judging.repeat_work import Repetition
    from rag_variants.evaluation.run import Experiment
    from rag_variants.evaluation.tuning.tuning_log import open_tuning_log, opening_holdout
    from rag_variants.pipeline import read_variant
    from rag_variants.pipeline.bench import open_bench
    from rag_variants.storage.saved_runs import open_saved, save_finished

    kept = {side: run for side in sides if (run := open_saved(side, Settings())) is not None}
    variants = {side: read_variant(side) for side in sides if side not in kept}
    for run in kept.values():
        check(run.metrics, [row.record.question for row in run.rows])
    if not variants:
        return [kept[side] for side in sides], False
    plan = opening_holdout(read_plan(options), open_tuning_log(Settings()))
    check([metric.name for metric in plan.metrics], plan.questions.questions)
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
    save_finished(made.values(), Settings())
    return [kept.get(side) or made[side] for side in sides], interrupted
