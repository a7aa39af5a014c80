"""Fusion, cut and the seven retrieval metrics as one would write them by hand with numpy, for `make bench-tuning`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import numpy.typing as npt

from rag_variants.pipeline import read_variant
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.chunks import chunks_of
from rag_variants.pipeline.retrieve.keyword import keyword_index
from rag_variants.pipeline.retrieve.vector import vector_index
from rag_variants.pipeline.variants.hybrid import Hybrid
from rag_variants.questions.gold import Gold
from rag_variants.types import Chunk, Question

Ints, Bools, Floats = npt.NDArray[np.int64], npt.NDArray[np.bool_], npt.NDArray[np.float32]


@dataclass(frozen=True)
class Prepared:
    """A question for the loop: both lists as chunk numbers, best first, and what each chunk holds of its evidence.

    `gold`: (groups, chunks). `groups`: for each group its alternatives, (chunks, characters) that a chunk covers.
    `places`: (chunks, characters) of all evidence, each place once. `lengths`: characters of each chunk. `vectors`: a
    unit row for each chunk, less their mean.
    """

    keyword: Ints
    vector: Ints
    gold: Bools
    groups: list[list[Bools]]
    places: Bools
    lengths: Ints
    vectors: Floats


def chunk_directions(bench: Bench) -> Floats:
    """The vectors of the chunks less their mean, at unit length: made once, not timed."""
    variant = cast(Hybrid, read_variant("hybrid"))
    rows = bench.embeddings(variant.embeddings).embed_passages([chunk.text for chunk in chunks_of(variant, bench)])
    apart = rows - rows.mean(axis=0)
    return np.asarray(apart / np.linalg.norm(apart, axis=1, keepdims=True), dtype=np.float32)


def prepare(question: Question, gold: Gold, bench: Bench, vectors: Floats) -> Prepared:
    """A question's arrays: made once, not timed."""
    variant = cast(Hybrid, read_variant("hybrid"))
    chunks = chunks_of(variant, bench)
    number = {chunk.id: at for at, chunk in enumerate(chunks)}
    keyword, vector = (
        np.array([number[hit.chunk.id] for hit in found], dtype=np.int64)
        for found in (
            keyword_index(variant, bench).search(question.user_input, variant.candidates),
            vector_index(variant, bench).search(question.user_input, variant.candidates),
        )
    )
    marks = [gold.mark(chunk).gold for chunk in chunks]
    places = sorted({(each.document, at) for each in gold.occurrences for at in range(each.start, each.end)})
    groups = [
        [
            _covers(chunks, [(each.document, at) for at in range(each.start, each.end)])
            for each in gold.occurrences
            if each.group == group
        ]
        for group in gold.groups
    ]
    return Prepared(
        keyword,
        vector,
        np.array([[group in mark for mark in marks] for group in gold.groups]),
        groups,
        _covers(chunks, places),
        np.array([chunk.end - chunk.start for chunk in chunks]),
        vectors,
    )


def _covers(chunks: Sequence[Chunk], places: Sequence[tuple[str, int]]) -> Bools:
    return np.array(
        [[chunk.document == path and chunk.start <= at < chunk.end for path, at in places] for chunk in chunks]
    )


def loop(spec: str, prepared: Sequence[Prepared]) -> list[dict[str, float]]:
    """The metrics of every question under a hybrid variant."""
    variant = cast(Hybrid, read_variant(spec))
    k, weight, top_k = variant.rrf_k, variant.keyword_weight, variant.top_k
    found = []
    for each in prepared:
        scores = np.zeros(len(each.lengths))
        scores[each.keyword] += weight / (k + np.arange(1, len(each.keyword) + 1))
        scores[each.vector] += (1 - weight) / (k + np.arange(1, len(each.vector) + 1))
        if variant.mmr:
            ranked = np.argsort(-scores, kind="stable")[: variant.candidates]
            chosen = ranked[_unlike(scores[ranked], each.vectors[ranked], variant.mmr, top_k)]
        else:
            chosen = np.argsort(-scores, kind="stable")[:top_k]
        found.append(_measure(each, chosen))
    return found


def _unlike(scores: npt.NDArray[np.float64], vectors: Floats, mmr: float, top_k: int) -> list[int]:
    worth = (1 - mmr) * (scores - scores[-1]) / (scores[0] - scores[-1])
    nearest = np.zeros(len(worth))
    chosen: list[int] = []
    for _ in range(min(top_k, len(scores))):
        chosen.append(int(np.argmax(worth - mmr * nearest)))
        worth[chosen[-1]] = -np.inf
        nearest = np.maximum(nearest, (vectors @ vectors[chosen[-1]]).round(6))
    return chosen


def _measure(each: Prepared, chosen: Ints) -> dict[str, float]:
    of_group = each.gold[:, chosen]
    gold = of_group.any(axis=0)
    ranks = np.flatnonzero(gold) + 1
    ideal = (1 / np.log2(np.arange(2, int(each.gold.any(axis=0).sum()) + 2))).sum()
    shares = [
        max((covers[chosen].any(axis=0).mean() for covers in alternatives), default=0.0) for alternatives in each.groups
    ]
    return {
        "hit_rate": float(gold.any()),
        "evidence_recall": float(np.mean(shares)),
        "all_evidence": float(of_group.any(axis=1).all()),
        "evidence_precision": float(each.places[chosen].any(axis=0).sum() / each.lengths[chosen].sum()),
        "precision": float(gold.mean()),
        "mrr": float(1 / ranks[0]) if len(ranks) else 0.0,
        "ndcg": float((1 / np.log2(ranks + 1)).sum() / ideal) if ideal else 0.0,
    }
