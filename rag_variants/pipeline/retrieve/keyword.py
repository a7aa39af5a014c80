"""Keyword search: BM25 over stems, character pairs and identifiers."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.chunks import chunks_of
from rag_variants.pipeline.mixing import mix_terms
from rag_variants.pipeline.query import Query, RelevantText
from rag_variants.pipeline.ranking import Places, Ranking, Scores
from rag_variants.pipeline.retrieve.chunk_terms import count_terms
from rag_variants.pipeline.retrieve.keyword_formula import NAMES, OKAPI
from rag_variants.pipeline.retrieve.keyword_matrix import KeywordMatrix, best_places
from rag_variants.pipeline.retrieve.retriever import Retriever
from rag_variants.pipeline.retrieve.term_counts import TermCounts
from rag_variants.pipeline.setting import setting
from rag_variants.pipeline.stage_key import HasSettings, StageKey, stage_key
from rag_variants.text.language import as_language
from rag_variants.text.search_terms import asked_terms
from rag_variants.text.terms import split_at_blanks
from rag_variants.types import Chunk

CHUNKS_HELD = 120_000  # of all kept indexes together

TOKENS_HELP = (
    "`language`: stems, pairs of Chinese characters, identifiers whole; function words of a question do not vote. "
    "`words`: split at blanks, as naive search does."
)

FORMULA_HELP = (
    "`okapi` is BM25. Under `l` (BM25L) and `plus` (BM25+; Lv and Zhai 2011) a term adds something however long the "
    "chunk is, so that long chunks are held back less."
)


@dataclass(frozen=True, kw_only=True)
class TermSettings:
    """How chunks and questions are cut into terms."""

    tokens: str = setting("language", stage="index", label="Tokens", help=TOKENS_HELP, choices=("language", "words"))


@dataclass(frozen=True, kw_only=True)
class KeywordSettings(TermSettings):
    """The settings of keyword scoring, shared by every variant that uses it."""

    formula: str = setting(OKAPI, stage="index", label="BM25 formula", help=FORMULA_HELP, choices=tuple(NAMES))
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

    The numbers of rank-bm25 under the settings' formula; its BM25Okapi has an idf under which tiny collections rank
    and a hit scores above 0. A chunk that scores 0 is no hit. `counts` are those of the chunks, where they are at hand.
    """

    def __init__(
        self, chunks: Sequence[Chunk], settings: KeywordSettings | StageKey, counts: TermCounts | None = None
    ) -> None:
        self.chunks = chunks
        self.tokens = settings.tokens
        self._languages = sorted({chunk.language for chunk in chunks}) or [""]
        counts = count_terms(chunks, settings.tokens) if counts is None else counts
        self.matrix = KeywordMatrix(counts, settings.k1, settings.b, settings.formula)

    def question_terms(self, question: str, language: str | None = None) -> tuple[str, ...]:
        """The terms that vote, stemmed as the texts of a language are; of every language that chunks have, if None.

        Function words do not vote: they match everything and so spoil a fusion. Terms are marked as the question wrote
        them, see `asked_terms`.
        """
        if self.tokens == "words":
            return split_at_blanks(question)
        first, *others = [language] if language else self._languages
        terms = list(asked_terms(question, as_language(first)))
        for other in others:
            terms += [term for term in asked_terms(question, as_language(other)) if term not in terms]
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
            held += weight * self.matrix.stands_in(term, places)
        return held / sum(idf.values()) if idf else held


def keyword_index(of: HasSettings, bench: Bench) -> KeywordIndex:
    """The cached index of a variant with KeywordSettings, or of the key of one of its later stages."""
    key = stage_key(of, "index", KeywordSettings)
    chunks = chunks_of(key, bench)
    # At least A's and B's, and those of a slider's two ends; of 100,000 chunks each takes some 70 MB.
    limit = max(4, min(24, CHUNKS_HELD // max(len(chunks), 1)))

    def make(key: StageKey) -> KeywordIndex:
        # the formula, k1 and b are another part than the terms: a move of them counts nothing again
        terms = stage_key(key, "index", TermSettings)
        counts = bench.cached(
            "tokens", terms, lambda key: count_terms(chunks_of(key, bench), key.tokens, bench.files), limit=limit
        )
        return KeywordIndex(chunks, key, counts)

    return bench.cached("keyword index", key, make, limit=limit)


def _search(query: Query, key: StageKey, bench: Bench) -> Ranking:
    """By the weighted terms of a query; by those of its question if it has none."""

    def search(key: StageKey) -> Ranking:
        index = keyword_index(key, bench)
        if not query.terms:
            return index.search(query.question, key.candidates)
        return index.search_terms(dict(query.terms), key.candidates)

    return bench.cached_list("keyword hits", key, search, query.terms or query.question)


def _mix(query: Query, texts: Sequence[RelevantText], weight: float, key: StageKey, bench: Bench) -> Query:
    index = keyword_index(key, bench)
    asked = index.question_terms(query.question)
    read = [(each.share, index.question_terms(each.text, each.language)) for each in texts]
    terms = mix_terms(asked, read, weight)
    return replace(query, terms=terms, added=tuple(term for term, _ in terms if term not in asked))


KEYWORD = Retriever(
    "keyword",
    "BM25: chunks that share words with the question",
    "BM25",
    KeywordSettings,
    _search,
    _mix,
)
