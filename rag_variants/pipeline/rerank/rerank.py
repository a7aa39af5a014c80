"""A ranking → the same chunks, the first of them in the order of a reranker's scores."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from rag_variants.errors import ModelError
from rag_variants.pipeline.ranking import ListParts, Ranking
from rag_variants.pipeline.rerank import Reranker, reranker_kind
from rag_variants.types import Hit, Part

if TYPE_CHECKING:
    from rag_variants.pipeline.stages import Bench
    from rag_variants.pipeline.variant import Variant

# The part of a reranked hit that says where the search had it; it has no share in the reranker's score.
SEARCH = "search"


def rerank_ranking(ranking: Ranking, scores: "npt.ArrayLike") -> Ranking:
    """The ranking with its first `len(scores)` hits in the order of these scores, highest first; ties keep their order.

    A reranked hit has the reranker's score, and its rank and score before as the part `search`. What ranks below keeps
    its place and its score. Raises ValueError for more scores than hits, or one that is no finite number.
    """
    given = np.asarray(scores, dtype=np.float64)
    if len(given) > len(ranking) or not np.isfinite(given).all():
        raise ValueError(f"{len(given)} scores, all finite, are needed for at most {len(ranking)} hits")
    rest = np.arange(len(given), len(ranking))
    order = np.concatenate([np.argsort(-given, kind="stable"), rest]).astype(np.intp)
    before = np.where(order < len(given), order + 1, 0)
    search = ListParts(before, ranking.scores[order], np.zeros(len(order)))
    mixed = np.concatenate([given, ranking.scores[len(given) :]])
    parts = {name: part.at(order) for name, part in ranking.parts.items()}
    return Ranking(ranking.chunks, ranking.places[order], mixed[order], {**parts, SEARCH: search})


def before_reranking(hit: Hit) -> Part | None:
    """Where the search had a hit that was reranked; None for one that was not."""
    return dict(hit.parts).get(SEARCH)


def count_reranked(ranking: Sequence[Hit]) -> int:
    """How many of the first hits have a reranker's score; 0 if there was none."""
    part = ranking.parts.get(SEARCH) if isinstance(ranking, Ranking) else None
    return 0 if part is None else int(np.count_nonzero(part.ranks))


def open_reranker(variant: "Variant", bench: "Bench") -> Reranker | None:
    """The reranker that a variant's settings name, None for `off`. Raises ModelError if it cannot be used."""
    kind = reranker_kind(variant.reranker)
    return kind.open(variant.reranker, bench) if kind else None


def reranker_texts(variant: "Variant", bench: "Bench") -> Mapping[str, Sequence[str]]:
    """The passages that a variant's reranker needs vectors of, by encoder."""
    kind = reranker_kind(variant.reranker)
    return kind.texts(bench) if kind else {}


def check_scores(variant: "Variant", scores: Sequence[float], count: int) -> None:
    """Nothing, if there is a finite number for each chunk. Raises ModelError else: rerankers come from any package."""
    if len(scores) != count or not np.isfinite(np.asarray(scores, dtype=np.float64)).all():
        raise ModelError(
            f"reranker={variant.reranker} gave {len(scores)} scores for {count} chunks, or one that is no number. "
            "Use another reranker, or reranker=embedded."
        )
