"""Keyword search: BM25 over stems, character pairs and identifiers."""

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from rag_variants.pipeline.query import Query
from rag_variants.pipeline.ranking import Places, Ranking, Scores
from rag_variants.pipeline.retrieve.chunk_terms import count_terms
from rag_variants.pipeline.retrieve.keyword_matrix import KeywordMatrix, best_places
from rag_variants.pipeline.retrieve.term_counts import TermCounts
from rag_variants.pipeline.setting import setting
from rag_variants.pipeline.stages import Bench
from rag_variants.pipeline.variant import Variant
from rag_variants.text.function_words import extract_topic_terms
from rag_variants.text.language import as_language
from rag_variants.text.terms import split_at_blanks
from rag_variants.types import Chunk, Hit

CHUNKS_KEPT = 120_000  # of all kept indexes together

TOKENS_HELP = (
    "`language`: stems, pairs of Chinese characters, identifiers whole; function words of a question do not vote. "
    "`words`: split at blanks, as naive search does."
)


@dataclass(frozen=True, kw_only=True)
class KeywordSettings:
    """The settings of keyword scoring, shared by every variant that uses it."""

    tokens: str = setting("language", stage="index", label="Tokens", help=TOKENS_HELP, choices=("language", "words"))
    k1: float = setting(
        1.5,
        stage="index",
        label="BM25 k1",
        help="How much a repeated term adds: 0 = a term counts once, larger = repeats count longer.",
        minimum=0,
        maximum=4,
        step=0.1,
    )
    b: float = setting(
        0.75,
        stage="index",
        label="BM25 b",
        help="How much long chunks are held back: 0 = not at all, 1 = in full.",
        minimum=0,
        maximum=1,
        step=0.05,
    )


class KeywordIndex:
    """BM25 scores of questions over chunks, which are given in the order of (document, start).

    The numbers of rank-bm25's BM25Okapi with an idf under which tiny collections rank and a hit scores above 0; see
    KeywordMatrix. A chunk that scores 0 is no hit. `counts` are those of the chunks, where they are at hand.
    """

    def __init__(self, chunks: Sequence[Chunk], settings: KeywordSettings, counts: TermCounts | None = None) -> None:
        self.chunks = chunks
        self.tokens = settings.tokens
        self._languages = sorted({chunk.language for chunk in chunks}) or [""]
        counts = count_terms(chunks, settings.tokens) if counts is None else counts
        self.matrix = KeywordMatrix(counts, settings.k1, settings.b)

    def question_terms(self, question: str, language: str | None = None) -> tuple[str, ...]:
        """The terms that vote, stemmed as the texts of a language are; of every language that chunks have, if None.

        Function words do not vote: they match everything and so spoil a fusion.
        """
        if self.tokens == "words":
            return split_at_blanks(question)
        first, *others = [language] if language else self._languages
        terms = list(extract_topic_terms(question, as_language(first)))
        for other in others:
            terms += [term for term in extract_topic_terms(question, as_language(other)) if term not in terms]
        return tuple(terms)

    def search(self, question: str, depth: int) -> Ranking:
        """The best `depth` chunks that share a term with the question; ties go by (document, start)."""
        return self._best(((term, 1.0) for term in self.question_terms(question)), depth)

    def search_terms(self, weights: Mapping[str, float], depth: int) -> Ranking:
        """As `search`, by terms as chunks have them; what a term gives is multiplied by its weight (≥ 0)."""
        return self._best(weights.items(), depth)

    def _best(self, weighted: Iterable[tuple[str, float]], depth: int) -> Ranking:
        scores = self.matrix.scores(weighted)
        places = best_places(scores, depth)
        return Ranking.best(self.chunks, places, scores[places], depth)

    def coverage(self, question: str, chunk: Chunk) -> float:
        """Σ idf of the question's terms in the chunk ÷ Σ idf of the question's terms, 0…1.

        Raises ValueError for a chunk that the index does not hold.
        """
        at = bisect_left(self.chunks, chunk.order, key=lambda each: each.order)
        if at == len(self.chunks) or self.chunks[at] != chunk:
            raise ValueError(f"{chunk.id} is no chunk of this index.")
        return float(self.coverages(question, np.array([at]))[0])

    def coverages(self, question: str, places: Places) -> Scores:
        """The coverage of each of some chunks, given by position."""
        shares = np.zeros(len(places))
        languages = np.array([self.chunks[at].language for at in places])
        for language in dict.fromkeys(languages.tolist()):
            of_it = languages == language
            shares[of_it] = self._shares(sorted(set(self.question_terms(question, language))), places[of_it])
        return shares

    def _shares(self, terms: Sequence[str], places: Places) -> Scores:
        idf = {term: self.matrix.idf(term) for term in terms}
        held = np.zeros(len(places))
        for term, weight in idf.items():
            held += weight * self.matrix.terms.stands_in(term, places)
        return held / sum(idf.values()) if idf else held


def keyword_index(variant: Any, bench: Bench) -> KeywordIndex:
    """The kept index for a variant that has KeywordSettings."""
    chunks, settings = bench.chunks(variant), _settings(variant)
    # At least A's and B's, and those of a slider's two ends; of 100,000 chunks each takes some 70 MB.
    limit = max(4, min(24, CHUNKS_KEPT // max(len(chunks), 1)))

    def count() -> TermCounts:
        return count_terms(chunks, settings.tokens, bench.stages.files)

    def make() -> KeywordIndex:
        # k1 and b are another stage than the terms: a move of them counts nothing again
        counts = bench.stages.keep("tokens", (_chunks_key(variant, bench), settings.tokens), count, limit)
        return KeywordIndex(chunks, settings, counts)

    return bench.stages.keep("keyword index", _index_key(variant, bench), make, limit)


def keyword_hits(variant: Any, question: str, bench: Bench) -> Ranking:
    """The kept list of a variant that has KeywordSettings: its best `candidates` chunks for a question."""
    key = (_index_key(variant, bench), question, variant.candidates)
    return bench.search("keyword hits", key, lambda: keyword_index(variant, bench).search(question, variant.candidates))


def term_hits(variant: Any, query: Query, bench: Bench) -> Ranking:
    """As `keyword_hits`, for the weighted terms of a query; for its question if it has none."""
    if not query.terms:
        return keyword_hits(variant, query.question, bench)
    key = (_index_key(variant, bench), query.terms, variant.candidates)
    terms = dict(query.terms)
    return bench.search(
        "keyword hits", key, lambda: keyword_index(variant, bench).search_terms(terms, variant.candidates)
    )


def _settings(variant: Any) -> KeywordSettings:
    return KeywordSettings(tokens=variant.tokens, k1=variant.k1, b=variant.b)


def _chunks_key(variant: Any, bench: Bench) -> Hashable:
    return bench.indexed_documents(variant), variant.chunk_size, variant.chunk_overlap


def _index_key(variant: Any, bench: Bench) -> Hashable:
    return _chunks_key(variant, bench), _settings(variant)


@dataclass(frozen=True, kw_only=True)
class Keyword(KeywordSettings, Variant):
    """Finds chunks that share words with the question."""

    name: ClassVar[str] = "keyword"
    title: ClassVar[str] = "Keyword (BM25)"
    score_kind: ClassVar[str] = "BM25"
    searches_weighted: ClassVar[bool] = True
    summary: ClassVar[str] = (
        "Finds chunks that share words with the question. Strong on identifiers, blind to synonyms."
    )

    min_score: float = setting(
        0.0,
        stage="select",
        label="Least score",
        help="Chunks below this BM25 score are not selected. The scale depends on the documents.",
        minimum=0,
        maximum=100,
        step=0.5,
    )

    def rank(self, question: str, bench: Bench) -> Sequence[Hit]:
        """The best `candidates` chunks by BM25; none if no term is shared."""
        return keyword_hits(self, question, bench)

    def search(self, query: Query, bench: Bench) -> Sequence[Hit]:
        """The same by the weighted terms of a query."""
        return term_hits(self, query, bench)
