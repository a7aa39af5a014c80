"""A question → what is searched for it, and the ranking of that."""

import time
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rag_variants.llm.waiting import wait_for
from rag_variants.pipeline.expand.mixing import Vector, mix_terms, mix_vectors
from rag_variants.pipeline.expand.rewriting import open_rewriter
from rag_variants.pipeline.expand.settings import FEEDBACK, MULTI_QUERY, OFF
from rag_variants.pipeline.fusion import fuse_rankings
from rag_variants.pipeline.query import Expanded, Query, Written
from rag_variants.pipeline.ranking import Ranking
from rag_variants.pipeline.retrieve.keyword import KeywordSettings, keyword_index
from rag_variants.pipeline.retrieve.passages import passages_of
from rag_variants.pipeline.retrieve.vector import VectorSettings
from rag_variants.pipeline.setting import settings_of
from rag_variants.pipeline.stages import RANKINGS_KEPT, Bench
from rag_variants.pipeline.variant import Variant
from rag_variants.types import Chunk, Hit

# The written passage counts as much as the question: the mean of both vectors (Gao et al. 2022, with one passage).
HYDE_WEIGHT = 0.5
# Of the fusion of wordings (Cormack, Clarke and Büttcher 2009).
WORDINGS_RRF_K = 60


@dataclass(frozen=True, slots=True)
class Source:
    """A passage to be mixed into a question: its share, its text, the language of its stems (None: that of all chunks).

    The mean of the vectors of `parts` is its own; without parts it has none.
    """

    share: float
    text: str
    language: str | None
    parts: tuple[str, ...]


def make_query(variant: Variant, question: str, bench: Bench, written: Written | None = None) -> Expanded:
    """What a variant searches for a question, with what a chat model wrote for it and the milliseconds it took.

    Where one has to write and `written` is not given, it is asked and waited for. Raises CallError.
    """
    if variant.expansion == OFF:
        return Expanded(None)
    if variant.expansion == FEEDBACK:
        return _feedback(variant, question, bench)
    if written is None:
        written = wait_for(open_rewriter(variant, bench).write(question))
    waited = (written.seconds or 0.0) * 1000
    if variant.expansion == MULTI_QUERY:
        return Expanded(Query(question, wordings=written.texts), written, waited)
    sources = [Source(1.0, text, None, (text,)) for text in written.texts]
    key = (_index_part(variant, bench), question, written.texts)
    made = bench.stages.keep("query", key, lambda: _mix(variant, question, sources, HYDE_WEIGHT, bench), RANKINGS_KEPT)
    return Expanded(made.query, written, waited + made.milliseconds)


def rank_query(variant: Variant, query: Query, bench: Bench) -> Sequence[Hit]:
    """The variant's ranking of what is searched: of its terms and vector, or the fused one of all its wordings.

    Every wording has the same vote as the question.
    """
    if not query.wordings:
        return variant.search(query, bench)
    plain = replace(variant, expansion=OFF)
    named = {"question": query.question, **{f"wording {at}": text for at, text in enumerate(query.wordings, start=1)}}
    lists = {name: bench.part(plain, text) for name, text in named.items()}
    rankings = _over_same_chunks(lists)
    return fuse_rankings(rankings, dict.fromkeys(rankings, 1.0), WORDINGS_RRF_K, variant.candidates)


def _over_same_chunks(lists: Mapping[str, Sequence[Hit]]) -> Mapping[str, Ranking]:
    """Rankings that can be fused; lists of another package's variant over the chunks that any of them holds."""
    found = {name: each for name, each in lists.items() if isinstance(each, Ranking)}
    if len(found) == len(lists):
        return found
    among = [hit.chunk for each in lists.values() for hit in each]
    return {name: Ranking.of(each, among) for name, each in lists.items()}


def _feedback(variant: Variant, question: str, bench: Bench) -> Expanded:
    """The question mixed with the first chunks of its plain ranking; the question alone where nothing was found.

    A chunk's terms count by its share of the scores of these chunks. Nothing new is embedded.
    """
    plain = bench.rank(replace(variant, expansion=OFF), question)
    first = tuple(plain.hits[: variant.feedback_chunks])
    total = sum(hit.score for hit in first)
    shares = tuple(hit.score / total if total > 0 else 1 / len(first) for hit in first)
    key = (_index_part(variant, bench), question, variant.feedback_weight, tuple(hit.chunk for hit in first), shares)

    def make() -> Expanded:
        sources = [
            Source(share, hit.chunk.text, hit.chunk.language, _embedded_parts(variant, hit.chunk, bench))
            for share, hit in zip(shares, first, strict=True)
        ]
        return _mix(variant, question, sources, variant.feedback_weight, bench)

    made = bench.stages.keep("query", key, make, RANKINGS_KEPT)
    query = replace(made.query or Query(question), chunks=tuple(hit.chunk.id for hit in first))
    return Expanded(query, None, plain.milliseconds + made.milliseconds)


def _mix(variant: Variant, question: str, sources: Sequence[Source], weight: float, bench: Bench) -> Expanded:
    begin = time.perf_counter()
    query = Query(question)
    if sources and isinstance(variant, KeywordSettings):
        index = keyword_index(variant, bench)
        asked = index.question_terms(question)
        read = [(each.share, index.question_terms(each.text, each.language)) for each in sources]
        terms = mix_terms(asked, read, weight)
        query = replace(query, terms=terms, added=tuple(term for term, _ in terms if term not in asked))
    if isinstance(variant, VectorSettings) and (passages := _vectors(variant, sources, bench)):
        asked_vector = bench.embeddings(variant.embeddings).embed_queries([question])[0]
        query = replace(query, vector=mix_vectors(asked_vector, passages, weight).tobytes())
    return Expanded(query, None, (time.perf_counter() - begin) * 1000)


def _vectors(variant: VectorSettings, sources: Sequence[Source], bench: Bench) -> list[Vector]:
    kept = bench.embeddings(variant.embeddings)
    return [np.mean(kept.embed_passages(each.parts), axis=0) for each in sources if each.parts]


def _embedded_parts(variant: Any, chunk: Chunk, bench: Bench) -> tuple[str, ...]:
    """The texts by whose vectors a variant finds a chunk: its own, or its sentences."""
    if not isinstance(variant, VectorSettings):
        return ()
    if variant.vectors == "chunk":
        return (chunk.text,)
    parts = bench.stages.keep("sentences", _index_part(variant, bench), lambda: _sentences(variant, bench))
    return parts.get(chunk, ())


def _sentences(variant: Any, bench: Bench) -> Mapping[Chunk, tuple[str, ...]]:
    chunks = bench.chunks(variant)
    found: dict[Chunk, tuple[str, ...]] = {}
    for passage in passages_of(variant, bench):
        for at in passage.chunks:
            found[chunks[at]] = (*found.get(chunks[at], ()), passage.text)
    return found


def _index_part(variant: Any, bench: Bench) -> Hashable:
    """What an index depends on."""
    early = (name for name, (_, texts) in settings_of(variant).items() if texts.stage in ("chunks", "index"))
    return (type(variant), bench.indexed_documents(variant), *(getattr(variant, name) for name in early))
