"""Nearest vectors by looking at every one, in numpy."""

import numpy as np

from rag_variants.llm.embedding import Vectors
from rag_variants.pipeline.ranking import Places, Scores

DIGITS = 7  # of a cosine similarity; beyond them float32 holds nothing


class ExactNeighbours:
    """Unit vectors, (count, dimensions), of which the nearest to another are found by one product with each.

    100,000 of 384 numbers take 150 MB and about 7 ms a question; nothing is built beforehand.
    """

    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors

    def nearest(self, vector: Vectors, count: int) -> tuple[Places, Scores]:
        """Rows and cosine similarities of at least the `count` nearest, or of all: whoever ties with the last is in.

        The nearest first; ties by row.
        """
        # Row by row: a row's product is the same wherever it stands, and sessions do not wait for each other's threads.
        similarities = np.vecdot(self._vectors, vector)
        if count < len(similarities):
            least = np.partition(similarities, -count)[-count]
            rows = np.flatnonzero(similarities >= least - 10**-DIGITS)
        else:
            rows = np.arange(len(similarities))
        scores = similarities[rows].astype(np.float64).round(DIGITS)
        order = np.argsort(-scores, kind="stable")
        return rows[order], scores[order]
