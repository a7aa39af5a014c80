"""The sparse matrix gives rank-bm25's scores, bit for bit, on whatever is thrown at it."""

import math
import random
from datetime import date
from itertools import pairwise

import numpy as np
import pytest

from rag_variants.corpus.folder import load_knowledge
from rag_variants.pipeline import read_variant
from rag_variants.pipeline.bench import open_bench
from rag_variants.pipeline.chunks import chunks_of
from rag_variants.pipeline.retrieve.chunk_terms import chunk_marks, chunk_terms
from rag_variants.pipeline.retrieve.keyword import KeywordIndex, KeywordSettings, keyword_index
from rag_variants.pipeline.retrieve.keyword_matrix import KeywordMatrix, best_places
from rag_variants.pipeline.retrieve.term_counts import TermCounts
from rag_variants.questions.reader import load_questions
from rag_variants.sample import sample_folder, sample_questions_file
from rag_variants.text.search_terms import UNIT
from rag_variants.types import Chunk, Question
from tests.making import bench
from tests.okapi import Okapi, okapi_scores

WORDS = [f"w{at}" for at in range(40)]
SHARES = [1 / at for at in range(1, 41)]


def corpus(seed: int, size: int) -> list[list[str]]:
    """Chunks of 0 to 30 words of which few are frequent; every fifth chunk is empty."""
    dice = random.Random(seed)
    return [dice.choices(WORDS, SHARES, k=dice.randint(0, 30) if at % 5 else 0) for at in range(size)]


def question(seed: int) -> list[str]:
    """Words with repeats, some of which stand nowhere."""
    dice = random.Random(seed)
    return dice.choices([*WORDS, "unseen", "unknown"], k=dice.randint(1, 12))


def indexed(chunks: list[list[str]], k1: float = 1.5, b: float = 0.75) -> KeywordIndex:
    texts = [" ".join(terms) for terms in chunks]
    made = [Chunk("d", at * 1000, at * 1000 + len(text), text, "en") for at, text in enumerate(texts)]
    return KeywordIndex(made, KeywordSettings(tokens="words", k1=k1, b=b))


@pytest.mark.parametrize("size", [0, 1, 2, 50, 400])
@pytest.mark.parametrize(("k1", "b"), [(1.5, 0.75), (0.9, 0.4), (4, 1), (1.2, 0), (0.1, 1)])
def test_scores_are_those_of_rank_bm25_bit_for_bit(size, k1, b):
    for seed in range(8):
        chunks, asked = corpus(seed, size), question(seed)
        matrix = KeywordMatrix(TermCounts.count(chunks), k1, b)
        ours = matrix.scores((term, 1.0) for term in asked)
        assert ours.tolist() == okapi_scores(chunks, asked, k1, b).tolist()


def test_more_kinds_of_entries_than_two_bytes_can_name():
    """300 chunks with 1 to 300 times `x` and `y` once: 300 counts × 300 lengths = 90,000 kinds, above 65,536."""
    chunks = [["x"] * at + ["y"] for at in range(1, 301)]
    terms = TermCounts.count(chunks)
    assert len(terms.counts) == 300 * 300
    ours = KeywordMatrix(terms, 1.5, 0.75).scores([("y", 1.0), ("x", 1.0)])
    assert ours.tolist() == okapi_scores(chunks, ["y", "x"]).tolist()


@pytest.mark.parametrize("b", [0, 0.75, 1])
def test_at_k1_0_a_term_counts_once_whatever_it_is_divided_by(b):
    for seed in range(8):
        chunks, asked = corpus(seed, 50), question(seed)
        ours = KeywordMatrix(TermCounts.count(chunks), 0, b).scores((term, 1.0) for term in asked)
        # rank-bm25 at k1 = 0 is 0 ÷ 0 for what a chunk lacks; at 1e-12 it is the same to 1e-6
        np.testing.assert_allclose(ours, okapi_scores(chunks, asked, 0, b), atol=1e-6)
        once = [sum(_idf(chunks, term) for term in asked if term in chunk) for chunk in chunks]
        np.testing.assert_allclose(ours, once, rtol=1e-12)


def _idf(chunks: list[list[str]], term: str) -> float:
    holding = sum(term in chunk for chunk in chunks)
    return math.log(1 + (len(chunks) - holding + 0.5) / (holding + 0.5))


@pytest.mark.parametrize("size", [1, 50, 3_000])
@pytest.mark.parametrize("depth", [1, 7, 50, 5_000])
def test_the_best_come_in_the_order_of_scores_then_of_chunks(size, depth):
    chunks = [*corpus(size, size - 1), ["w0"]]
    index, scorer = indexed(chunks), Okapi(chunks)
    for seed in range(8):
        asked = ["w0", *question(seed)][: 1 + seed]  # the first asks for one word: many chunks score the same
        scores = scorer.get_scores(asked)
        wanted = sorted((at for at in range(size) if scores[at] > 0), key=lambda at: (-scores[at], at))[:depth]
        found = index.search(" ".join(asked), depth)
        assert [(hit.chunk.start // 1000, hit.score) for hit in found] == [(at, scores[at]) for at in wanted]
        assert [hit.rank for hit in found] == list(range(1, len(wanted) + 1))


@pytest.mark.parametrize(
    "scores",
    [
        [0.0] * 100,
        [1.0] * 100,
        [0.0] * 99 + [1.0],
        [2.0] * 3 + [1.0] * 97,
        [float(at % 7) for at in range(1_000)],
    ],
)
@pytest.mark.parametrize("depth", [0, 1, 3, 5, 99, 200])
def test_the_places_hold_the_best_and_every_equal_of_the_last(scores, depth):
    places = best_places(np.array(scores), depth).tolist()
    matched = sorted((each for each in scores if each > 0), reverse=True)
    kept = matched[:depth]
    wanted = {at for at, score in enumerate(scores) if kept and score >= kept[-1]}
    assert places == sorted(set(places))
    assert wanted <= set(places)
    assert all(scores[at] > 0 for at in places)


def test_few_places_are_left_to_be_sorted():
    """30 of 100,000: the floor is the 30th of 120 peaks, so about 30 scores and little more reach it."""
    scores = np.random.default_rng(1).permutation(100_000) + 1.0
    assert 30 <= len(best_places(scores, 30)) < 100


def test_nothing_is_found_at_depth_0_or_without_chunks():
    assert list(indexed(corpus(1, 50)).search("w0 w1", 0)) == []
    assert list(indexed([]).search("w0", 5)) == []
    assert list(indexed([[], []]).search("w0", 5)) == []


def test_weighted_terms_add_their_weight_times_what_they_give():
    chunks = corpus(3, 50)
    index = indexed(chunks)
    one, two = okapi_scores(chunks, ["w1"]), okapi_scores(chunks, ["w2"])
    expected = 0.25 * one + 2 * two
    found = index.search_terms({"w1": 0.25, "w2": 2.0, "unseen": 9.0}, 100)
    assert {hit.chunk.start // 1000: hit.score for hit in found} == pytest.approx(
        {at: score for at, score in enumerate(expected) if score > 0}
    )
    assert all(first.score >= second.score for first, second in pairwise(found))
    assert list(index.search_terms({"w1": 0.0}, 5)) == []
    assert list(index.search_terms({}, 5)) == []


def test_terms_of_weight_1_find_what_the_question_finds():
    index = indexed(corpus(4, 200))
    assert list(index.search_terms({"w3": 1.0, "w9": 1.0}, 20)) == list(index.search("w3 w9", 20))


@pytest.mark.parametrize("language", ["en", "pl", "zh"])
def test_the_sample_is_ranked_as_by_rank_bm25(language):
    place = open_bench(load_knowledge(sample_folder()), date(2026, 6, 1), encoders=_no_encoder)
    variant = read_variant("keyword")
    chunks, index = chunks_of(variant, place), keyword_index(variant, place)
    scorer = Okapi([chunk_terms(chunk, "language") for chunk in chunks])
    beside = {part for chunk in chunks for part in chunk_marks(chunk, "language")}
    as_written = beside | {part.partition(UNIT)[0] for part in beside}  # held by the tests of exact words
    asked = [each for each in load_questions(sample_questions_file()).questions if each.tag("language") == language]
    assert len(asked) > 20
    plain = [each for each in asked if not any(UNIT in at or at in as_written for at in _asked_in_all(index, each))]
    assert len(plain) > 8
    for each in plain[::3]:
        scores = scorer.get_scores(index.question_terms(each.user_input))
        wanted = sorted(np.flatnonzero(scores), key=lambda at: (-scores[at], chunks[at].order))[:50]
        found = index.search(each.user_input, 50)
        assert [(hit.chunk, hit.score) for hit in found] == [(chunks[at], scores[at]) for at in wanted]
        terms = {hit.chunk: set(chunk_terms(hit.chunk, "language")) for hit in found}
        shares = [_share(scorer, set(index.question_terms(each.user_input, at.language)), terms[at]) for at in terms]
        assert [index.coverage(each.user_input, hit.chunk) for hit in found] == pytest.approx(shares)


def _asked_in_all(index: KeywordIndex, question: Question) -> list[str]:
    return [term for language in ("en", "pl", "zh") for term in index.question_terms(question.user_input, language)]


def _share(scorer: Okapi, asked: set[str], held: set[str]) -> float:
    idf = {term: scorer.idf.get(term, math.log(1 + (scorer.corpus_size + 0.5) / 0.5)) for term in asked}
    return sum(idf[term] for term in asked & held) / sum(idf.values())


def test_chunks_of_a_bench_are_in_the_order_that_ties_go_by():
    place = open_bench(load_knowledge(sample_folder()), date(2026, 6, 1), encoders=_no_encoder)
    orders = [chunk.order for chunk in chunks_of(read_variant("keyword:chunk_size=200,chunk_overlap=50"), place)]
    assert len(orders) > 1_000
    assert orders == sorted(orders)


def test_coverage_refuses_a_chunk_of_another_index():
    index = indexed([["w1"], ["w2"]])
    assert index.coverage("w1", index.chunks[0]) == 1.0
    for stranger in (Chunk("d", 500, 502, "w1", "en"), Chunk("z", 0, 2, "w1", "en"), Chunk("d", 0, 2, "w2", "en")):
        with pytest.raises(ValueError, match="no chunk of this index"):
            index.coverage("w1", stranger)


def test_moving_k1_or_b_reads_no_chunk_again(monkeypatch):
    read: list[str] = []
    monkeypatch.setattr(
        "rag_variants.pipeline.retrieve.chunk_terms.chunk_terms",
        lambda chunk, tokens: (read.append(chunk.document), chunk_terms(chunk, tokens))[1],
    )
    place = bench({"a": "alpha beta alpha", "b": "beta"})
    for spec in ("keyword", "keyword:k1=0.5", "keyword:b=0.1", "hybrid:k1=2"):
        index = keyword_index(read_variant(spec), place)
    assert read == ["a", "b"]
    assert (
        index.matrix.scores([("alpha", 1.0)]).tolist()
        == okapi_scores([["alpha", "beta", "alpha"], ["beta"]], ["alpha"], k1=2).tolist()
    )
    keyword_index(read_variant("keyword:tokens=words"), place)
    assert read == ["a", "b", "a", "b"]


def _no_encoder(spec):
    raise AssertionError("Keyword search needs no vectors.")
