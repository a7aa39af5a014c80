"""BM25 in three published forms: rank-bm25 works out what a term gives to a chunk that holds it."""

import math

import numpy as np
import numpy.typing as npt
from rank_bm25 import BM25L, BM25Okapi, BM25Plus

from rag_variants.pipeline.ranking import Scores
from rag_variants.text.frequencies import bm25_idf

OKAPI, L, PLUS = "okapi", "l", "plus"
NAMES = {OKAPI: "BM25", L: "BM25L", PLUS: "BM25+"}  # the field's, by formula
_SCORERS = {OKAPI: BM25Okapi, L: BM25L, PLUS: BM25Plus}
_TERM = "term"


def term_gains(
    formula: str, counts: npt.NDArray[np.int64], lengths: npt.NDArray[np.int64], mean: float, k1: float, b: float
) -> Scores:
    """(n,) What a term whose idf is 1 gives to chunks that hold it `counts` (≥ 1) times among `lengths` terms.

    `mean` is the mean length of all chunks. With c = count ÷ (1 − b + b · length ÷ mean):

    - `okapi`: (k1 + 1) · c ÷ (k1 + c), worked out in rank-bm25's order (Trotman, Puurula and Burgess 2014).
    - `l`: (k1 + 1) · (c + δ) ÷ (k1 + c + δ), δ = 0.5 (Lv and Zhai, When documents are very long, BM25 fails!, 2011).
    - `plus`: okapi's + δ, δ = 1 (Lv and Zhai, Lower-bounding term frequency normalization, 2011).

    δ is rank-bm25's default, which is the one published. A chunk without the term gets nothing in any of them: both
    papers sum over the terms that stand in the text. rank-bm25 0.2.2 gives it δ · idf under BM25+, the same to each
    such chunk, so that it changes no order among them; here it is not asked about them. Its BM25L multiplies by the
    count once too often: that is taken out.
    """
    scorer = _SCORERS[formula]([[_TERM]], k1=k1, b=b)  # it wants chunks to count; what it counted is put aside
    scorer.doc_freqs = [{_TERM: count} for count in counts.tolist()]
    scorer.doc_len, scorer.avgdl, scorer.corpus_size = lengths, mean, len(counts)
    scorer.idf = {_TERM: 1.0}
    with np.errstate(divide="ignore", invalid="ignore"):  # at b = 1 for an empty chunk, which holds no term
        gains = np.asarray(scorer.get_scores([_TERM]), dtype=np.float64)
        return gains / counts if formula == L else gains


def term_weight(formula: str, total: int, holding: int) -> float:
    """The idf (> 0) of a term that `holding` (≥ 1) of `total` chunks hold, as each formula was published.

    `okapi`: ln(1 + (N − df + ½) ÷ (df + ½)), which is Lucene's; `l`: ln((N + 1) ÷ (df + ½)); `plus`: ln((N + 1) ÷ df).
    """
    if formula == L:
        return math.log((total + 1) / (holding + 0.5))
    return math.log((total + 1) / holding) if formula == PLUS else bm25_idf(total, holding)
