"""A ranking is the sequence of hits that it stands for."""

import copy
import pickle

import numpy as np
import pytest

from rag_variants.pipeline import read_variant
from rag_variants.pipeline.fusion import fuse_rankings
from rag_variants.pipeline.query import Query
from rag_variants.pipeline.ranking import Ranking
from rag_variants.types import Hit
from tests.making import bench, hits


def test_a_ranking_equals_the_hits_it_stands_for() -> None:
    given = hits("c", "a", "b")
    ranking = Ranking.of(given)
    assert [chunk.document for chunk in ranking.chunks] == ["a", "b", "c"]  # the order that ties go by
    assert list(ranking.places) == [2, 0, 1]
    assert ranking == given
    assert given == tuple(ranking)
    assert hash(ranking) == hash(given)
    assert (ranking[0], ranking[-1], ranking[1:]) == (given[0], given[-1], given[1:])
    assert ranking != given[:2]
    assert ranking != given[::-1]
    assert copy.deepcopy(ranking) == pickle.loads(pickle.dumps(ranking)) == ranking
    with pytest.raises(IndexError):
        ranking[3]


def test_equal_scores_keep_the_order_of_the_chunks() -> None:
    chunks = [hit.chunk for hit in hits("a", "b", "c", "d")]
    best = Ranking.best(chunks, np.array([0, 1, 3]), np.array([0.5, 0.7, 0.7]), 2)
    assert [(hit.rank, hit.chunk.document, hit.score) for hit in best] == [(1, "b", 0.7), (2, "d", 0.7)]


def test_an_empty_ranking_has_no_hits() -> None:
    assert list(Ranking((), (), ())) == []
    assert Ranking((), (), ()) == ()


def test_rankings_over_unlike_chunks_are_not_fused() -> None:
    rankings = {"keyword": Ranking.of(hits("a", "b")), "vector": Ranking.of(hits("a", "c"))}
    with pytest.raises(ValueError, match="same chunks"):
        fuse_rankings(rankings, {"keyword": 1.0, "vector": 1.0}, 60, 5)


@pytest.mark.parametrize(
    "spec", ["keyword", "vector", "hybrid", "hybrid:coverage=on,rrf_k=3", "hybrid:keyword_weight=1"]
)
def test_what_a_variant_finds_is_the_same_hit_however_it_is_reached(spec: str) -> None:
    texts = {"a.md": "alpha beta gamma", "b.md": "beta delta", "c.md": "gamma epsilon"}
    found = read_variant(spec).rank(Query("beta gamma"), bench(texts))
    assert isinstance(found, Ranking)
    whole = tuple(found)
    assert [found[at] for at in range(len(found))] == list(whole) == list(found[:])
    assert [hit.rank for hit in whole] == list(range(1, len(whole) + 1))
    assert all(isinstance(hit, Hit) and type(hit.score) is float for hit in whole)
