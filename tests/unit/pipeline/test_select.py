"""Which hits the answer may use."""

import pytest

from rag_variants.pipeline import read_variant
from rag_variants.pipeline.select.select import ending_setting, select_hits
from rag_variants.types import Hit
from tests.making import bench, chunk

RANKING = tuple(Hit(rank, chunk(f"{rank}.md", "x" * 100), 10.0 - rank) for rank in range(1, 6))

BENCH = bench({})


def ranks(spec: str) -> list[int]:
    return [hit.rank for hit in select_hits(RANKING, read_variant(spec), BENCH)]


def test_top_k() -> None:
    assert ranks("keyword:top_k=2") == [1, 2]


def test_a_score_below_the_least_ends_the_list() -> None:
    assert ranks("keyword:min_score=7.5") == [1, 2]  # scores 9, 8, 7, …


def test_whole_chunks_within_the_budget() -> None:
    assert ranks("keyword:context_budget=300") == [1, 2, 3]  # 100 + 100 + 100
    assert ranks("keyword:context_budget=299") == [1, 2]
    assert ranks("keyword:context_budget=99") == []  # 0 would mean no limit


@pytest.mark.parametrize(
    ("spec", "setting"),
    [
        ("keyword:top_k=2", "top_k"),
        ("keyword:min_score=7.5", "min_score"),  # rank 3 has 7
        ("keyword:context_budget=299", "context_budget"),  # rank 3 would make it 300
        ("keyword:top_k=5", None),  # all five are selected
    ],
)
def test_what_ended_the_list(spec: str, setting: str | None) -> None:
    variant = read_variant(spec)
    assert ending_setting(RANKING, select_hits(RANKING, variant, BENCH), variant) == setting
