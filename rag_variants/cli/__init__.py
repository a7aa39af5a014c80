"""`rag-variants …`: arguments and exit codes; the work is done by the library."""

import argparse
import io
import sys
from collections.abc import Sequence

from rag_variants.cli import (
    agreement,
    app,
    attribution,
    check,
    experiments,
    ladder,
    lessons,
    listing,
    questions_needed,
    replies,
    saved_runs,
    sweep,
)
from rag_variants.cli.exits import COULD_NOT_START, DONE, INTERRUPTED
from rag_variants.cli.printing import InterruptedWorkError
from rag_variants.errors import UserError
from rag_variants.version import __version__


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command.

    0 done, 1 requirement not met, 2 could not start, 3 requirement undecided, 130 interrupted, with what was finished
    kept.
    """
    _write_any_letter()
    options = _parser().parse_args(arguments)
    try:
        return int(options.command(options))
    except UserError as error:
        print(f"rag-variants: {error}", file=sys.stderr)
        return INTERRUPTED if isinstance(error, InterruptedWorkError) else COULD_NOT_START
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
    measuring = (experiments, ladder, sweep, attribution, questions_needed, lessons, agreement)
    for module in (*measuring, saved_runs, listing, check, replies, app):
        module.add_commands(commands)
    return parser
