"""The vector index, worked out by hand and beside plain sorting."""

import numpy as np
import pytest

from rag_variants.llm.embedding import Vectors
from rag_variants.llm.vectors import CachedEmbeddings
from rag_variants.pipeline.ranking import Ranking
from rag_variants.pipeline.retrieve.passages import Passage
from rag_variants.pipeline.retrieve.vector_exact import ExactNeighbours
from rag_variants.pipeline.retrieve.vector_index import VectorIndex
from rag_variants.types import Chunk
from tests.making import chunk


class Directions:
    """An encoder whose texts are angles in degrees: `0` is (1, 0), `90` is (0, 1). Counts what it is asked."""

    name, version = "embedded:directions", "1"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed_passages(self, texts: list[str]) -> Vectors:
        self.asked.extend(texts)
        angles = np.radians([float(text) for text in texts])
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)

    embed_queries = embed_passages


def index_of(passages: list[tuple[str, tuple[int, ...]]], chunks: int, model: Directions | None = None) -> VectorIndex:
    kept = CachedEmbeddings(model or Directions(), None, None)
    return VectorIndex(ranked_chunks(chunks), [Passage(*each) for each in passages], kept)


def ranked_chunks(count: int) -> tuple[Chunk, ...]:
    return tuple(chunk(f"{at:05}.md") for at in range(count))


def shown(ranking: Ranking) -> list[tuple[int, float]]:
    return [(int(place), round(float(score), 3)) for place, score in zip(ranking.places, ranking.scores, strict=True)]


def test_a_chunk_scores_as_its_best_passage() -> None:
    """cos 0° = 1, cos 60° = ½, cos 90° = 0; chunk 0 holds 90° and 60°, chunk 1 holds 0° and 90°."""
    index = index_of([("90", (0, 1)), ("60", (0,)), ("0", (1,))], 2)
    assert shown(index.search("0", 2)) == [(1, 1.0), (0, 0.5)]
    assert shown(index.search("0", 1)) == [(1, 1.0)]


def test_few_chunks_with_many_near_passages_do_not_hide_the_others() -> None:
    """The 40 nearest passages all stand for chunk 0: the two best chunks need the 41st."""
    crowd = [(str(at / 10), (0,)) for at in range(40)]
    assert shown(index_of([*crowd, ("60", (1,))], 2).search("0", 2)) == [(0, 1.0), (1, 0.5)]


def test_chunks_that_no_passage_stands_for_are_not_found() -> None:
    index = index_of([("60", (2,))], 3)
    assert shown(index.search("0", 3)) == [(2, 0.5)]
    assert len(index_of([], 3).search("0", 3)) == 0
    assert len(index_of([], 3).search_vector(np.array([1, 0], np.float32), 3)) == 0


def test_equal_texts_are_embedded_once_and_tie_by_place() -> None:
    model = Directions()
    index = index_of([("60", (at,)) for at in range(5)], 5, model)
    assert shown(index.search("0", 3)) == [(0, 0.5), (1, 0.5), (2, 0.5)]
    assert model.asked == ["60", "0"]


def test_a_vector_in_place_of_a_question() -> None:
    """(0.8, 0.6): 0.8 to 0°, 0.6 to 90°."""
    index = index_of([("0", (0,)), ("90", (1,))], 2)
    assert shown(index.search_vector(np.array([0.8, 0.6], np.float32), 2)) == [(0, 0.8), (1, 0.6)]


@pytest.mark.parametrize("count", [1, 7, 50, 299, 300, 900])
def test_neighbours_are_those_of_a_full_sort(count: int) -> None:
    """300 seeded directions of 384 numbers, some of them three times: whoever ties with the last is in."""
    random = np.random.default_rng(6)
    rows = random.standard_normal((300, 384)).astype(np.float32)
    rows[200:220] = rows[100:120] = rows[:20]
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    truth = rows.astype(float) @ rows[5].astype(float)
    found, similarities = ExactNeighbours(rows).nearest(rows[5], count)
    assert similarities == pytest.approx(truth[found], abs=1e-6)
    assert np.all(np.diff(similarities) <= 0)
    ahead = np.sort(truth)[::-1][: min(count, 300)]
    assert similarities[: len(ahead)] == pytest.approx(ahead, abs=1e-6)
    assert found[:3].tolist() == [5, 105, 205]  # equal rows, by row; all three are in even if one was asked for
    assert len(set(found.tolist())) == len(found)
