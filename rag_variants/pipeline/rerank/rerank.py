"""A ranking → the same chunks, the first of them in the order of a reranker's scores."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from rag_variants.errors import ModelError
from rag_variants.llm.waiting import wait_for
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.cache import Timed
from rag_variants.pipeline.ranking import SEARCH, ListParts, Ranking
from rag_variants.pipeline.rerank import (
    EMBEDDED,
    OFF,
    OTHERS_FORM,
    Reranker,
    WaitingReranker,
    installed_rerankers,
    is_reranker,
    open_reranker,
    reranker_summary,
)
from rag_variants.pipeline.setting import Beyond, setting
from rag_variants.pipeline.stage_key import StageKey
from rag_variants.types import Chunk

if TYPE_CHECKING:
    from rag_variants.llm.reranking import RerankReply


@dataclass(frozen=True, kw_only=True)
class RerankSettings:
    """The settings of the stage `rerank`, shared by every pipeline."""

    reranker: str = setting(
        OFF,
        stage="rerank",
        label="Reranker",
        help="Who looks at the first chunks once more and reorders them. It takes its time at each question; "
        "`min_score` then does nothing.",
        choices=(OFF, EMBEDDED.word),
        beyond=Beyond(OTHERS_FORM, is_reranker, lambda _: installed_rerankers()),
        explain=lambda variant: reranker_summary(variant.reranker),
    )
    rerank_depth: int = setting(
        20,
        stage="rerank",
        label="Reranked",
        unit="chunks",
        help="How many of the first chunks are reordered; what ranks below follows in the order of the search. "
        "The reranker's time and price grow with it.",
        minimum=1,
        maximum=200,
        step=1,
        tries=(5, 10, 20, 50),
    )


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


def first_chunks(key: StageKey, ranking: Ranking) -> Sequence[Chunk]:
    """The first `rerank_depth` chunks of a ranking."""
    return [ranking.chunks[at] for at in ranking.places[: key.rerank_depth]]


def rerank_first(
    key: StageKey, question: str, ranking: Ranking, bench: Bench, reply: "RerankReply | None" = None
) -> Timed[Ranking]:
    """The ranking as the reranker of the settings orders its first `rerank_depth` chunks.

    `reply` is what it said of them; where it is not given, it is asked. The time is the reranker's alone: of a call,
    that on the wire when it was made. Raises ModelError.
    """
    first = first_chunks(key, ranking)
    if not first:
        return Timed(ranking, 0.0)
    begin = time.perf_counter()
    scores, seconds = _scores(open_reranker(key.reranker, bench), question, first, reply)
    took = time.perf_counter() - begin if seconds is None else seconds
    check_scores(key.reranker, scores, len(first))
    return Timed(rerank_ranking(ranking, scores), took * 1000)


def _scores(
    reranker: Reranker, question: str, chunks: Sequence[Chunk], reply: "RerankReply | None"
) -> tuple[Sequence[float], float | None]:
    """The scores, and the seconds that a call took when it was made; None where there was no call."""
    if reply is None and isinstance(reranker, WaitingReranker):
        reply = wait_for(reranker.ask(question, chunks))
    if reply is not None:
        return reply.scores, reply.seconds
    return reranker.score(question, chunks), None


def check_scores(spec: str, scores: Sequence[float], count: int) -> None:
    """Nothing, if there is a finite number for each chunk. Raises ModelError else: rerankers come from any package."""
    if len(scores) != count or not np.isfinite(np.asarray(scores, dtype=np.float64)).all():
        raise ModelError(
            f"reranker={spec} gave {len(scores)} scores for {count} chunks, or one that is no number. "
            "Use another reranker, or reranker=embedded."
        )
