"""Hybrid search: keyword and vector rankings, fused."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.fusion import fuse_rankings, last_rank_that_beats_a_lone_first
from rag_variants.pipeline.pipeline import Pipeline
from rag_variants.pipeline.query import Query
from rag_variants.pipeline.ranking import Scores
from rag_variants.pipeline.retrieve.keyword import KEYWORD, KeywordSettings, keyword_index
from rag_variants.pipeline.retrieve.passages import NeighbourSettings
from rag_variants.pipeline.retrieve.retriever import Retriever
from rag_variants.pipeline.retrieve.vector import VECTOR
from rag_variants.pipeline.setting import setting
from rag_variants.types import Hit


def lone_first_words(variant: "Hybrid") -> str:
    """What the fusion's constant means for a chunk that only one list has."""
    words = []
    for name, weight in (("keyword", variant.keyword_weight), ("vector", 1 - variant.keyword_weight)):
        last = last_rank_that_beats_a_lone_first(variant.rrf_k, weight)
        if last is None:
            words.append(f"a chunk that only the {name} list has gets no vote")
        elif last >= variant.candidates:
            words.append(f"a chunk that only the {name} list has, even at its rank 1, comes after every chunk of both")
        else:
            words.append(
                f"a chunk that only the {name} list has, at its rank 1, comes after those that both have down to rank "
                f"{last}"
            )
    same = variant.keyword_weight == 0.5  # both lists alike: one sentence says it
    shown = words[0].replace("the keyword list", "one list") if same else "; ".join(words)
    return f"{shown[0].upper()}{shown[1:]} (of {variant.candidates} candidates)."


@dataclass(frozen=True, kw_only=True)
class Hybrid(KeywordSettings, NeighbourSettings, Pipeline):
    """Fuses the keyword and the vector ranking by reciprocal rank."""

    name: ClassVar[str] = "hybrid"
    title: ClassVar[str] = "Hybrid (keyword + vector, RRF)"
    score_kind: ClassVar[str] = "reciprocal rank fusion"
    searches_weighted: ClassVar[bool] = True
    retrievers: ClassVar[tuple[Retriever, ...]] = (KEYWORD, VECTOR)
    summary: ClassVar[str] = "Fuses both rankings by reciprocal rank: what both find comes first."

    rrf_k: int = setting(
        60,
        stage="rank",
        label="rrf_k",
        help="How flat ranks count: score = weight ÷ (rrf_k + rank). "
        "At 60 a chunk in both lists beats rank 1 of one list.",
        minimum=0,
        maximum=200,
        step=1,
        tries=(5, 20, 60),
        explain=lone_first_words,
    )
    keyword_weight: float = setting(
        0.5,
        stage="rank",
        label="Keyword weight",
        help="The keyword list's weight, 0 to 1; the vector list has the rest.",
        minimum=0,
        maximum=1,
        step=0.05,
    )
    coverage: bool = setting(
        False,
        stage="rank",
        label="Coverage vote",
        help="Multiplies the keyword vote by the share of the question's rare terms that stand in the chunk.",
    )

    @property
    def fused_with(self) -> int | None:
        """`rrf_k`, or the constant of the fusion of wordings."""
        return super().fused_with or self.rrf_k

    def rank(self, query: Query, bench: Bench) -> Sequence[Hit]:
        """The best `candidates` chunks of both lists by reciprocal rank fusion; `coverage` is that of the question."""
        keyword, vector = (each.ask(self, query, bench) for each in self.retrievers)
        votes: Scores | float = self.keyword_weight
        if self.coverage:
            votes = self.keyword_weight * keyword_index(self, bench).coverages(query.question, keyword.places)
        return fuse_rankings(
            {"keyword": keyword, "vector": vector},
            {"keyword": votes, "vector": 1.0 - self.keyword_weight},
            self.rrf_k,
            self.candidates,
        )
