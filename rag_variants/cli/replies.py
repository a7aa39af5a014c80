"""`rag-variants replies`."""

import argparse
from typing import Any

from rag_variants.cli.exits import DONE


def add_commands(commands: Any) -> None:
    """Adds `replies`."""
    parser = commands.add_parser("replies", help="how many replies and vectors of endpoints are kept, or empty them")
    parser.add_argument("--empty", action="store_true", help="remove them all; they are asked and paid for again")
    parser.set_defaults(command=_replies)


def _replies(options: argparse.Namespace) -> int:
    from rag_variants.llm.cached_replies import open_cached_replies
    from rag_variants.llm.stored_vectors import StoredVectors, of_endpoints
    from rag_variants.settings import Settings

    settings = Settings()
    kept = open_cached_replies(settings)
    vectors = StoredVectors(settings.home, settings.state_folder)
    counts = of_endpoints(vectors.counts())
    if options.empty:
        print(f"{kept.empty():,} replies removed")
        vectors.empty(counts)
    else:
        size = kept.size()
        print(f"{size.replies:,} replies in {size.bytes / 1e6:,.1f} MB")
    for model, count in counts.items():
        named = f"of {model}" if model else "whose model is not known"
        print(f"{count:,} vectors {named}{' removed' if options.empty else ''}")
    if options.empty and counts and settings.chroma_url:
        print("Vectors on the Chroma server stay: remove its collections there.")
    return DONE
