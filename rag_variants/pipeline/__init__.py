"""What is compared. To add a variant: one file with its class, one line here, or an entry point of another package."""

from rag_variants.pipeline.answer import ANSWERERS
from rag_variants.pipeline.expand import EXPANDERS
from rag_variants.pipeline.pipeline import Pipeline
from rag_variants.pipeline.rerank import RERANKERS
from rag_variants.pipeline.retrieve import RETRIEVERS
from rag_variants.pipeline.spec import parse_variant, print_variant
from rag_variants.pipeline.variant import Variant
from rag_variants.pipeline.variants.hybrid import Hybrid
from rag_variants.pipeline.variants.keyword import Keyword
from rag_variants.pipeline.variants.vector import Vector
from rag_variants.registry import Registry

__all__ = [
    "ANSWERERS",
    "EXPANDERS",
    "RERANKERS",
    "RETRIEVERS",
    "VARIANTS",
    "Pipeline",
    "Variant",
    "print_variant",
    "read_variant",
]

VARIANTS: Registry[type[Variant]] = Registry(
    "variant",
    "rag_variants.variants",
    Variant,
    lambda variant: variant.name,
    (Keyword, Vector, Hybrid),
    classes=True,
)


def read_variant(text: str) -> Variant:
    """The variant that a text such as `hybrid:top_k=3` names. Raises VariantError."""
    return parse_variant(text, VARIANTS)
