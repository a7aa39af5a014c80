"""Vector search: nearest chunks under an encoder."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.chunks import chunks_of
from rag_variants.pipeline.mixing import Vector, mix_vectors
from rag_variants.pipeline.query import Query, RelevantText
from rag_variants.pipeline.ranking import Ranking
from rag_variants.pipeline.retrieve.passages import CHROMA, NeighbourSettings, passages_of, texts_of_chunks
from rag_variants.pipeline.retrieve.retriever import Retriever
from rag_variants.pipeline.retrieve.vector_index import VectorIndex, open_neighbours
from rag_variants.pipeline.stage_key import HasSettings, StageKey, stage_key


def vector_index(of: HasSettings, bench: Bench) -> VectorIndex:
    """The cached index of a variant with VectorSettings, or of the key of one of its later stages."""

    def make(key: StageKey) -> VectorIndex:
        encoder, links = bench.embeddings(key.embeddings), key.max_neighbors if key.vectors_in == CHROMA else None
        return VectorIndex(
            chunks_of(key, bench),
            passages_of(key, bench),
            encoder,
            lambda texts: open_neighbours(texts, encoder, bench.settings, links),
        )

    return bench.cached("vector index", stage_key(of, "index", NeighbourSettings), make)


def _search(query: Query, key: StageKey, bench: Bench) -> Ranking:
    """By the vector of a query; by that of its question if it has none."""

    def search(key: StageKey) -> Ranking:
        index, most = vector_index(key, bench), key.get("ef_search")
        if not query.vector:
            return index.search(query.question, key.candidates, most)
        return index.search_vector(np.frombuffer(query.vector, dtype=np.float32), key.candidates, most)

    return bench.cached_list("vector hits", key, search, query.vector or query.question)


def _mix(query: Query, texts: Sequence[RelevantText], weight: float, key: StageKey, bench: Bench) -> Query:
    """Towards the mean of the vectors by which the texts' chunks are found; nothing new is embedded for these."""
    encoder = bench.embeddings(key.embeddings)
    parts = [_embedded_parts(each, key, bench) for each in texts]
    means: list[Vector] = [np.mean(encoder.embed_passages(each), axis=0) for each in parts if each]
    if not means:
        return query
    asked = encoder.embed_queries([query.question])[0]
    return replace(query, vector=mix_vectors(asked, means, weight).tobytes())


def _embedded_parts(text: RelevantText, key: StageKey, bench: Bench) -> tuple[str, ...]:
    return (text.text,) if text.chunk is None else texts_of_chunks(key, bench).get(text.chunk, ())


def _texts(key: StageKey, bench: Bench) -> Mapping[str, Sequence[str]]:
    return {key.embeddings: [passage.text for passage in passages_of(key, bench)]}


VECTOR = Retriever(
    "vector",
    "chunks whose meaning is near the question's",
    "cosine similarity",
    NeighbourSettings,
    _search,
    _mix,
    _texts,
)
