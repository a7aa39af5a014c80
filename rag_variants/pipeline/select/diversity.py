"""Maximal marginal relevance: chunks that are relevant and unlike those chosen before them."""

from collections.abc import Iterator, Sequence

import numpy as np

from rag_variants.llm.embedding import Vectors
from rag_variants.pipeline.ranking import Places, Ranking, Scores
from rag_variants.pipeline.rerank.rerank import count_reranked
from rag_variants.pipeline.retrieve.passages import Passage, passages_of
from rag_variants.pipeline.retrieve.vector import VectorSettings
from rag_variants.pipeline.stages import Bench
from rag_variants.pipeline.variant import Variant
from rag_variants.types import Hit

MATRICES_KEPT = 4  # one of 100,000 chunks takes 150 MB
_DIGITS = 6  # of a similarity; beyond this float32 differs from one processor to the next


def order_by_diversity(ranking: Sequence[Hit], places: Places, variant: Variant, bench: Bench) -> Iterator[int]:
    """Some places of a ranking (from 0, rising) by maximal marginal relevance, worked out as far as they are asked for.

    Relevance is the ranking's score, scaled so that its first hit has 1 and its last 0: BM25, cosine similarity and
    reciprocal rank fusion have unlike scales, and e5's cosines lie close together. What a reranker did not look at has
    no score beside its scores: it has 0. Likeness is that of `chunk_vectors`.
    """
    relevance = relevance_of(ranking)[places]
    vectors = _vectors_at(ranking, places, variant, bench)
    return (int(places[at]) for at in marginal_order(relevance, vectors, variant.mmr))


def marginal_order(relevance: Scores, vectors: Vectors, mmr: float) -> Iterator[int]:
    """Positions by (1 − mmr) · relevance − mmr · the greatest cosine to one chosen before; ties go by position.

    `vectors` are unit rows, one for each relevance. Less than no likeness counts as none, so that the opposite of a
    chunk is not preferred to another subject (Carbonell and Goldstein 1998, with λ = 1 − mmr).
    """
    worth = (1.0 - mmr) * relevance
    nearest = np.zeros(len(worth))
    for _ in range(len(worth)):
        at = int(np.argmax(worth - mmr * nearest))
        yield at
        worth[at] = -np.inf
        np.maximum(nearest, (vectors @ vectors[at]).round(_DIGITS), out=nearest)


def scores_of(ranking: Sequence[Hit]) -> Scores:
    """The score of every hit."""
    return ranking.scores if isinstance(ranking, Ranking) else np.array([hit.score for hit in ranking])


def relevance_of(ranking: Sequence[Hit]) -> Scores:
    """The scores from 1 to 0; those below the depth of a reranker, which have another scale, are 0."""
    scores, depth = scores_of(ranking), count_reranked(ranking)
    return np.concatenate([scaled(scores[:depth]), np.zeros(len(scores) - depth)]) if depth else scaled(scores)


def scaled(scores: Scores) -> Scores:
    """Scores moved and stretched so that the greatest is 1 and the least 0; all 1 where they do not differ."""
    low, high = scores.min(initial=np.inf), scores.max(initial=-np.inf)
    return (scores - low) / (high - low) if high > low else np.ones(len(scores))


def chunk_vectors(variant: Variant, bench: Bench) -> Vectors:
    """One unit row for each chunk that the variant may find, less the mean of them all; kept for a set of chunks.

    Taken from the vectors that the variant searches by, with `vectors=sentences` their mean in a chunk, so that nothing
    new is embedded; a variant without an encoder takes `embedded`. The mean is taken away because the cosines of e5
    lie between 0.75 and 0.9 even for unlike texts. A chunk without a vector has a row of zeros: it is like no other.
    """
    knowledge, spec = bench.indexed_documents(variant), getattr(variant, "embeddings", "embedded")
    key = (knowledge, variant.chunk_size, variant.chunk_overlap, spec, getattr(variant, "vectors", "chunk"))
    return bench.stages.keep("chunk vectors", key, lambda: _gather(variant, bench, spec), MATRICES_KEPT)


def _gather(variant: Variant, bench: Bench, spec: str) -> Vectors:
    chunks = bench.chunks(variant)
    own = isinstance(variant, VectorSettings)
    passages = passages_of(variant, bench) if own else [Passage(each.text, (at,)) for at, each in enumerate(chunks)]
    if not passages:
        return np.zeros((len(chunks), 1), np.float32)
    vectors = bench.embeddings(spec).embed_passages([passage.text for passage in passages])
    sums = np.zeros((len(chunks), vectors.shape[1]), np.float32)
    rows = [(row, at) for row, passage in enumerate(passages) for at in passage.chunks]
    np.add.at(sums, [at for _, at in rows], vectors[[row for row, _ in rows]])
    return _centred(sums)


def _centred(rows: Vectors) -> Vectors:
    """Unit rows less their mean, at unit length again; rows of zeros stay."""
    some = rows.any(axis=1)
    units = _units(rows)
    units[some] -= units[some].mean(axis=0) if some.any() else 0
    return _units(units)


def _units(rows: Vectors) -> Vectors:
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6), dtype=np.float32)


def _vectors_at(ranking: Sequence[Hit], places: Places, variant: Variant, bench: Bench) -> Vectors:
    vectors, chunks = chunk_vectors(variant, bench), bench.chunks(variant)
    if isinstance(ranking, Ranking) and ranking.chunks is chunks:
        return vectors[ranking.places[places]]
    at = {chunk.order: place for place, chunk in enumerate(chunks)}
    return vectors[[at[ranking[int(place)].chunk.order] for place in places]]
