"""`rag-variants replies`."""

import argparse
from typing import Any

from rag_variants.cli.exits import DONE


def add_commands(commands: Any) -> None:
    """Adds `replies`."""
    parser = commands.add_parser("replies", help="how many replies of models are kept, or empty them")
    parser.add_argument("--empty", action="store_true", help="remove them all; they are asked and paid for again")
    parser.set_defaults(command=_replies)


def _replies(options: argparse.Namespace) -> int:
    from rag_variants.llm.cached_replies import open_cached_replies
    from rag_variants.settings import Settings

    kept = open_cached_replies(Settings())
    if options.empty:
        print(f"{kept.empty():,} replies removed")
    else:
        size = kept.size()
        print(f"{size.replies:,} replies in {size.bytes / 1e6:,.1f} MB")
    return DONE
