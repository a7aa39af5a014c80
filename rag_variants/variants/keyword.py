"""Keyword search: BM25 over stems, character pairs and identifiers."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from rag_variants.knowledge.frequencies import bm25_idf
from rag_variants.knowledge.function_words import extract_topic_terms
from rag_variants.knowledge.language import as_language
from rag_variants.knowledge.terms import extract_terms, split_at_blanks
from rag_variants.types import Chunk, Hit
from rag_variants.variants.base import Variant
from rag_variants.variants.ranking import Ranking
from rag_variants.variants.setting import setting
from rag_variants.variants.stages import Bench

if TYPE_CHECKING:
    from rank_bm25 import BM25Okapi

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
    """BM25 scores of questions over chunks.

    rank-bm25's BM25Okapi with idf = ln(1 + (N − df + ½) ÷ (df + ½)), so that tiny collections rank and a hit scores
    above 0 (Robertson and Zaragoza 2009; idf as in Lucene). A chunk that scores 0 is no hit.
    """

    def __init__(self, chunks: Sequence[Chunk], settings: KeywordSettings) -> None:
        self.chunks = chunks
        self.tokens = settings.tokens
        self._languages = sorted({chunk.language for chunk in chunks}) or [""]
        corpus = [list(self._terms(chunk)) for chunk in chunks]
        self._scorer = _okapi(corpus, settings.k1, settings.b) if any(corpus) else None

    def _terms(self, chunk: Chunk) -> tuple[str, ...]:
        if self.tokens == "words":
            return split_at_blanks(chunk.text)
        return extract_terms(chunk.text, as_language(chunk.language))

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
        terms = self.question_terms(question)
        if self._scorer is None or not terms:
            return Ranking(self.chunks, (), ())
        scores = self._scorer.get_scores(terms)
        matched = scores.nonzero()[0]
        return Ranking.best(self.chunks, matched, scores[matched], depth)

    def coverage(self, question: str, chunk: Chunk) -> float:
        """Σ idf of the question's terms in the chunk ÷ Σ idf of the question's terms, 0…1."""
        terms = sorted(set(self.question_terms(question, chunk.language)))
        if self._scorer is None or not terms:
            return 0.0
        unseen = bm25_idf(len(self.chunks), 0)
        weights = {term: self._scorer.idf.get(term, unseen) for term in terms}
        inside = set(self._terms(chunk))
        return float(sum(weight for term, weight in weights.items() if term in inside) / sum(weights.values()))


# rank-bm25 divides 0 by 0 for a term that a chunk lacks where k1 is 0; this near to 0, a term counts once all the same.
_LEAST_K1 = 1e-12


def _okapi(corpus: list[list[str]], k1: float, b: float) -> "BM25Okapi":
    from rank_bm25 import BM25Okapi

    class SmallBM25(BM25Okapi):  # type: ignore[misc]
        def _calc_idf(self, nd: dict[str, int]) -> None:
            self.idf = {term: bm25_idf(self.corpus_size, holding) for term, holding in nd.items()}

    return SmallBM25(corpus, k1=max(k1, _LEAST_K1), b=b)


def keyword_index(variant: Any, bench: Bench) -> KeywordIndex:
    """The kept index for a variant that has KeywordSettings."""
    chunks = bench.chunks(variant)
    make: Callable[[], KeywordIndex] = lambda: KeywordIndex(chunks, _settings(variant))  # noqa: E731
    return bench.stages.keep("keyword index", _index_key(variant, bench), make)


def keyword_hits(variant: Any, question: str, bench: Bench) -> Ranking:
    """The kept list of a variant that has KeywordSettings: its best `candidates` chunks for a question."""
    key = (_index_key(variant, bench), question, variant.candidates)
    return bench.search("keyword hits", key, lambda: keyword_index(variant, bench).search(question, variant.candidates))


def _settings(variant: Any) -> KeywordSettings:
    return KeywordSettings(tokens=variant.tokens, k1=variant.k1, b=variant.b)


def _index_key(variant: Any, bench: Bench) -> Hashable:
    return bench.indexed_documents(variant), variant.chunk_size, variant.chunk_overlap, _settings(variant)


@dataclass(frozen=True, kw_only=True)
class Keyword(KeywordSettings, Variant):
    """Finds chunks that share words with the question."""

    name: ClassVar[str] = "keyword"
    title: ClassVar[str] = "Keyword (BM25)"
    score_kind: ClassVar[str] = "BM25"
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
