"""The three formulas of BM25: by hand as published, and beside rank-bm25's own scores of whole chunks."""

import math
from collections import Counter

import numpy as np
import pytest
from rank_bm25 import BM25L, BM25Okapi, BM25Plus

from rag_variants.pipeline import read_variant
from rag_variants.pipeline.retrieve.keyword import keyword_index
from rag_variants.pipeline.retrieve.keyword_formula import OKAPI, PLUS, L, term_gains, term_weight
from rag_variants.pipeline.retrieve.keyword_matrix import KeywordMatrix
from rag_variants.pipeline.retrieve.term_counts import TermCounts
from tests.making import bench
from tests.unit.pipeline.test_keyword_matrix import WORDS, corpus

# 12 words in 3 chunks: the mean length is 4.
CHUNKS = [["tax", "tax", "a", "b", "c", "d", "e", "f"], ["tax", "a"], ["b", "c"]]
SHAPES = [(1.5, 0.75), (0.9, 0.4), (4, 1), (1.2, 0)]


def scores(formula: str, term: str, chunks: list[list[str]] = CHUNKS, k1: float = 1.5, b: float = 0.75) -> list[float]:
    return KeywordMatrix(TermCounts.count(chunks), k1, b, formula).scores([(term, 1.0)]).tolist()


def test_bm25l_by_hand():
    """`tax`, k1 = 1.5, b = ¾, δ = ½: at lengths 8 and 2, mean 4, by ¼ + ¾ · 8/4 = 1.75 and ¼ + ¾ · 2/4 = 0.625.

    c + δ is 2 ÷ 1.75 + 0.5 and 1 ÷ 0.625 + 0.5 = 2.1; it stands in 2 of 3 chunks: idf = ln(4 ÷ 2.5).
    """
    idf, long, short = math.log(4 / 2.5), 2 / 1.75 + 0.5, 2.1
    expected = [idf * 2.5 * long / (1.5 + long), idf * 2.5 * short / (1.5 + short), 0]
    assert scores(L, "tax") == pytest.approx(expected, rel=1e-12)


def test_bm25_plus_by_hand():
    """As above with δ = 1: okapi's 2 · 2.5 ÷ (2 + 1.5 · 1.75) + 1 and 2.5 ÷ (1 + 1.5 · 0.625) + 1; idf = ln(4 ÷ 2)."""
    idf = math.log(4 / 2)
    expected = [idf * (2 * 2.5 / (2 + 1.5 * 1.75) + 1), idf * (2.5 / (1 + 1.5 * 0.625) + 1), 0]
    assert scores(PLUS, "tax") == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("k1", "b"), SHAPES)
@pytest.mark.parametrize("seed", range(4))
def test_each_terms_score_is_rank_bm25s_where_the_term_stands(seed: int, k1: float, b: float) -> None:
    """What rank-bm25 0.2.2 says of chunks that hold a term, but for its two faults.

    Its BM25L multiplies by the term's count once more than the paper does, which holds it in c already; divided by the
    count it is the paper's. Its BM25Plus gives chunks without the term δ · idf as well: the same to each, so it changes
    no order; the paper sums over terms that stand in the text, and so do we.
    """
    chunks = corpus(seed, 60)
    theirs_l, theirs_plus = BM25L(chunks, k1=k1, b=b), BM25Plus(chunks, k1=k1, b=b)
    for term in WORDS:
        with np.errstate(invalid="ignore"):  # it divides 0 by 0 for empty chunks at b = 1
            said_l, said_plus = theirs_l.get_scores([term]), theirs_plus.get_scores([term])
        counts = np.array([chunk.count(term) for chunk in chunks])
        held = counts > 0
        if not held.any():
            continue
        ours_l, ours_plus = (np.array(scores(each, term, chunks, k1, b)) for each in (L, PLUS))
        np.testing.assert_allclose(ours_l[held], said_l[held] / counts[held], rtol=1e-12)
        np.testing.assert_allclose(ours_plus[held], said_plus[held], rtol=1e-12)
        assert not ours_l[~held].any() and not ours_plus[~held].any()


def test_the_two_faults_of_rank_bm25_stand_as_described():
    """Fails when a release mends them: then the division in `term_gains` has to go, and the pin in pyproject.toml."""
    counts = np.array([2, 1, 0])
    divided = np.array([2 / 1.75, 1 / 0.625, 0.0])
    paper = math.log(4 / 2.5) * 2.5 * (divided + 0.5) / (1.5 + divided + 0.5)
    assert BM25L(CHUNKS).get_scores(["tax"]) == pytest.approx(counts * paper)
    assert BM25Plus(CHUNKS).get_scores(["tax"])[2] == pytest.approx(math.log(4 / 2) * 1.0)  # δ · idf, without the term


def test_delta_is_the_one_published():
    """δ = 0.5 and 1, by what they do to a term that stands once in a chunk of mean length: c = 1."""
    once = np.array([1])
    assert term_gains(L, once, once, 1.0, 1.5, 0.75) == pytest.approx([2.5 * 1.5 / (1.5 + 1.5)])
    assert term_gains(PLUS, once, once, 1.0, 1.5, 0.75) == pytest.approx([2.5 * 1 / (1.5 + 1) + 1.0])
    assert term_gains(OKAPI, once, once, 1.0, 1.5, 0.75) == pytest.approx([2.5 * 1 / (1.5 + 1)])


@pytest.mark.parametrize("formula", [OKAPI, L, PLUS])
def test_weights_are_those_of_rank_bm25_and_above_0(formula: str) -> None:
    """okapi keeps Lucene's, under which a term in more than half of the chunks still counts; rank-bm25's is below 0."""
    chunks = corpus(3, 50)
    held = Counter(term for chunk in chunks for term in set(chunk))
    theirs = {OKAPI: BM25Okapi, L: BM25L, PLUS: BM25Plus}[formula](chunks).idf
    for term, holding in held.items():
        weight = term_weight(formula, 50, holding)
        assert weight > 0
        if formula != OKAPI:
            assert weight == pytest.approx(theirs[term], rel=1e-12)


@pytest.mark.parametrize(("formula", "once"), [(OKAPI, 1.0), (L, 1.0), (PLUS, 2.0)])
@pytest.mark.parametrize("b", [0, 0.75, 1])
def test_at_k1_0_a_term_counts_once(formula: str, once: float, b: float) -> None:
    """(0 + 1) · x ÷ (0 + x) = 1 whatever x is; BM25+ adds δ = 1. An empty chunk at b = 1 is no division by 0."""
    chunks = [["x", "x", "y"], ["x"], []]
    idf = term_weight(formula, 3, 2)
    assert scores(formula, "x", chunks, 0, b) == pytest.approx([once * idf, once * idf, 0])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("formula", [OKAPI, L, PLUS])
@pytest.mark.parametrize("chunks", [[], [[]], [[], ["x"]]])
def test_no_chunks_and_empty_ones(formula: str, chunks: list[list[str]]) -> None:
    found = KeywordMatrix(TermCounts.count(chunks), 1.5, 1, formula).scores([("x", 1.0), ("unseen", 1.0)])
    assert np.isfinite(found).all()
    assert (found > 0).tolist() == [bool(chunk) for chunk in chunks]


def test_a_long_chunk_with_both_words_overtakes_a_short_one_with_one() -> None:
    """The papers' point: `a` and `b` among 120 terms, `b` among 20. Under okapi the long one is held back below it.

    1,600 terms in 75 chunks, mean 21.3: divided by ¼ + ¾ · 120/21.3 = 4.47 and ¼ + ¾ · 20/21.3 = 0.95. In units of
    the equal idf: okapi 2 · 2.5 ÷ (1 + 1.5 · 4.47) = 0.65 against 2.5 ÷ (1 + 1.5 · 0.95) = 1.03; BM25+ 1 more for each
    word, 2.65 against 2.03.
    """
    long = ["a", "b", *(f"f{at}" for at in range(118))]
    chunks = [long, ["b", *["x"] * 19], ["a", *["x"] * 19], *([f"q{at}"] * 20 for at in range(72))]
    counted = TermCounts.count(chunks)
    firsts = {
        formula: int(np.argmax(KeywordMatrix(counted, 1.5, 0.75, formula).scores([("a", 1.0), ("b", 1.0)])))
        for formula in (OKAPI, L, PLUS)
    }
    assert firsts == {OKAPI: 1, L: 0, PLUS: 0}


def test_moving_the_formula_reads_no_chunk_again_and_changes_no_coverage(monkeypatch: pytest.MonkeyPatch) -> None:
    place = bench({"a": "alpha beta alpha", "b": "beta"})
    indexes = [keyword_index(read_variant(f"keyword:formula={each}"), place) for each in (OKAPI, L, PLUS)]
    assert len({id(index.matrix.terms) for index in indexes}) == 1
    shares = [index.coverage("alpha beta gamma", index.chunks[1]) for index in indexes]
    assert shares[0] == shares[1] == shares[2]
    tops = [index.search("alpha", 1)[0].score for index in indexes]
    assert len(set(tops)) == 3


@pytest.mark.parametrize(("formula", "name"), [(OKAPI, "BM25"), (L, "BM25L"), (PLUS, "BM25+")])
def test_scores_are_called_by_their_formula(formula: str, name: str) -> None:
    assert read_variant(f"keyword:formula={formula}").scored_as == name
    assert read_variant(f"keyword:formula={formula},reranker=embedded").scored_as != name
