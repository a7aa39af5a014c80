"""`rag-variants show` and `rag-variants runs`: what was run before."""

import argparse
from pathlib import Path
from typing import Any

from rag_variants.cli.exits import DONE
from rag_variants.cli.printing import show
from rag_variants.settings import Settings


def add_commands(commands: Any) -> None:
    """Adds `show` and `runs`."""
    shown = commands.add_parser("show", help="the table of a run or comparison file, or the same as another file")
    shown.add_argument("file", type=Path, metavar="FILE", help="a run or comparison (.json)")
    shown.add_argument(
        "--out", type=Path, action="append", default=[], metavar="FILE", help=".md, .csv, .html …; may be repeated"
    )
    shown.set_defaults(command=_show)
    runs = commands.add_parser("runs", help="the runs that were kept, newest first")
    change = runs.add_mutually_exclusive_group()
    change.add_argument("--name", nargs=2, metavar=("RUN", "NAME"), help="give a run a name, to write run:NAME for it")
    change.add_argument("--baseline", metavar="RUN", help="mark a run as the baseline, to write run:baseline for it")
    change.add_argument("--delete", metavar="RUN", help="remove a run for good")
    runs.set_defaults(command=_runs)


def _show(options: argparse.Namespace) -> int:
    from rag_variants.report.export import COMPARISON_FORMATS, RUN_FORMATS, check_targets, write_text
    from rag_variants.report.reading import ReadComparison, load_result
    from rag_variants.report.terminal import comparison_view, run_view

    result = load_result(options.file)
    if isinstance(result, ReadComparison):
        check_targets(options.out, tuple(COMPARISON_FORMATS))
        for target in options.out:
            write_text(target, COMPARISON_FORMATS[target.suffix.lower()](result.comparison, result.findings))
        show(comparison_view(result.comparison, result.findings))
    else:
        check_targets(options.out, tuple(RUN_FORMATS))
        for target in options.out:
            write_text(target, RUN_FORMATS[target.suffix.lower()](result))
        show(run_view(result))
    return DONE


def _runs(options: argparse.Namespace) -> int:
    from rag_variants.report.terminal import saved_runs_view
    from rag_variants.storage.saved_runs import open_saved_runs

    kept = open_saved_runs(Settings())
    if options.name:
        kept.rename(kept.find(options.name[0]).id, options.name[1])
    if options.baseline:
        kept.mark_baseline(kept.find(options.baseline).id)
    if options.delete:
        kept.delete(kept.find(options.delete).id)
    show(saved_runs_view(*kept.notes()))
    return DONE
