"""`rag-variants list`."""

import argparse
from typing import Any

from rag_variants.cli.exits import DONE
from rag_variants.cli.printing import show


def add_commands(commands: Any) -> None:
    """Adds `list`."""
    parser = commands.add_parser("list", help="variants with their settings, metrics, judges")
    parser.set_defaults(command=_list)


def _list(options: argparse.Namespace) -> int:
    from rag_variants.report.listing import listing_view
    from rag_variants.settings import Settings

    show(listing_view(Settings()))
    return DONE
