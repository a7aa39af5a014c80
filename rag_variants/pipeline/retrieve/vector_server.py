"""Nearest vectors in a Chroma server, which keeps them from run to run."""

import hashlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rag_variants.llm.embedding import EmbeddingModel, Vectors
from rag_variants.llm.vectors import CachedEmbeddings
from rag_variants.pipeline.ranking import Places, Scores
from rag_variants.pipeline.retrieve.vector_chroma import (
    SPARE,
    ChromaNeighbours,
    add_rows,
    exact_configuration,
    graph_configuration,
)
from rag_variants.pipeline.retrieve.vector_connection import OURS, asking, connect, read_address
from rag_variants.settings import Settings

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection


class ServedNeighbours:
    """A collection of a server whose ids are the rows of `count` vectors; `fill` gives it with all of them in it."""

    def __init__(self, address: str, fill: Callable[[], "Collection"], count: int, spare: int = SPARE) -> None:
        self._address, self._fill, self._count, self._spare = address, fill, count, spare
        self._inside = ChromaNeighbours(fill(), count, spare)

    def nearest(self, vector: Vectors, count: int) -> tuple[Places, Scores]:
        """As ChromaNeighbours; a collection that was deleted meanwhile is filled again.

        Raises VectorStoreError if the server does not answer.
        """
        from chromadb.errors import NotFoundError

        with asking(self._address):
            try:
                return self._inside.nearest(vector, count)
            except NotFoundError:
                self._inside = ChromaNeighbours(self._fill(), self._count, self._spare)
                return self._inside.nearest(vector, count)


def chroma_on_server(
    settings: Settings, texts: Sequence[str], embeddings: CachedEmbeddings, max_neighbors: int | None = None
) -> ServedNeighbours:
    """The texts' vectors on the server of the settings. What is there already is not added again.

    With `max_neighbors` in a graph of so many links a vector, which is another collection.

    Raises VectorStoreError for a server that cannot be used.
    """
    address = read_address(settings)
    client = connect(address, settings)
    model = embeddings.model

    def fill() -> "Collection":
        with asking(address):
            collection = client.get_or_create_collection(
                collection_name(model, texts, max_neighbors),
                embedding_function=None,
                configuration=exact_configuration(len(texts))
                if max_neighbors is None
                else graph_configuration(max_neighbors),
                metadata={"encoder": f"{model.name} {model.version}", "texts": len(texts)},
            )
            there = collection.count()  # rows are added in their order, so these are the first ones
        if there < len(texts):
            vectors = embeddings.embed_passages(texts)
            with asking(address):
                add_rows(collection, vectors, there)
        return collection

    return ServedNeighbours(address, fill, len(texts), SPARE if max_neighbors is None else 0)


def collection_name(model: EmbeddingModel, texts: Sequence[str], max_neighbors: int | None = None) -> str:
    """A name for everything that decides the vectors, their order, and how they are linked."""
    content = hashlib.sha256()
    linked = () if max_neighbors is None else (f"max_neighbors={max_neighbors}",)
    for part in (model.name, model.version, *texts, *linked):
        content.update(hashlib.sha256(part.encode("utf-8", "surrogatepass")).digest())
    return f"{OURS}{content.hexdigest()[:32]}"
