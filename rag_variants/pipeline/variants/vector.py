"""Vector search alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.pipeline import Pipeline
from rag_variants.pipeline.query import Query
from rag_variants.pipeline.retrieve.passages import NeighbourSettings
from rag_variants.pipeline.retrieve.retriever import Retriever
from rag_variants.pipeline.retrieve.vector import VECTOR
from rag_variants.pipeline.setting import setting
from rag_variants.types import Hit


@dataclass(frozen=True, kw_only=True)
class Vector(NeighbourSettings, Pipeline):
    """Finds chunks whose meaning is near the question's."""

    name: ClassVar[str] = "vector"
    title: ClassVar[str] = "Vector (embeddings)"
    score_kind: ClassVar[str] = VECTOR.score_kind
    searches_weighted: ClassVar[bool] = True
    retrievers: ClassVar[tuple[Retriever, ...]] = (VECTOR,)
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

    def rank(self, query: Query, bench: Bench) -> Sequence[Hit]:
        """The best `candidates` chunks by cosine similarity."""
        return VECTOR.ask(self, query, bench)
