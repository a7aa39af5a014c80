"""Nearest vectors in Chroma, inside this process."""

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

# Up to here Chroma looks at every vector, so that two builds give the same neighbours; beyond, it is approximate.
SEARCHED_WHOLE = 5_000
ROWS_PER_CALL = 5_000  # it takes 5,461 at most
SPARE = 50  # asked for beyond what is wanted, for those that tie with the last


class ChromaNeighbours:
    """A collection whose ids are the rows of vectors, of which there are `count`."""

    def __init__(self, collection: "Collection", count: int) -> None:
        self._collection, self._count = collection, count

    def nearest(self, vector: Vectors, count: int) -> tuple[Places, Scores]:
        """Rows and cosine similarities of at least the `count` nearest, or of all, as Chroma finds them.

        The nearest first; ties by row.
        """
        found = self._collection.query(
            query_embeddings=vector[np.newaxis], n_results=min(self._count, count + SPARE), include=["distances"]
        )
        rows = np.array(found["ids"][0], dtype=np.intp)
        scores = (1 - np.array((found["distances"] or [[]])[0], dtype=np.float64)).round(DIGITS)
        order = np.lexsort((rows, -scores))
        return rows[order], scores[order]


def chroma_in_memory(vectors: Vectors) -> ChromaNeighbours:
    """Vectors, (count, dimensions), in a collection of their own that ends with what is given back."""
    client = _client()
    name = f"passages-{uuid.uuid4().hex}"  # a store is shared by the whole process: never a name twice
    collection = client.create_collection(name, embedding_function=None, configuration=configuration(len(vectors)))
    neighbours = ChromaNeighbours(collection, len(vectors))
    weakref.finalize(neighbours, client.delete_collection, name)
    add_rows(collection, vectors, 0)
    return neighbours


def configuration(count: int) -> Any:
    """How a collection of so many vectors is searched; on one thread, so that it is built alike each time."""
    return {"hnsw": {"space": "cosine", "ef_search": max(100, min(count, SEARCHED_WHOLE)), "num_threads": 1}}


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
