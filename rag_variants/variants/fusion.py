"""Reciprocal rank fusion: several rankings → one."""

from collections.abc import Mapping, Sequence

from rag_variants.types import Chunk, Hit, Part


def fuse_rankings(
    rankings: Mapping[str, Sequence[Hit]],
    votes: Mapping[str, Mapping[str, float]],
    rrf_k: int,
    depth: int,
) -> tuple[Hit, ...]:
    """The best `depth` chunks of several rankings.

    `score(d) = Σ_lists vote ÷ (rrf_k + rank_list(d))`, ranks from 1; a list that does not hold `d` adds nothing
    (Cormack, Clarke and Büttcher 2009). `votes[list][chunk id]` is the list's weight for a chunk. Chunks are told
    apart by id, never by text. Ties go by (document, start).
    """
    chunks: dict[str, Chunk] = {}
    parts: dict[str, dict[str, Part]] = {}
    for name, hits in rankings.items():
        for hit in hits:
            vote = votes[name][hit.chunk.id]
            if vote > 0:
                chunks[hit.chunk.id] = hit.chunk
                parts.setdefault(hit.chunk.id, {})[name] = Part(hit.rank, hit.score, vote / (rrf_k + hit.rank))
    scores = {key: sum(part.share for part in parts[key].values()) for key in chunks}
    order = sorted(chunks, key=lambda key: (-scores[key], chunks[key].order))
    return tuple(
        Hit(rank, chunks[key], scores[key], tuple(parts[key].items()))
        for rank, key in enumerate(order[:depth], start=1)
    )
