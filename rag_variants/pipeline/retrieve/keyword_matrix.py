"""BM25 as a sparse matrix: the scores of a question are a sum of a few columns."""

from collections.abc import Iterable

import numpy as np

from rag_variants.pipeline.ranking import Places, Scores
from rag_variants.pipeline.retrieve.keyword_formula import OKAPI, term_gains, term_weight
from rag_variants.pipeline.retrieve.term_counts import TermCounts
from rag_variants.text.frequencies import bm25_idf

# Groups of chunks looked at for every hit that is wanted: with more, fewer chunks are left to be sorted.
GROUPS_PER_HIT = 4


class KeywordMatrix:
    """What each term gives to each chunk that holds it, under a formula of BM25: the numbers of rank-bm25.

    `weight · gain`, see `term_weight` and `term_gains`; those of `okapi` equal rank-bm25's bit for bit. At k1 = 0 a
    term counts once. The gains are worked out once, for every kind of entry that there is.
    """

    def __init__(self, terms: TermCounts, k1: float, b: float, formula: str = OKAPI) -> None:
        self.terms = terms
        self._formula = formula
        total, length = terms.size.tolist()
        mean = length / total if length else 1.0  # without a term there is no entry that it would count for
        self._gains = term_gains(formula, terms.counts, terms.lengths, mean, k1, b)

    def idf(self, term: str) -> float:
        """How rare a term is (> 0), whatever the formula; one that stands nowhere is rarest."""
        return bm25_idf(self.terms.total, self.terms.holding(term))

    def scores(self, weighted: Iterable[tuple[str, float]]) -> Scores:
        """(chunks,) The sum over terms of weight × what the term gives; a term given twice counts twice."""
        rows, values = [], []
        for term, weight in weighted:
            entries = self.terms.entries(term)
            if entries.start == entries.stop:
                continue
            gain = self._gains.take(self.terms.kinds[entries])
            gain *= term_weight(self._formula, self.terms.total, entries.stop - entries.start)
            gain *= weight
            rows.append(self.terms.rows[entries])
            values.append(gain)
        if not rows:
            return np.zeros(self.terms.total)
        # One pass, in the order of the terms: sums of floats depend on it.
        sums = np.bincount(np.concatenate(rows), np.concatenate(values), self.terms.total)
        return np.asarray(sums, dtype=np.float64)


def best_places(scores: Scores, depth: int) -> Places:
    """Positions, rising, among which are the `depth` best scores above 0 and every equal of the last of them.

    Of groups of chunks, `depth` have a peak that is no lower than the `depth`-th highest peak: so many chunks at least
    reach it, and few others do.
    """
    groups = GROUPS_PER_HIT * depth
    size = len(scores) // groups if groups > 0 else 0
    if size > 1:
        peaks = scores[: size * groups].reshape(size, groups).max(axis=0)
        floor = np.partition(peaks, -depth)[-depth]
        if floor > 0:
            return np.flatnonzero(scores >= floor)
    return np.flatnonzero(scores > 0)
