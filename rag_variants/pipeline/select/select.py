"""Ranking → the hits that the answer may use."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.ranking import Ranking, as_ranking
from rag_variants.pipeline.select.diversity import order_by_diversity
from rag_variants.pipeline.select.near_equal import all_without_repeats, without_repeats
from rag_variants.pipeline.select.parents import hand_parent, is_read, parents_of
from rag_variants.pipeline.setting import setting
from rag_variants.pipeline.stage_key import HasSettings, StageKey, stage_key
from rag_variants.types import Hit


@dataclass(frozen=True, kw_only=True)
class SelectSettings:
    """The settings of the stage `select`, shared by every pipeline."""

    top_k: int = setting(
        5,
        stage="select",
        label="top_k",
        unit="chunks",
        help="How many chunks the answer may use. More find more and bring more noise.",
        minimum=1,
        maximum=50,
        step=1,
        tries=(3, 5, 8, 12),
    )
    context_budget: int = setting(
        0,
        stage="select",
        label="Context budget",
        unit="characters",
        help="Most text that is handed to the answer, whole chunks only; 0 = no limit. "
        "Makes unlike chunk sizes comparable.",
        minimum=0,
        maximum=50_000,
        step=100,
    )
    mmr: float = setting(
        0.0,
        stage="select",
        label="Diversity (mmr)",
        help="Maximal marginal relevance: what a chunk loses for being like one chosen before; 0 = off. Makes room "
        "for a second subject, may push out a second good chunk on the first.",
        minimum=0,
        maximum=1,
        step=0.05,
        tries=(0.2, 0.5),
    )
    deduplicate: float = setting(
        0.0,
        stage="select",
        label="Leave out repeats",
        help="Leaves out a chunk that shares this part of its wording with a better ranked one; 0 = off. Versions of a "
        "rule that differ in a number are near-equal: the right one may go.",
        minimum=0,
        maximum=1,
        step=0.05,
        tries=(0.5, 0.8),
    )
    parent_size: int = setting(
        0,
        stage="select",
        label="Parent size",
        unit="characters",
        help="Small to big: chunks are searched, and the larger ones of this size that hold them are read and counted "
        "by top_k; 0 = off. Finds exactly, reads more text.",
        minimum=0,
        maximum=8000,
        step=100,
        tries=(1200, 2400),
        above="chunk_size",
    )


@dataclass(frozen=True, slots=True)
class Selected:
    """What the answer may use, its ranks from 1.

    `passed_over` holds the ranks, in the ranking, of hits that were left out although a lower one was taken or could
    have been, each with the setting that did it.
    """

    hits: tuple[Hit, ...]
    passed_over: tuple[tuple[int, str], ...] = ()


def select(found: Sequence[Hit], of: HasSettings, bench: Bench) -> Selected:
    """The hits of a ranking that the settings of the select stage leave, in this order.

    `min_score` first: a score means something in the ranking alone. Then `deduplicate`, so that what is nearly the same
    as a better chunk takes no part in `mmr`, which orders the rest. Each chunk then gives way to its parent
    (`parent_size`), and `top_k` counts what is handed over, parents included. `context_budget` is last because it
    counts the characters that are handed over: the first chunk that does not fit whole ends the list, so that a lower
    rank never replaces a higher one.
    """
    key, ranking = stage_key(of, "select"), as_ranking(found)
    count, repeats = _reaching(ranking, key.get("min_score")), list[int]()
    order: Iterable[int] = range(count)
    if key.deduplicate and key.mmr:  # which looks at every place, where others stop at `top_k`
        order, left_out = all_without_repeats(ranking, count, key.deduplicate, bench)
        repeats += left_out
    elif key.deduplicate:
        order = without_repeats(ranking, order, key.deduplicate, bench, repeats)
    if key.mmr:
        order = order_by_diversity(ranking, np.fromiter(order, np.intp), key, bench)
    hits, taken = _hand_over(ranking, order, key, bench)
    return Selected(hits, _passed_over(taken, repeats) if key.mmr or repeats else ())


def select_hits(ranking: Sequence[Hit], of: HasSettings, bench: Bench) -> tuple[Hit, ...]:
    """The hits alone."""
    return select(ranking, of, bench).hits


def _reaching(ranking: Ranking, least: float | None) -> int:
    """How many hits come before the first that scores below the least."""
    if least is None:
        return len(ranking)
    below = np.flatnonzero(ranking.scores < least)
    return int(below[0]) if len(below) else len(ranking)


def _hand_over(
    ranking: Ranking, order: Iterable[int], key: StageKey, bench: Bench
) -> tuple[tuple[Hit, ...], list[int]]:
    """The hits by their order, as far as `top_k` and `context_budget` go, and the places that they came from."""
    parents = parents_of(key, bench) if key.parent_size else None
    hits: dict[str, Hit] = {}
    taken: list[int] = []
    used = 0
    for at in order:
        hit, rank = ranking[at], len(hits) + 1
        if parents:
            hit = hand_parent(parents.holding(hit.chunk), hit, rank)
        if hit.chunk.id not in hits:
            used += len(hit.chunk.text)
            if key.context_budget and used > key.context_budget:
                break
            hits[hit.chunk.id] = hit if hit.rank == rank else replace(hit, rank=rank)
        taken.append(at)
        if len(hits) == key.top_k:
            break
    return tuple(hits.values()), taken


def _passed_over(taken: Sequence[int], repeats: Sequence[int]) -> tuple[tuple[int, str], ...]:
    """Ranks by the setting that passed them over: repeats, and those that `mmr` took a lower one before."""
    overtaken = set(range(max(taken, default=0))) - set(taken) - set(repeats)
    found = [(at, "mmr") for at in overtaken] + [(at, "deduplicate") for at in repeats]
    return tuple((at + 1, setting) for at, setting in sorted(found))


def ending_setting(
    ranking: Sequence[Hit], hits: Sequence[Hit], of: HasSettings, passed_over: Sequence[tuple[int, str]] = ()
) -> str | None:
    """The setting that kept the first hit that the answer could not read from it; None if it could read every one."""
    key = stage_key(of, "select")
    passed = dict(passed_over)
    handed = {hit.chunk.id for hit in hits}
    rest = [hit for hit in ranking if hit.chunk.id not in handed]
    if key.parent_size:
        rest = [hit for hit in rest if not is_read(hit.chunk, hits)]
    waiting = next((hit for hit in rest if hit.rank not in passed), None)
    if waiting is None:
        return passed[rest[0].rank] if rest else None
    if len(hits) >= key.top_k:
        return "top_k"
    least = key.get("min_score")
    return "min_score" if least is not None and waiting.score < least else "context_budget"
