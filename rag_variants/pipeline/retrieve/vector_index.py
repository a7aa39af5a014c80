"""Cosine similarity of questions to chunks."""

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from rag_variants.llm.embedding import Vectors
from rag_variants.llm.vectors import CachedEmbeddings
from rag_variants.pipeline.ranking import Places, Ranking, Scores
from rag_variants.pipeline.retrieve.passages import Passage
from rag_variants.pipeline.retrieve.vector_exact import ExactNeighbours
from rag_variants.settings import Settings
from rag_variants.types import Chunk


class Neighbours(Protocol):
    """Unit vectors of which the nearest to another can be found."""

    def nearest(self, vector: Vectors, count: int) -> tuple[Places, Scores]:
        """Rows and cosine similarities of at least the `count` nearest, or of all; the nearest first, ties by row.

        An approximate search may miss some, and find fewer.
        """


class VectorIndex:
    """Finds the chunks whose meaning is nearest; a chunk scores as the best of its passages.

    `chunks` are in the order that ties go by. Equal texts are one vector, so that they tie to the last digit. `open_`
    gives the vectors of texts as they are searched, by default exactly. A search with `most` looks for so many vectors,
    however many chunks are wanted, and the chunks found may be fewer.
    """

    def __init__(
        self,
        chunks: Sequence[Chunk],
        passages: Sequence[Passage],
        embeddings: CachedEmbeddings,
        open_: Callable[[Sequence[str]], Neighbours] | None = None,
    ) -> None:
        self.chunks = chunks
        self._embeddings = embeddings
        holders: dict[str, list[int]] = {}
        for passage in passages:
            holders.setdefault(passage.text, []).extend(passage.chunks)
        self._texts = tuple(holders)
        self._chunks: Places = np.array([at for held in holders.values() for at in held], dtype=np.intp)
        self._begins: Places = np.cumsum([0, *map(len, holders.values())], dtype=np.intp)
        opened = open_ or (lambda texts: ExactNeighbours(embeddings.embed_passages(texts)))
        self._neighbours = opened(self._texts) if self._texts else None

    def search(self, question: str, depth: int, most: int | None = None) -> Ranking:
        """The best `depth` chunks by cosine similarity; ties go by (document, start)."""
        if self._neighbours is None:
            return Ranking(self.chunks, (), ())
        return self.search_vector(self._embeddings.embed_queries([question])[0], depth, most)

    def search_vector(self, vector: Vectors, depth: int, most: int | None = None) -> Ranking:
        """As `search`, for a unit vector, (dimensions,), that stands for the question."""
        if self._neighbours is None:
            return Ranking(self.chunks, (), ())
        wanted, depth = most or depth, min(depth, len(self.chunks))
        while True:
            rows, similarities = self._neighbours.nearest(vector, wanted)
            places, scores = self._best_of_chunks(rows, similarities)
            if most or len(places) >= depth or len(rows) >= len(self._texts):
                return Ranking.best(self.chunks, places, scores, depth)
            wanted *= 4  # sentences of few chunks were nearest

    def _best_of_chunks(self, rows: Places, similarities: Scores) -> tuple[Places, Scores]:
        """The chunks that texts stand for, in rising order, with the similarity of the best text of each."""
        counts = self._begins[rows + 1] - self._begins[rows]
        at = np.arange(counts.sum()) + np.repeat(self._begins[rows] - (np.cumsum(counts) - counts), counts)
        places, first = np.unique(self._chunks[at], return_index=True)  # the first one is the best
        return places, np.repeat(similarities, counts)[first]


def open_neighbours(
    texts: Sequence[str], embeddings: CachedEmbeddings, settings: Settings, max_neighbors: int | None = None
) -> Neighbours:
    """The vectors of texts where they are searched: the Chroma server of the settings, this process without one.

    With `max_neighbors` approximately, in a graph of so many links a vector.
    """
    if settings.chroma_url:
        from rag_variants.pipeline.retrieve.vector_server import chroma_on_server

        return chroma_on_server(settings, texts, embeddings, max_neighbors)
    vectors = embeddings.embed_passages(texts)
    if max_neighbors is None:
        return ExactNeighbours(vectors)
    from rag_variants.pipeline.retrieve.vector_chroma import GraphNeighbours

    return GraphNeighbours(vectors, max_neighbors)
