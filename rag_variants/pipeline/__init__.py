"""What is compared. A variant is one file here and one line below, or an entry point of another package."""

from functools import cache
from importlib.metadata import entry_points

from rag_variants.pipeline.retrieve.hybrid import Hybrid
from rag_variants.pipeline.retrieve.keyword import Keyword
from rag_variants.pipeline.retrieve.vector import Vector
from rag_variants.pipeline.spec import parse_variant, print_variant
from rag_variants.pipeline.variant import Variant

__all__ = ["BUILT_IN", "Variant", "known_variants", "print_variant", "read_variant"]

BUILT_IN: tuple[type[Variant], ...] = (Keyword, Vector, Hybrid)


@cache
def known_variants() -> dict[str, type[Variant]]:
    """Every variant by name: the built-in ones, then those of installed packages."""
    found = [*BUILT_IN, *(point.load() for point in entry_points(group="rag_variants.variants"))]
    return {variant.name: variant for variant in found}


def read_variant(text: str) -> Variant:
    """The variant that a text such as `hybrid:top_k=3` names. Raises VariantError."""
    return parse_variant(text, known_variants())
