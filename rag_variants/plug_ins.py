"""Everything that other packages may bring, and what of it could not be used."""

from typing import Any

from rag_variants.corpus.loaders import LOADERS
from rag_variants.judges import JUDGES
from rag_variants.metrics import METRICS
from rag_variants.pipeline import VARIANTS
from rag_variants.pipeline.answer import ANSWERERS
from rag_variants.pipeline.expand import EXPANDERS
from rag_variants.pipeline.rerank import RERANKERS
from rag_variants.pipeline.retrieve import RETRIEVERS
from rag_variants.questions.importers import IMPORTERS
from rag_variants.registry import Registry, left_out_of

# Every registry; whoever makes one adds it here.
REGISTRIES: tuple[Registry[Any], ...] = (
    LOADERS,
    IMPORTERS,
    RETRIEVERS,
    EXPANDERS,
    RERANKERS,
    ANSWERERS,
    VARIANTS,
    METRICS,
    JUDGES,
)


def left_out_plug_ins() -> tuple[str, ...]:
    """A sentence for each part of an installed package that cannot be used: what is wrong, and what to do."""
    return left_out_of(REGISTRIES)
