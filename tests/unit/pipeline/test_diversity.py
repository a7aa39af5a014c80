"""Maximal marginal relevance: relevant, and unlike what was chosen before."""

from itertools import islice

import numpy as np
import pytest

from rag_variants.evaluation.embedding import count_unembedded
from rag_variants.pipeline import read_variant
from rag_variants.pipeline.chunks import chunks_of
from rag_variants.pipeline.records import retrieve_question
from rag_variants.pipeline.select.diversity import chunk_vectors, marginal_order, scaled
from rag_variants.pipeline.select.select import select, select_hits
from rag_variants.pipeline.stages import search
from rag_variants.types import Hit, Question
from tests.making import bench

EAST, NORTH = [1.0, 0.0], [0.0, 1.0]
LIKE_EAST = [0.8, 0.6]  # its cosine to east is 0.8, to north 0.6


def order(mmr: float, relevance: list[float], *vectors: list[float]) -> list[int]:
    return list(marginal_order(np.array(relevance), np.array(vectors, dtype=np.float32), mmr))


def test_each_next_chunk_weighs_its_relevance_against_the_likeness_to_those_chosen() -> None:
    # After the first: 0.5·0.9 − 0.5·0.8 = 0.05 for the one like it, 0.5·0.3 − 0.5·0 = 0.15 for the other.
    assert order(0.5, [1.0, 0.9, 0.3], EAST, LIKE_EAST, NORTH) == [0, 2, 1]
    # 0.8·0.9 − 0.2·0.8 = 0.56 against 0.8·0.3 = 0.24.
    assert order(0.2, [1.0, 0.9, 0.3], EAST, LIKE_EAST, NORTH) == [0, 1, 2]


def test_the_likeness_that_counts_is_the_greatest_to_any_chosen() -> None:
    # After 0 and 1, place 2 is like 0 by 0.8 and like 1 by 0.6: 0.5·0.5 − 0.5·0.8 = −0.15. Place 3 is place 1 again:
    # 0.5·0.6 − 0.5·1 = −0.2.
    assert order(0.5, [1.0, 0.9, 0.5, 0.6], EAST, NORTH, LIKE_EAST, NORTH) == [0, 1, 2, 3]


def test_the_opposite_is_no_better_than_another_subject_and_ties_go_by_place() -> None:
    west = [-1.0, 0.0]  # its cosine to east is −1 and counts as 0
    assert order(1.0, [1.0, 0.5, 0.5], EAST, NORTH, west) == [0, 1, 2]
    assert order(0.3, [1.0, 1.0, 1.0], EAST, EAST, EAST) == [0, 1, 2]


def test_it_is_worked_out_as_far_as_it_is_asked_for() -> None:
    vectors = np.full((2, 1), np.nan, dtype=np.float32)
    assert list(islice(marginal_order(np.array([0.2, 1.0]), vectors, 0.5), 1)) == [1]  # no cosine was needed yet


def test_scores_are_scaled_from_the_least_to_the_greatest() -> None:
    assert scaled(np.array([9.0, 7.5, 3.0])).tolist() == [1.0, 0.75, 0.0]  # (7.5 − 3) ÷ (9 − 3)
    assert scaled(np.array([2.0, 2.0])).tolist() == [1.0, 1.0]
    assert scaled(np.array([])).tolist() == []


TEXTS = {
    "a.md": "A refund takes 14 days and the desk pays the refund.",
    "b.md": "A refund takes 14 days and the desk pays that refund.",
    "c.md": "A refund of a gift needs the name of the giver and a receipt in blue ink.",
    "d.md": "Parking is behind the house.",
}
QUESTION = Question("q", "refund 14 days the desk the")


def documents(spec: str, place) -> list[str]:
    return [hit.chunk.document for hit in retrieve_question(read_variant(spec), QUESTION, place).hits]


@pytest.mark.parametrize("name", ["keyword", "vector", "hybrid"])
def test_a_second_subject_comes_before_the_same_again(name: str) -> None:
    place = bench(TEXTS)
    assert documents(f"{name}:top_k=2", place) == ["a.md", "b.md"]
    first, second = documents(f"{name}:top_k=2,mmr=0.9", place)
    assert (first, second) != ("a.md", "b.md")
    assert documents(f"{name}:top_k=2,mmr=0", place) == ["a.md", "b.md"]


def test_ranks_are_those_before_the_answer_and_what_was_passed_over_is_named() -> None:
    place = bench(TEXTS)
    record = retrieve_question(read_variant("keyword:top_k=2,mmr=0.9"), QUESTION, place)
    assert [hit.rank for hit in record.hits] == [1, 2]
    assert [hit.chunk.document for hit in record.ranking] == ["a.md", "b.md", "c.md"]
    assert [hit.chunk.document for hit in record.hits] == ["a.md", "c.md"]
    assert record.passed_over == ((2, "mmr"),)


def test_a_ranking_of_another_make_is_chosen_from_alike() -> None:
    place, variant = bench(TEXTS), read_variant("vector:top_k=3,mmr=0.5")
    ranking = search(variant, QUESTION.user_input, place).value
    assert select(tuple(ranking), variant, place) == select(ranking, variant, place)


def test_vectors_are_centred_units() -> None:
    rows = chunk_vectors(read_variant("vector"), bench(TEXTS))
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1, 1, 1, 1], abs=1e-5)
    assert (rows @ rows.T)[0, 1] > 0.5 > 0 > (rows @ rows.T)[0, 3]  # the same again; another subject


def test_with_sentence_vectors_a_chunk_is_the_mean_of_its_sentences_and_nothing_new_is_embedded() -> None:
    place = bench({**TEXTS, "long.md": "A first sentence. " * 3})
    variant = read_variant("vector:vectors=sentences")
    model = place.embeddings("embedded").model
    search(variant, "refund", place)
    asked = len(model.asked)
    rows = chunk_vectors(variant, place)
    assert len(rows) == len(chunks_of(variant, place))
    assert len(model.asked) == asked


def test_a_keyword_variant_announces_the_vectors_that_diversity_needs() -> None:
    place = bench(TEXTS)
    assert count_unembedded(read_variant("keyword"), place).passages == 0
    assert count_unembedded(read_variant("keyword:mmr=0.3"), place).passages == len(TEXTS)


def test_one_chunk_or_none() -> None:
    place, variant = bench({"only.md": "A refund."}), read_variant("vector:mmr=0.5")
    assert [hit.rank for hit in select_hits(search(variant, "refund", place).value, variant, place)] == [1]
    assert select_hits((), variant, bench({})) == ()


def test_relevance_is_of_the_whole_ranking_whatever_the_least_score_leaves() -> None:
    place = bench(TEXTS)
    chunks = chunks_of(read_variant("vector"), place)
    ranking = tuple(Hit(rank, chunk, 1.0 - rank / 10) for rank, chunk in enumerate(chunks, start=1))  # 0.9 … 0.6
    found = select_hits(ranking, read_variant("vector:mmr=0.3,min_score=0.7"), place)
    assert sorted(hit.chunk.document for hit in found) == ["a.md", "b.md", "c.md"]  # 0.9, 0.8, 0.7
