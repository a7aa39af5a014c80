"""Hybrid search: keyword and vector rankings, fused."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rag_variants.pipeline.fusion import fuse_rankings, last_rank_that_beats_a_lone_first
from rag_variants.pipeline.query import Query
from rag_variants.pipeline.ranking import Ranking, Scores
from rag_variants.pipeline.retrieve.keyword import KeywordSettings, keyword_hits, keyword_index, term_hits
from rag_variants.pipeline.retrieve.passages import passages_of
from rag_variants.pipeline.retrieve.vector import VectorSettings, moved_hits, vector_hits
from rag_variants.pipeline.setting import setting
from rag_variants.pipeline.stages import Bench
from rag_variants.pipeline.variant import Variant
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
class Hybrid(KeywordSettings, VectorSettings, Variant):
    """Fuses the keyword and the vector ranking by reciprocal rank."""

    name: ClassVar[str] = "hybrid"
    title: ClassVar[str] = "Hybrid (keyword + vector, RRF)"
    score_kind: ClassVar[str] = "reciprocal rank fusion"
    searches_weighted: ClassVar[bool] = True
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

    def rank(self, question: str, bench: Bench) -> Sequence[Hit]:
        """The best `candidates` chunks of both lists by reciprocal rank fusion."""
        return self._fuse(question, keyword_hits(self, question, bench), vector_hits(self, question, bench), bench)

    def search(self, query: Query, bench: Bench) -> Sequence[Hit]:
        """The same by the weighted terms and the vector of a query; `coverage` is that of the question."""
        return self._fuse(query.question, term_hits(self, query, bench), moved_hits(self, query, bench), bench)

    def _fuse(self, question: str, keyword: Ranking, vector: Ranking, bench: Bench) -> Ranking:
        votes: Scores | float = self.keyword_weight
        if self.coverage:
            votes = self.keyword_weight * keyword_index(self, bench).coverages(question, keyword.places)
        return fuse_rankings(
            {"keyword": keyword, "vector": vector},
            {"keyword": votes, "vector": 1.0 - self.keyword_weight},
            self.rrf_k,
            self.candidates,
        )

    def embedded_texts(self, bench: Bench) -> Sequence[str]:
        """The passages that need vectors."""
        return [passage.text for passage in passages_of(self, bench)]
