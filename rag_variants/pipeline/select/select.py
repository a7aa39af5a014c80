"""Ranking → the hits that the answer may use."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rag_variants.pipeline.select.diversity import order_by_diversity, scores_of
from rag_variants.pipeline.select.near_equal import all_without_repeats, without_repeats
from rag_variants.pipeline.select.parents import hand_parent, is_read, parents_of
from rag_variants.pipeline.stages import Bench
from rag_variants.pipeline.variant import Variant
from rag_variants.types import Hit


@dataclass(frozen=True, slots=True)
class Selected:
    """What the answer may use, its ranks from 1.

    `passed_over` holds the ranks, in the ranking, of hits that were left out although a lower one was taken or could
    have been, each with the setting that did it.
    """

    hits: tuple[Hit, ...]
    passed_over: tuple[tuple[int, str], ...] = ()


def select(ranking: Sequence[Hit], variant: Variant, bench: Bench) -> Selected:
    """The hits of a ranking that the settings of the select stage leave, in this order.

    `min_score` first: a score means something in the ranking alone. Then `deduplicate`, so that what is nearly the same
    as a better chunk takes no part in `mmr`, which orders the rest. Each chunk then gives way to its parent
    (`parent_size`), and `top_k` counts what is handed over, parents included. `context_budget` is last because it
    counts the characters that are handed over: the first chunk that does not fit whole ends the list, so that a lower
    rank never replaces a higher one.
    """
    count, repeats = _reaching(ranking, variant.min_score_kept), list[int]()
    order: Iterable[int] = range(count)
    if variant.deduplicate and variant.mmr:  # which looks at every place, where others stop at `top_k`
        order, left_out = all_without_repeats(ranking, count, variant.deduplicate, bench)
        repeats += left_out
    elif variant.deduplicate:
        order = without_repeats(ranking, order, variant.deduplicate, bench, repeats)
    if variant.mmr:
        order = order_by_diversity(ranking, np.fromiter(order, np.intp), variant, bench)
    hits, taken = _hand_over(ranking, order, variant, bench)
    return Selected(hits, _passed_over(taken, repeats) if variant.mmr or repeats else ())


def select_hits(ranking: Sequence[Hit], variant: Variant, bench: Bench) -> tuple[Hit, ...]:
    """The hits alone."""
    return select(ranking, variant, bench).hits


def _reaching(ranking: Sequence[Hit], least: float | None) -> int:
    """How many hits come before the first that scores below the least."""
    if least is None:
        return len(ranking)
    below = np.flatnonzero(scores_of(ranking) < least)
    return int(below[0]) if len(below) else len(ranking)


def _hand_over(
    ranking: Sequence[Hit], order: Iterable[int], variant: Variant, bench: Bench
) -> tuple[tuple[Hit, ...], list[int]]:
    """The hits by their order, as far as `top_k` and `context_budget` go, and the places that they came from."""
    parents = parents_of(variant, bench) if variant.parent_size else None
    hits: dict[str, Hit] = {}
    taken: list[int] = []
    used = 0
    for at in order:
        hit, rank = ranking[at], len(hits) + 1
        if parents:
            hit = hand_parent(parents.holding(hit.chunk), hit, rank)
        if hit.chunk.id not in hits:
            used += len(hit.chunk.text)
            if variant.context_budget and used > variant.context_budget:
                break
            hits[hit.chunk.id] = hit if hit.rank == rank else replace(hit, rank=rank)
        taken.append(at)
        if len(hits) == variant.top_k:
            break
    return tuple(hits.values()), taken


def _passed_over(taken: Sequence[int], repeats: Sequence[int]) -> tuple[tuple[int, str], ...]:
    """Ranks by the setting that passed them over: repeats, and those that `mmr` took a lower one before."""
    overtaken = set(range(max(taken, default=0))) - set(taken) - set(repeats)
    found = [(at, "mmr") for at in overtaken] + [(at, "deduplicate") for at in repeats]
    return tuple((at + 1, setting) for at, setting in sorted(found))


def ending_setting(
    ranking: Sequence[Hit], hits: Sequence[Hit], variant: Variant, passed_over: Sequence[tuple[int, str]] = ()
) -> str | None:
    """The setting that kept the first hit that the answer could not read from it; None if it could read every one."""
    passed = dict(passed_over)
    handed = {hit.chunk.id for hit in hits}
    rest = [hit for hit in ranking if hit.chunk.id not in handed]
    if variant.parent_size:
        rest = [hit for hit in rest if not is_read(hit.chunk, hits)]
    waiting = next((hit for hit in rest if hit.rank not in passed), None)
    if waiting is None:
        return passed[rest[0].rank] if rest else None
    if len(hits) >= variant.top_k:
        return "top_k"
    least = variant.min_score_kept
    return "min_score" if least is not None and waiting.score < least else "context_budget"
