"""`rag-variants …`: arguments and exit codes; the work is done by the library."""

import argparse
import io
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rag_variants import __version__
from rag_variants.errors import UserError

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.progress import TaskID

    from rag_variants.experiment.runs import Run
    from rag_variants.experiment.work import Stepwise
    from rag_variants.knowledge.base import Skipped

DONE, NOT_MET, COULD_NOT_START, INTERRUPTED = 0, 1, 2, 130
WIDTH_IN_FILES = 160


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command. 0 done, 1 requirement not met, 2 could not start, 130 interrupted: what is finished is kept."""
    _write_any_letter()
    options = _parser().parse_args(arguments)
    try:
        return int(options.command(options))
    except UserError as error:
        print(f"rag-variants: {error}", file=sys.stderr)
        return COULD_NOT_START
    except KeyboardInterrupt:
        print("\nrag-variants: interrupted.", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        return DONE


def _write_any_letter() -> None:
    """Lets pipes and files have UTF-8 whatever the system's code page is, and no terminal fail at a letter it lacks."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="replace")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="rag-variants", description="Run the same questions through two RAG variants and see what the change did."
    )
    parser.add_argument("--version", action="version", version=f"rag-variants {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    compare = commands.add_parser("compare", help="two variants, the same questions, deltas")
    compare.add_argument("a", metavar="A", help="a variant such as keyword or hybrid:top_k=3, or a kept run (.json)")
    compare.add_argument("b", metavar="B", help="the other one")
    _add_experiment_options(compare)
    compare.set_defaults(command=_compare)
    run = commands.add_parser("run", help="one variant alone")
    run.add_argument("a", metavar="A", help="a variant such as keyword or hybrid:top_k=3")
    _add_experiment_options(run)
    run.set_defaults(command=_run)
    listing = commands.add_parser("list", help="variants with their settings, metrics, judges")
    listing.set_defaults(command=_list)
    check = commands.add_parser("check", help="what is configured, and one call to each model")
    check.add_argument("--kb", type=Path, metavar="PATH", help="also read this folder of documents")
    check.add_argument("--questions", type=Path, metavar="PATH", help="also read this question file")
    check.set_defaults(command=_check)
    agreement = commands.add_parser("agreement", help="how far a judge agrees with people's labels")
    agreement.add_argument(
        "--labels", type=Path, metavar="FILE", help="labels, one JSON object a line (default: the sample's)"
    )
    agreement.add_argument("--judge", default="embedded", metavar="SPEC", help="default: embedded")
    agreement.add_argument("--json", action="store_true", help="print JSON")
    agreement.set_defaults(command=_agreement)
    lessons = commands.add_parser("lessons", help="run the lessons and say whether each still holds")
    lessons.add_argument("only", nargs="*", metavar="ID", help="lessons to run (default: all)")
    lessons.add_argument("--lessons", type=Path, metavar="FILE", help="lesson file, .jsonl (default: the sample's)")
    _add_source_options(lessons)
    lessons.add_argument("--sheet", type=Path, metavar="FILE", help="write the teacher's answer sheet: .md or .html")
    lessons.add_argument("--language", choices=("en", "pl", "zh"), default="en", help="of the sheet (default: en)")
    lessons.add_argument("--json", action="store_true", help="print JSON instead of a table")
    lessons.add_argument("--quiet", action="store_true", help="no progress on standard error")
    lessons.set_defaults(command=_lessons)
    app = commands.add_parser("app", help="open the browser page")
    app.add_argument("--port", type=int, default=8501, help="default: 8501")
    app.add_argument(
        "--listen", default="localhost", metavar="ADDRESS", help="0.0.0.0 lets others in (default: localhost)"
    )
    app.add_argument("--no-browser", action="store_true", help="do not open a browser window")
    app.set_defaults(command=_app)
    return parser


def _add_source_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--kb", type=Path, metavar="PATH", help="folder of .md and .txt documents (default: the sample)")
    add("--questions", type=Path, metavar="PATH", help="question file: .jsonl, .json, .csv (default: the sample's)")


def _add_experiment_options(parser: argparse.ArgumentParser) -> None:
    _add_source_options(parser)
    add = parser.add_argument
    add(
        "--metrics",
        default="retrieval,core,answer",
        metavar="NAMES",
        help="sets or names, or `all` (default: %(default)s)",
    )
    add("--judge", default="embedded", metavar="SPEC", help="who gives verdicts (default: %(default)s)")
    add(
        "--judge-embeddings",
        default="embedded",
        metavar="SPEC",
        help="encoder of answer metrics (default: %(default)s)",
    )
    add("--slice", metavar="TAG=VALUE", help="only these questions; also kind=stale,language=pl|zh and id=ID|ID")
    add("--limit", type=_positive, metavar="N", help="only the first N questions")
    add("--seed", type=int, default=0, metavar="N", help="seed of the sign flips (default: 0)")
    add("--out", type=Path, action="append", default=[], metavar="FILE", help=".json, .csv or .md; may be repeated")
    add("--json", action="store_true", help="print JSON instead of a table")
    add("--quiet", action="store_true", help="no progress on standard error")


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is below 1")
    return value


def _compare(options: argparse.Namespace) -> int:
    from rag_variants.experiment.compare import compare_runs
    from rag_variants.report.document import comparison_document
    from rag_variants.report.export import COMPARISON_FORMATS, check_targets, write_text
    from rag_variants.report.terminal import comparison_view
    from rag_variants.store import to_json

    check_targets(options.out, tuple(COMPARISON_FORMATS))
    (a, b), interrupted = _do_runs(options, (options.a, options.b))
    comparison = compare_runs(a, b)
    for target in options.out:
        write_text(target, COMPARISON_FORMATS[target.suffix.lower()](comparison))
    if options.json:
        print(to_json(comparison_document(comparison)), end="")
    else:
        _show(comparison_view(comparison))
    return INTERRUPTED if interrupted else DONE


def _run(options: argparse.Namespace) -> int:
    from rag_variants.report.export import RUN_FORMATS, check_targets, write_text
    from rag_variants.report.terminal import run_view
    from rag_variants.store import run_document, to_json

    check_targets(options.out, tuple(RUN_FORMATS))
    (run,), interrupted = _do_runs(options, (options.a,))
    for target in options.out:
        write_text(target, RUN_FORMATS[target.suffix.lower()](run))
    if options.json:
        print(to_json(run_document(run)), end="")
    else:
        _show(run_view(run))
    return INTERRUPTED if interrupted else DONE


def _do_runs(options: argparse.Namespace, sides: Sequence[str]) -> "tuple[list[Run], bool]":
    """The run of each side, kept ones read and variants run together; whether it was interrupted."""
    from rag_variants.experiment.plan import make_plan
    from rag_variants.experiment.run import Experiment
    from rag_variants.store import is_run_file, load_run
    from rag_variants.variants import read_variant
    from rag_variants.variants.stages import open_bench

    kept = {side: load_run(Path(side)) for side in sides if is_run_file(side)}
    variants = {side: read_variant(side) for side in sides if side not in kept}
    if not variants:
        return [kept[side] for side in sides], False
    plan = make_plan(
        options.kb,
        options.questions,
        options.metrics,
        judge=options.judge,
        judge_embeddings=options.judge_embeddings,
        seed=options.seed,
    ).restricted(options.slice, options.limit)
    _name_left_out(*plan.knowledge.skipped, *plan.questions.skipped)
    for note in plan.questions.notes:
        print(f"note: {note}", file=sys.stderr)
    experiment = Experiment(list(variants.values()), plan, open_bench(plan.knowledge, plan.today))
    interrupted = _watch(experiment, quiet=options.quiet)
    made = dict(zip(variants, experiment.runs(), strict=True))
    return [kept.get(side) or made[side] for side in sides], interrupted


def _name_left_out(*skipped: "Skipped") -> None:
    for each in skipped:
        print(f"left out: {each.name}: {each.reason}", file=sys.stderr)


def _watch(work: "Stepwise", *, quiet: bool) -> bool:
    """Does work with a bar on standard error; True if it was interrupted with something finished."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from rag_variants.experiment.work import STEP_WORDS

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    finished = False
    with Progress(*columns, console=Console(stderr=True), disable=quiet, transient=True) as bars:
        shown: dict[str, TaskID] = {}
        try:
            for step in work.steps():
                if step.step not in shown:
                    shown[step.step] = bars.add_task(STEP_WORDS[step.step], total=step.of)
                bars.update(shown[step.step], completed=step.done, total=step.of)
                finished = finished or step.step == "questions"
        except KeyboardInterrupt:
            if not finished:
                raise
            return True
    return False


def _show(view: "RenderableType") -> None:
    from rich.console import Console

    console = Console(highlight=False)
    if not console.is_terminal:  # a pipe has no width; a table must not be cut for it
        console = Console(highlight=False, width=WIDTH_IN_FILES)
    console.print(view)


def _list(options: argparse.Namespace) -> int:
    from rag_variants.report.listing import listing_view

    _show(listing_view())
    return DONE


def _check(options: argparse.Namespace) -> int:
    from rag_variants.checks import run_checks

    failed = False
    for name, problem, remark in run_checks(options.kb, options.questions):
        print(f"{'!!' if problem else 'ok'}  {name}: {problem or remark}")
        failed = failed or problem is not None
    return COULD_NOT_START if failed else DONE


def _agreement(options: argparse.Namespace) -> int:
    from rag_variants.experiment.agreement import measure_agreement
    from rag_variants.experiment.plan import make_plan
    from rag_variants.questions.labels import load_labels
    from rag_variants.report.terminal import agreement_view
    from rag_variants.sample import sample_labels_file
    from rag_variants.variants.stages import open_bench

    plan = make_plan(metrics="faithfulness", judge=options.judge)
    labels = load_labels(options.labels or sample_labels_file())
    measured = measure_agreement(labels, plan, open_bench(plan.knowledge, plan.today))
    if options.json:
        print(json.dumps(measured, ensure_ascii=False, indent=1))
    else:
        _show(agreement_view(measured))
    return DONE


def _lessons(options: argparse.Namespace) -> int:
    from rag_variants.experiment.plan import make_plan
    from rag_variants.lessons.course import Course
    from rag_variants.lessons.reader import load_lessons
    from rag_variants.report.answer_sheet import SHEET_FORMATS
    from rag_variants.report.export import check_targets, write_text
    from rag_variants.report.lessons import course_document, course_view
    from rag_variants.sample import sample_lessons_file
    from rag_variants.store import to_json
    from rag_variants.variants.stages import open_bench

    check_targets([options.sheet] if options.sheet else [], tuple(SHEET_FORMATS))
    plan = make_plan(options.kb, options.questions)
    loaded = load_lessons(options.lessons or sample_lessons_file(), plan.questions)
    _name_left_out(*plan.knowledge.skipped, *plan.questions.skipped, *loaded.skipped)
    course = Course(loaded.only(options.only).lessons, plan, open_bench(plan.knowledge, plan.today))
    interrupted = _watch(course, quiet=options.quiet)
    taught = course.result() or ()
    if options.sheet:
        write_text(options.sheet, SHEET_FORMATS[options.sheet.suffix.lower()](taught, options.language))
    if options.json:
        print(to_json(course_document(taught)), end="")
    else:
        _show(course_view(taught))
    if interrupted:
        return INTERRUPTED
    return DONE if all(each.holds for each in taught) and not loaded.skipped else NOT_MET


def _app(options: argparse.Namespace) -> int:
    from rag_variants.settings import packaged
    from rag_variants.ui.server import server_options

    flags = server_options(options.port, options.listen, headless=options.no_browser)
    return subprocess.call([sys.executable, "-m", "streamlit", "run", str(packaged("app.py")), *flags])


if __name__ == "__main__":
    sys.exit(main())
