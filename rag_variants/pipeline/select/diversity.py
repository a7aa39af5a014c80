"""Maximal marginal relevance: chunks that are relevant and unlike those chosen before them."""

from collections.abc import Iterator

import numpy as np

from rag_variants.llm.embedding import Vectors
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.chunks import chunks_of
from rag_variants.pipeline.ranking import Places, Ranking, Scores
from rag_variants.pipeline.retrieve.passages import VectorSettings, passages_of
from rag_variants.pipeline.stage_key import HasSettings, StageKey, stage_key

MATRICES_HELD = 4  # one of 100,000 chunks takes 150 MB
_DIGITS = 6  # of a similarity; beyond this float32 differs from one processor to the next


def order_by_diversity(ranking: Ranking, places: Places, key: StageKey, bench: Bench) -> Iterator[int]:
    """Some places of a ranking (from 0, rising) by maximal marginal relevance, worked out as far as they are asked for.

    Relevance is the ranking's score, scaled so that its first hit has 1 and its last 0: BM25, cosine similarity and
    reciprocal rank fusion have unlike scales, and e5's cosines lie close together. What a reranker did not look at has
    no score beside its scores: it has 0. Likeness is that of `chunk_vectors`.
    """
    relevance = relevance_of(ranking)[places]
    vectors = _vectors_at(ranking, places, key, bench)
    return (int(places[at]) for at in marginal_order(relevance, vectors, key.mmr))


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


def relevance_of(ranking: Ranking) -> Scores:
    """The scores from 1 to 0; those below the depth of a reranker, which have another scale, are 0."""
    scores, depth = ranking.scores, ranking.reranked
    return np.concatenate([scaled(scores[:depth]), np.zeros(len(scores) - depth)]) if depth else scaled(scores)


def scaled(scores: Scores) -> Scores:
    """Scores moved and stretched so that the greatest is 1 and the least 0; all 1 where they do not differ."""
    low, high = scores.min(initial=np.inf), scores.max(initial=-np.inf)
    return (scores - low) / (high - low) if high > low else np.ones(len(scores))


def chunk_vectors(of: HasSettings, bench: Bench) -> Vectors:
    """One unit row for each chunk that the variant may find, less the mean of them all; cached for a set of chunks.

    Taken from the vectors that the variant searches by, with `vectors=sentences` their mean in a chunk, so that nothing
    new is embedded; a variant without an encoder takes `embedded`. The mean is taken away because the cosines of e5
    lie between 0.75 and 0.9 even for unlike texts. A chunk without a vector has a row of zeros: it is like no other.
    """

    def gather(key: StageKey) -> Vectors:
        chunks, passages = chunks_of(key, bench), passages_of(key, bench)
        if not passages:
            return np.zeros((len(chunks), 1), np.float32)
        vectors = bench.embeddings(key.embeddings).embed_passages([passage.text for passage in passages])
        sums = np.zeros((len(chunks), vectors.shape[1]), np.float32)
        rows = [(row, at) for row, passage in enumerate(passages) for at in passage.chunks]
        np.add.at(sums, [at for _, at in rows], vectors[[row for row, _ in rows]])
        return _centred(sums)

    return bench.cached("chunk vectors", stage_key(of, "index", VectorSettings), gather, limit=MATRICES_HELD)


def _centred(rows: Vectors) -> Vectors:
    """Unit rows less their mean, at unit length again; rows of zeros stay."""
    some = rows.any(axis=1)
    units = _units(rows)
    units[some] -= units[some].mean(axis=0) if some.any() else 0
    return _units(units)


def _units(rows: Vectors) -> Vectors:
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6), dtype=np.float32)


def _vectors_at(ranking: Ranking, places: Places, key: StageKey, bench: Bench) -> Vectors:
    vectors, chunks = chunk_vectors(key, bench), chunks_of(key, bench)
    if ranking.chunks is chunks:
        return vectors[ranking.places[places]]
    at = {chunk.order: place for place, chunk in enumerate(chunks)}
    return vectors[[at[ranking.chunks[ranking.places[place]].order] for place in places]]
