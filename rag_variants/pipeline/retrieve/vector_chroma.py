"""Nearest vectors in Chroma: what is asked of a collection, and a graph of vectors inside this process."""

import uuid
import weakref
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from rag_variants.llm.embedding import Vectors
from rag_variants.pipeline.ranking import Places, Scores
from rag_variants.pipeline.retrieve.vector_exact import DIGITS

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.models.Collection import Collection

# Up to here a server that stands in for the exact search looks at every vector; beyond, it is approximate.
SEARCHED_WHOLE = 5_000
ROWS_PER_CALL = 5_000  # it takes 5,461 at most
SPARE = 50  # asked for beyond what is wanted, for those that tie with the last


class ChromaNeighbours:
    """A collection whose ids are the rows of vectors, of which there are `count`."""

    def __init__(self, collection: "Collection", count: int, spare: int = SPARE) -> None:
        self._collection, self._count, self._spare = collection, count, spare

    def nearest(self, vector: Vectors, count: int) -> tuple[Places, Scores]:
        """Rows and cosine similarities of at least the `count` nearest, or of all, as Chroma finds them.

        The nearest first; ties by row. Of a graph that was built with few links it may find fewer.
        """
        found = self._collection.query(
            query_embeddings=vector[np.newaxis],
            n_results=min(self._count, count + self._spare),
            include=["distances"],
        )
        rows = np.array(found["ids"][0], dtype=np.intp)
        return _best_first(rows, 1 - np.array((found["distances"] or [[]])[0], dtype=np.float64))


class GraphNeighbours:
    """Unit vectors, (count, dimensions), in an HNSW graph of Chroma in this process, each linked to a few others.

    A search walks along the links: it is quick over very many vectors and may miss some. The rows are added one by
    one, 2 to 4 ms each: what Chroma gets in one call it links in an order of chance, on all threads
    (`hnsw:num_threads` and a fixed order of the ids do not change that), and another graph finds others. So the same
    vectors are the same graph, here and in the next process.
    """

    def __init__(self, vectors: Vectors, max_neighbors: int) -> None:
        client = _client()
        name = f"passages-{uuid.uuid4().hex}"  # a store is shared by the whole process: never a name twice
        self._vectors, self.links = vectors, max_neighbors
        self._collection = client.create_collection(
            name, embedding_function=None, configuration=graph_configuration(max_neighbors)
        )
        weakref.finalize(self, client.delete_collection, name).atexit = False  # then the store ends as a whole
        for row, each in enumerate(vectors):
            self._collection.add(ids=[str(row)], embeddings=each[np.newaxis])

    def nearest(self, vector: Vectors, count: int) -> tuple[Places, Scores]:
        """Rows and cosine similarities of the `count` that a walk with so many in hand (its ef_search) ends with.

        The nearest first; ties by row; fewer where links lead to no more. The similarities are those of the exact
        search, so that what it has lost is all that differs.
        """
        found = self._collection.query(
            query_embeddings=vector[np.newaxis], n_results=min(len(self._vectors), count), include=[]
        )
        rows = np.array(found["ids"][0], dtype=np.intp)
        return _best_first(rows, np.vecdot(self._vectors[rows], vector).astype(np.float64))


def _best_first(rows: Places, similarities: Scores) -> tuple[Places, Scores]:
    scores = similarities.round(DIGITS)
    order = np.lexsort((rows, -scores))
    return rows[order], scores[order]


def exact_configuration(count: int) -> Any:
    """How a collection of so many vectors is searched where it stands in for the exact search."""
    return {"hnsw": {"space": "cosine", "ef_search": max(100, min(count, SEARCHED_WHOLE)), "num_threads": 1}}


def graph_configuration(max_neighbors: int) -> Any:
    """A graph of so many links a vector. Its own ef_search is the least: Chroma takes the number asked for if larger.

    The least thresholds: else each added row waits for those before it to be read anew, twice the time.
    """
    return {
        "hnsw": {
            "space": "cosine",
            "ef_search": 1,
            "max_neighbors": max_neighbors,
            "batch_size": 2,
            "sync_threshold": 2,
        }
    }


def add_rows(collection: "Collection", vectors: Vectors, begin: int) -> None:
    """Adds the rows from `begin` on, in their order, many in one call."""
    for at in range(begin, len(vectors), ROWS_PER_CALL):
        some = vectors[at : at + ROWS_PER_CALL]
        collection.add(ids=[str(row) for row in range(at, at + len(some))], embeddings=some)


@cache
def _client() -> "ClientAPI":
    import chromadb
    from chromadb.config import Settings

    return chromadb.EphemeralClient(Settings(anonymized_telemetry=False))
