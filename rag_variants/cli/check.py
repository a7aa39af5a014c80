"""`rag-variants check`."""

import argparse
from pathlib import Path
from typing import Any

from rag_variants.cli.exits import COULD_NOT_START, DONE


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

    failed = False
    checks = run_checks(options.kb, options.questions, options.model, options.embeddings, options.reranker)
    for name, problem, remark in checks:
        print(f"{'!!' if problem else 'ok'}  {name}: {problem or remark}")
        failed = failed or problem is not None
    return COULD_NOT_START if failed else DONE
