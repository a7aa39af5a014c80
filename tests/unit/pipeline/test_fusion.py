"""Reciprocal rank fusion: the cases H-11 and H-12."""

import subprocess
import sys

import pytest

from rag_variants.pipeline import read_variant
from rag_variants.pipeline.fusion import fuse_rankings, last_rank_that_beats_a_lone_first
from rag_variants.pipeline.query import Query
from rag_variants.pipeline.ranking import Ranking
from rag_variants.types import Hit
from tests.making import bench, hits


def fuse(keyword: tuple[Hit, ...], vector: tuple[Hit, ...], rrf_k: int = 60, weight: float = 0.5) -> Ranking:
    chunks = [hit.chunk for hit in (*keyword, *vector)]
    rankings = {"keyword": Ranking.of(keyword, chunks), "vector": Ranking.of(vector, chunks)}
    return fuse_rankings(rankings, {"keyword": weight, "vector": 1 - weight}, rrf_k, 50)


def test_equal_scores_go_by_document() -> None:
    fused = fuse(hits("x", "a"), hits("y", "b"))
    assert [hit.chunk.document for hit in fused] == ["x", "y", "a", "b"]


def test_a_document_in_both_lists_beats_rank_one_of_one_list() -> None:
    fused = fuse(hits("s", "t", "r"), hits("p", "q", "r"))
    assert fused[0].chunk.document == "r"
    assert fused[0].score == pytest.approx(0.5 / 63 + 0.5 / 63)
    assert fused[1].score == pytest.approx(0.5 / 61)


def test_parts_add_up_to_the_score() -> None:
    for hit in fuse(hits("a", "b", "c"), hits("c", "d"), rrf_k=5, weight=0.3):
        assert hit.score == pytest.approx(sum(part.share for _, part in hit.parts))


def test_a_list_with_weight_zero_gives_nothing() -> None:
    assert [hit.chunk.document for hit in fuse(hits("a"), hits("b"), weight=0.0)] == ["b"]


def test_equal_text_in_two_files_stays_two_chunks() -> None:
    shared = "Contact support at the front desk."
    texts = {"a.md": f"{shared} Opening hours are 9 to 17.", "b.md": f"{shared} Parking is free."}
    fused = read_variant("hybrid:chunk_size=50,chunk_overlap=0").rank(Query("How do I contact support?"), bench(texts))
    found = [hit.chunk.id for hit in fused if shared in hit.chunk.text]
    assert found == ["a.md:0-34", "b.md:0-34"]
    both = [hit.score for hit in fused if len(hit.parts) == 2]
    alone = [hit.score for hit in fused if len(hit.parts) == 1]
    assert both
    assert min(both) > max(alone, default=0.0)


def test_the_order_does_not_come_from_a_hash() -> None:
    program = (
        "from tests.unit.pipeline.test_fusion import fuse; from tests.making import hits;"
        "print([h.chunk.document for h in fuse(hits('x','a','m'), hits('y','b','n'))])"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": str(seed), "PYTHONPATH": "."},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in range(4)
    }
    assert seen == {"['x', 'y', 'a', 'b', 'm', 'n']\n"}


def test_coverage_lowers_the_vote_of_a_chunk_that_holds_little_of_the_question() -> None:
    texts = {"a": "alpha beta gamma", "b": "alpha"}
    plain = {
        hit.chunk.document: dict(hit.parts)
        for hit in read_variant("hybrid").rank(Query("alpha beta gamma"), bench(texts))
    }
    voted = {
        hit.chunk.document: dict(hit.parts)
        for hit in read_variant("hybrid:coverage=on").rank(Query("alpha beta gamma"), bench(texts))
    }
    assert voted["a"]["keyword"].share == pytest.approx(plain["a"]["keyword"].share)
    assert voted["b"]["keyword"].share < plain["b"]["keyword"].share


@pytest.mark.parametrize(
    ("rrf_k", "weight", "last"),
    [
        (60, 0.5, 61),  # .5/61 = 1/122 against 1/(60 + r): ahead while r < 62
        (5, 0.5, 6),  # .5/6 = 1/12 against 1/(5 + r): ahead while r < 7
        (0, 0.5, 1),  # .5/1 = 1/2 against 1/r: ahead while r < 2
        (60, 1.0, 0),  # 1/61 against 1/(60 + r): never ahead, a tie at r = 1
        (10, 0.2, 44),  # .2/11 = 1/55 against 1/(10 + r): ahead while r < 45
        (60, 0.0, None),
    ],
)
def test_how_deep_a_chunk_of_both_lists_beats_a_lone_first(rrf_k, weight, last):
    assert last_rank_that_beats_a_lone_first(rrf_k, weight) == last
    if last is None:
        return

    def wins(rank: int) -> bool:
        return 1 / (rrf_k + rank) > weight / (rrf_k + 1) + 1e-15

    assert not wins(last + 1)
    assert last == 0 or wins(last)
