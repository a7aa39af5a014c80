"""Ranking → the hits that the answer may use."""

from collections.abc import Sequence

from rag_variants.types import Hit
from rag_variants.variants.base import Variant


def select_hits(ranking: Sequence[Hit], variant: Variant) -> tuple[Hit, ...]:
    """The first `top_k` hits that reach `min_score`, as long as whole chunks fit into `context_budget` characters.

    The first chunk that does not fit ends the list, so that a lower rank never replaces a higher one.
    """
    least = variant.min_score_kept
    chosen: list[Hit] = []
    used = 0
    for hit in ranking[: variant.top_k]:
        used += len(hit.chunk.text)
        if (least is not None and hit.score < least) or (variant.context_budget and used > variant.context_budget):
            break
        chosen.append(hit)
    return tuple(chosen)


def ending_setting(ranking: Sequence[Hit], hits: Sequence[Hit], variant: Variant) -> str | None:
    """The setting that kept the first hit that was not selected from the answer; None if every hit was selected."""
    count = len(hits)
    if count >= len(ranking):
        return None
    if count >= variant.top_k:
        return "top_k"
    least = variant.min_score_kept
    return "min_score" if least is not None and ranking[count].score < least else "context_budget"
