"""Which hits the answer may use."""

from rag_variants.types import Hit
from rag_variants.variants import read_variant
from rag_variants.variants.select import select_hits
from tests.making import chunk

RANKING = tuple(Hit(rank, chunk(f"{rank}.md", "x" * 100), 10.0 - rank) for rank in range(1, 6))


def ranks(spec: str) -> list[int]:
    return [hit.rank for hit in select_hits(RANKING, read_variant(spec))]


def test_top_k() -> None:
    assert ranks("keyword:top_k=2") == [1, 2]


def test_a_score_below_the_least_ends_the_list() -> None:
    assert ranks("keyword:min_score=7.5") == [1, 2]  # scores 9, 8, 7, …


def test_whole_chunks_within_the_budget() -> None:
    assert ranks("keyword:context_budget=300") == [1, 2, 3]  # 100 + 100 + 100
    assert ranks("keyword:context_budget=299") == [1, 2]
    assert ranks("keyword:context_budget=99") == []  # 0 would mean no limit
