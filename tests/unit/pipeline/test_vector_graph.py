"""The approximate search in Chroma: what it may lose, that it is the same each time, and what its settings do."""

import gc
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from rag_variants.llm.embedding import Vectors
from rag_variants.pipeline import read_variant
from rag_variants.pipeline.query import Query
from rag_variants.pipeline.retrieve import vector
from rag_variants.pipeline.retrieve.vector_chroma import GraphNeighbours, _client
from rag_variants.pipeline.retrieve.vector_exact import ExactNeighbours
from rag_variants.pipeline.stage_key import stage_key
from tests.making import bench

COUNT, ASKED = 150, 40
FEW_LINKS = 2  # so that a search of these few vectors loses some


def directions(count: int, seed: int) -> Vectors:
    rows = np.random.default_rng(seed).standard_normal((count, 32)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


VECTORS, QUESTIONS = directions(COUNT, 6), directions(ASKED, 7)


@pytest.fixture(scope="module")
def graph() -> GraphNeighbours:
    return GraphNeighbours(VECTORS, FEW_LINKS)


@pytest.fixture(scope="module")
def linked_well() -> GraphNeighbours:
    return GraphNeighbours(VECTORS, 16)


def found(neighbours: GraphNeighbours, count: int) -> list[list[int]]:
    return [neighbours.nearest(each, count)[0].tolist() for each in QUESTIONS]


def recall(neighbours: GraphNeighbours, count: int, of: int = 5) -> float:
    """The share of the `of` nearest that are among those found."""
    exact = [ExactNeighbours(VECTORS).nearest(each, of)[0][:of].tolist() for each in QUESTIONS]
    return float(np.mean([len(set(a) & set(b)) / of for a, b in zip(exact, found(neighbours, count), strict=True)]))


def test_the_same_vectors_are_the_same_graph_each_time(graph: GraphNeighbours) -> None:
    """Two more, at the same time on two threads: each question gets what it got from the first."""
    with ThreadPoolExecutor(2) as pool:
        others = list(pool.map(lambda _: GraphNeighbours(VECTORS, FEW_LINKS), range(2)))
    for count in (5, 20, COUNT):
        assert found(others[0], count) == found(others[1], count) == found(graph, count)
    assert recall(graph, 5) < 1, "with a graph that loses nothing this would show nothing"


def test_few_links_and_a_short_walk_lose_neighbours_and_more_find_them(
    graph: GraphNeighbours, linked_well: GraphNeighbours
) -> None:
    few = [recall(graph, count) for count in (5, 20, 80)]
    assert few == sorted(few) and few[0] < few[2]
    assert recall(graph, 20) < recall(linked_well, 20)
    assert recall(linked_well, 100) == 1


@pytest.mark.parametrize("count", [1, 7, 50])
def test_what_is_found_has_the_similarity_of_the_exact_search_best_first(graph: GraphNeighbours, count: int) -> None:
    for each in QUESTIONS:
        rows, similarities = graph.nearest(each, count)
        assert len(rows) == len(set(rows.tolist())) == count
        exact_rows, exact = ExactNeighbours(VECTORS).nearest(each, COUNT)
        truth = dict(zip(exact_rows.tolist(), exact.tolist(), strict=True))
        assert similarities.tolist() == [truth[row] for row in rows.tolist()]  # to the last bit
        assert np.all(np.diff(similarities) <= 0)


def test_no_more_are_found_than_links_lead_to(graph: GraphNeighbours) -> None:
    rows, _ = graph.nearest(QUESTIONS[0], 10 * COUNT)
    assert 0 < len(rows) <= COUNT


def test_equal_vectors_tie_by_row() -> None:
    rows = np.repeat(directions(2, 1), 3, axis=0)  # rows 0 to 2 are equal, and 3 to 5
    assert GraphNeighbours(rows, 16).nearest(rows[0], 6)[0].tolist() == [0, 1, 2, 3, 4, 5]


def test_a_collection_ends_with_its_graph() -> None:
    def names() -> set[str]:
        return {each.name for each in _client().list_collections()}

    before = names()
    made = GraphNeighbours(VECTORS[:3], 4)
    assert len(names() - before) == 1
    del made
    gc.collect()
    assert names() <= before


def lines(count: int) -> dict[str, str]:
    return {f"{at:02}.md": f"alpha w{at} v{at % 7}" for at in range(count)}


def test_a_ranking_is_no_longer_than_ef_search() -> None:
    """30 chunks of which 50 candidates are wanted: the exact search has them all, a walk with 8 in hand has 8."""
    place = bench(lines(30))
    exact = read_variant("vector").rank(Query("alpha w3"), place)
    some = read_variant("vector:vectors_in=chroma,ef_search=8").rank(Query("alpha w3"), place)
    all_ = read_variant("vector:vectors_in=chroma,ef_search=500").rank(Query("alpha w3"), place)
    assert (len(exact), len(some)) == (30, 8)
    assert [hit.rank for hit in some] == list(range(1, 9))
    assert list(all_) == list(exact)  # long enough a walk over well linked vectors: chunks, scores and ties
    assert len(read_variant("vector:vectors_in=chroma,candidates=6,top_k=3").rank(Query("alpha w3"), place)) == 6


def test_sentences_of_few_chunks_may_be_all_that_is_found() -> None:
    place = bench({"a.md": "Alpha one. Alpha two. Alpha three.", "b.md": "Beta."})
    settings = "vectors=sentences,chunk_size=50,chunk_overlap=0,"
    assert len(read_variant(f"vector:{settings}vectors_in=chroma,ef_search=3").rank(Query("Alpha"), place)) == 1
    assert len(read_variant(f"vector:{settings}vectors_in=chroma,ef_search=4").rank(Query("Alpha"), place)) == 2
    assert len(read_variant(f"vector:{settings}").rank(Query("Alpha"), place)) == 2


def test_a_graph_is_built_once_for_every_ef_search(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[int] = []
    whole = vector.open_neighbours

    def counted(texts, kept, settings, links):
        if links is not None:
            built.append(links)
        return whole(texts, kept, settings, links)

    monkeypatch.setattr(vector, "open_neighbours", counted)
    place = bench(lines(12))
    for spec in ("ef_search=3", "ef_search=5", "ef_search=5,candidates=20", "ef_search=3,max_neighbors=4", "top_k=2"):
        read_variant(f"vector:vectors_in=chroma,{spec}").rank(Query("alpha w3"), place)
    read_variant("hybrid:vectors_in=chroma,ef_search=3").rank(Query("alpha w3"), place)
    read_variant("vector:ef_search=3").rank(Query("alpha w3"), place)  # which nothing reads
    assert built == [16, 4]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_beside_others_a_search_finds_what_it_finds_alone(order: tuple[int, ...]) -> None:
    specs = ["vector", "vector:vectors_in=chroma,ef_search=5", "vector:vectors_in=chroma,ef_search=9,max_neighbors=2"]
    alone = [list(read_variant(each).rank(Query("alpha w3"), bench(lines(30)))) for each in specs]
    assert [len(each) for each in alone][:2] == [30, 5]
    place = bench(lines(30))
    for at in order:
        assert list(read_variant(specs[at]).rank(Query("alpha w3"), place)) == alone[at]


def test_without_chunks_nothing_is_found() -> None:
    assert list(read_variant("vector:vectors_in=chroma").rank(Query("alpha"), bench({}))) == []


def test_the_settings_of_the_graph_are_read_with_chroma_alone() -> None:
    for name in ("vector", "hybrid"):
        ignored = read_variant(name).ignored_by()
        assert (ignored["ef_search"], ignored["max_neighbors"]) == ("vectors_in", "vectors_in")
        assert not read_variant(f"{name}:vectors_in=chroma").ignored_settings() & {"ef_search", "max_neighbors"}
    assert stage_key(read_variant("vector"), "rank").get("ef_search") is None
