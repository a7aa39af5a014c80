"""`rag-variants check`."""

import argparse
from pathlib import Path
from typing import Any

from rag_variants.cli.exits import COULD_NOT_START, DONE, NOT_MET


def add_commands(commands: Any) -> None:
    """Adds `check`."""
    parser = commands.add_parser("check", help="what is configured, and one call to each model")
    parser.add_argument("--kb", type=Path, metavar="PATH", help="also read this folder of documents")
    parser.add_argument("--questions", type=Path, metavar="PATH", help="also read this question file")
    parser.add_argument(
        "--model", action="append", default=[], metavar="SPEC", help="also ask this chat model once; may be repeated"
    )
    parser.add_argument(
        "--embeddings",
        action="append",
        default=[],
        metavar="SPEC",
        help="also ask this embedding model once; may be repeated",
    )
    parser.add_argument(
        "--reranker",
        action="append",
        default=[],
        metavar="SPEC",
        help="also ask this reranking model of an endpoint once; may be repeated",
    )
    parser.set_defaults(command=_check)


def _check(options: argparse.Namespace) -> int:
    from rag_variants.checks import run_checks

    failed = left_out = False
    checks = run_checks(options.kb, options.questions, options.model, options.embeddings, options.reranker)
    for each in checks:
        print(f"{'!!' if each.problem or each.left_out else 'ok'}  {each.name}: {each.problem or each.remark}")
        failed, left_out = failed or each.problem is not None, left_out or each.left_out
    return COULD_NOT_START if failed else NOT_MET if left_out else DONE
