"""Reciprocal rank fusion: several rankings → one."""

import math
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from rag_variants.pipeline.ranking import ListParts, Ranking

# Of the fusion of wordings (Cormack, Clarke and Büttcher 2009).
WORDINGS_RRF_K = 60


def fuse_rankings(
    rankings: Mapping[str, Ranking], votes: Mapping[str, "npt.ArrayLike"], rrf_k: int, depth: int
) -> Ranking:
    """The best `depth` chunks of several rankings over the same chunks.

    `score(d) = Σ_lists vote ÷ (rrf_k + rank_list(d))`, ranks from 1; a list that does not hold `d` adds nothing
    (Cormack, Clarke and Büttcher 2009). `votes[list]` is the list's weight, for all of its hits or for each in their
    order; a hit without weight is not there. Chunks are told apart by place, never by text. Ties go by the order of
    the chunks. Raises ValueError for rankings over unlike chunks.
    """
    chunks = next(iter(rankings.values())).chunks
    if any(each.chunks is not chunks and each.chunks != chunks for each in rankings.values()):
        raise ValueError("Only rankings over the same chunks can be fused.")
    weights = {name: np.broadcast_to(np.asarray(votes[name], float), len(each)) for name, each in rankings.items()}
    voting = {name: np.flatnonzero(weight > 0) for name, weight in weights.items()}
    places = np.unique(np.concatenate([each.places[voting[name]] for name, each in rankings.items()]))
    total, parts = np.zeros(len(places)), {}
    for name, each in rankings.items():
        at = voting[name]
        row = np.searchsorted(places, each.places[at])
        part = ListParts(np.zeros(len(places), np.intp), np.zeros(len(places)), np.zeros(len(places)))
        part.ranks[row], part.scores[row] = at + 1, each.scores[at]
        part.shares[row] = weights[name][at] / (rrf_k + at + 1)
        total += part.shares
        parts[name] = part
    order = np.argsort(-total, kind="stable")[:depth]
    fused = {name: part.at(order) for name, part in parts.items()}
    return Ranking(chunks, places[order], total[order], fused, sum(each.spared for each in rankings.values()))


def last_rank_that_beats_a_lone_first(rrf_k: int, weight: float) -> int | None:
    """The deepest rank at which a chunk that both lists have (at that rank in both) beats rank 1 of one list alone.

    `weight` (0…1) is that one list's; the other has the rest. The chunk in both scores 1 ÷ (rrf_k + r), the lone one
    weight ÷ (rrf_k + 1). None if every rank beats it, because the list has no weight; 0 if none does.
    """
    if weight == 0:
        return None
    ahead = (rrf_k + 1) / weight - rrf_k  # r < ahead; rank 1 in both only ties where one list has all the weight
    return max(0, math.ceil(round(ahead, 9)) - 1)
