"""Reciprocal rank fusion: several rankings → one."""

import math
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
            key = hit.chunk.id
            vote = votes[name][key]
            if vote > 0:
                chunks[key] = hit.chunk
                parts.setdefault(key, {})[name] = Part(hit.rank, hit.score, vote / (rrf_k + hit.rank))
    scores = {key: sum(part.share for part in parts[key].values()) for key in chunks}
    order = sorted(chunks, key=lambda key: (-scores[key], chunks[key].order))
    return tuple(
        Hit(rank, chunks[key], scores[key], tuple(parts[key].items()))
        for rank, key in enumerate(order[:depth], start=1)
    )


def last_rank_that_beats_a_lone_first(rrf_k: int, weight: float) -> int | None:
    """The deepest rank at which a chunk that both lists have (at that rank in both) beats rank 1 of one list alone.

    `weight` (0…1) is that one list's; the other has the rest. The chunk in both scores 1 ÷ (rrf_k + r), the lone one
    weight ÷ (rrf_k + 1). None if every rank beats it, because the list has no weight; 0 if none does.
    """
    if weight == 0:
        return None
    ahead = (rrf_k + 1) / weight - rrf_k  # r < ahead; rank 1 in both only ties where one list has all the weight
    return max(0, math.ceil(round(ahead, 9)) - 1)
