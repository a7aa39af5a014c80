"""rank-bm25 as the product's scores are defined: what keyword search is held against."""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
from rank_bm25 import BM25Okapi

from rag_variants.text.frequencies import bm25_idf

# rank-bm25 divides 0 by 0 for a term that a chunk lacks where k1 is 0; this near to 0, a term counts once all the same.
LEAST_K1 = 1e-12


class Okapi(BM25Okapi):  # type: ignore[misc]
    """BM25Okapi with idf = ln(1 + (N − df + ½) ÷ (df + ½))."""

    def __init__(self, chunks: Iterable[Sequence[str]], k1: float = 1.5, b: float = 0.75) -> None:
        super().__init__(chunks, k1=max(k1, LEAST_K1), b=b)

    def _calc_idf(self, nd: dict[str, int]) -> None:
        self.idf = {term: bm25_idf(self.corpus_size, holding) for term, holding in nd.items()}


def okapi_scores(
    chunks: Sequence[Sequence[str]], terms: Sequence[str], k1: float = 1.5, b: float = 0.75
) -> npt.NDArray[np.float64]:
    """rank-bm25's scores; 0 where it divides 0 by 0: for empty chunks, at b = 1 or if there are no others."""
    if not any(chunks):
        return np.zeros(len(chunks))
    with np.errstate(invalid="ignore"):
        scores = np.asarray(Okapi(chunks, k1, b).get_scores(terms), dtype=np.float64)
    scores[[not chunk for chunk in chunks]] = 0
    return scores
