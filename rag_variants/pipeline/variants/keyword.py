"""Keyword search alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.pipeline import Pipeline
from rag_variants.pipeline.query import Query
from rag_variants.pipeline.retrieve.keyword import KEYWORD, KeywordSettings
from rag_variants.pipeline.retrieve.keyword_formula import NAMES
from rag_variants.pipeline.retrieve.retriever import Retriever
from rag_variants.pipeline.setting import setting
from rag_variants.types import Hit


@dataclass(frozen=True, kw_only=True)
class Keyword(KeywordSettings, Pipeline):
    """Finds chunks that share words with the question."""

    name: ClassVar[str] = "keyword"
    title: ClassVar[str] = "Keyword (BM25)"
    score_kind: ClassVar[str] = KEYWORD.score_kind
    searches_weighted: ClassVar[bool] = True
    retrievers: ClassVar[tuple[Retriever, ...]] = (KEYWORD,)
    summary: ClassVar[str] = (
        "Finds chunks that share words with the question. Strong on identifiers, blind to synonyms."
    )

    min_score: float = setting(
        0.0,
        stage="select",
        label="Least score",
        help="Chunks below this BM25 score are not selected. The scale depends on the documents.",
        minimum=0,
        maximum=100,
        step=0.5,
    )

    @property
    def scored_as(self) -> str:
        """As for every pipeline; the search's own scores by the name of their formula."""
        kind = super().scored_as
        return NAMES[self.formula] if kind == self.score_kind else kind

    def rank(self, query: Query, bench: Bench) -> Sequence[Hit]:
        """The best `candidates` chunks by BM25; none if no term is shared."""
        return KEYWORD.ask(self, query, bench)
