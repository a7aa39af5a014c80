"""What every command that answers questions can be asked."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rag_variants.corpus.knowledge import Skipped
    from rag_variants.evaluation.plan import Plan
    from rag_variants.settings import Settings


def add_source_options(parser: argparse.ArgumentParser) -> None:
    """Which documents and questions."""
    add = parser.add_argument
    add("--kb", type=Path, metavar="PATH", help="folder of .md and .txt documents (default: the sample)")
    add("--questions", type=Path, metavar="PATH", help="question file: .jsonl, .json, .csv (default: the sample's)")


def add_experiment_options(parser: argparse.ArgumentParser) -> None:
    """Which documents, questions, metrics and judge; how many; where the result goes."""
    add_source_options(parser)
    add = parser.add_argument
    given = " (default: %(default)s)"
    add("--metrics", default="retrieval,core,answer", metavar="NAMES", help=f"sets or names, or `all`{given}")
    add("--judge", default="embedded", metavar="SPEC", help=f"who gives verdicts{given}")
    add("--judge-embeddings", default="embedded", metavar="SPEC", help=f"encoder of answer metrics{given}")
    add(
        "--slice",
        metavar="TAG=VALUE",
        help="only these questions; also kind=stale,language=pl|zh or id=ID|ID; `all` for every question "
        "(default: every question, of the sample the general ones)",
    )
    add("--limit", type=positive, metavar="N", help="only the first N questions")
    add(
        "--concurrency",
        type=positive,
        metavar="N",
        help="calls at once to an endpoint (default: 16, or what is set for the endpoint)",
    )
    add(
        "--forecast", action="store_true", help="only say what models elsewhere would still be asked, and what it costs"
    )
    add("--seed", type=int, default=0, metavar="N", help="seed of the sign flips (default: 0)")
    add(
        "--out",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help=".json, .csv, .md or .html (run: .json, .csv or .jsonl, answers to replay); may be repeated",
    )
    add("--json", action="store_true", help="print JSON instead of a table")
    add("--quiet", action="store_true", help="no progress on standard error")


def read_plan(options: argparse.Namespace) -> "Plan":
    """The plan that the options give; what was left out of the files goes to standard error. Raises UserError."""
    from rag_variants.evaluation.plan import make_plan

    plan = make_plan(
        options.kb,
        options.questions,
        options.metrics,
        judge=options.judge,
        judge_embeddings=options.judge_embeddings,
        seed=options.seed,
        today=read_settings(options).today(),
    ).restricted(options.slice, options.limit)
    name_left_out(*plan.knowledge.skipped, *plan.questions.skipped)
    for note in (*plan.knowledge.notes, *plan.questions.notes):
        print(f"note: {note}", file=sys.stderr)
    return plan


def read_settings(options: argparse.Namespace) -> "Settings":
    """The environment's settings with what the options put in their place. Raises ModelError."""
    from rag_variants.settings import Settings

    return Settings() if options.concurrency is None else Settings(concurrency=options.concurrency)


def name_left_out(*skipped: "Skipped") -> None:
    """Says on standard error which files, rows or lines were left out, and why."""
    for each in skipped:
        print(f"left out: {each.name}: {each.reason}", file=sys.stderr)


def positive(text: str) -> int:
    """A whole number from 1, for argparse."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is below 1")
    return value
