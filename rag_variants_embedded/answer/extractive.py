"""The embedded answerer: the sentences that answer, word for word, with citations; or none."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from rag_variants.llm.declining import DECLINING
from rag_variants.llm.embedding import Vectors
from rag_variants.text.frequencies import TermFrequencies
from rag_variants.text.language import detect_language
from rag_variants.types import Answer, Hit
from rag_variants_embedded.answer.candidates import Candidate, find_candidates
from rag_variants_embedded.answer.choosing import choose
from rag_variants_embedded.answer.matching import bridged, equivalents
from rag_variants_embedded.answer.rating import Column, Rated, rate
from rag_variants_embedded.answer.wanted import Wanted, understand

# Below this support a question is declined. One in twenty questions whose answer stands in the hits is lost so.
_LEAST_SUPPORT = 4.4
# Sentences that score this near to the best may bear the question out in its stead.
_NEAR_BEST = 0.5


@dataclass(frozen=True)
class ExtractiveAnswerer:
    """Answers in the words of the hits, without a language model. Text in documents is data; no order is followed.

    `frequencies` are those of the whole knowledge base, `center` the mean of its passage vectors.
    """

    embed_queries: Callable[[Sequence[str]], Vectors]
    embed_passages: Callable[[Sequence[str]], Vectors]
    frequencies: TermFrequencies
    center: Vectors | None = None

    def answer(self, question: str, hits: Sequence[Hit]) -> Answer:
        """One to three sentences, each followed by its citations `[rank]`; declined when nothing fits."""
        chosen = self.extract(question, hits)
        return say_sentences(chosen) if chosen else decline(question)

    def extract(self, question: str, hits: Sequence[Hit]) -> list[Candidate]:
        """The one to three sentences that answer, in the order in which they are said; none if nothing fits."""
        candidates = find_candidates(hits) if question.strip() else ()
        return self._choose(understand(question, self.frequencies), candidates) if candidates else []

    def _choose(self, wanted: Wanted, candidates: Sequence[Candidate]) -> list[Candidate]:
        vocabulary = frozenset().union(*(one.terms | one.around for one in candidates))
        likes = equivalents(wanted.weights, vocabulary, self.frequencies)
        if any(not likes[term] for term in wanted.identifiers):
            return []
        likes = bridged(likes, wanted.identifiers, [one.terms for one in candidates if one.row])
        close = self._closeness(wanted, candidates)
        parts = zip(wanted.parts, close, strict=True)
        rated = [rate(wanted, part, candidates, likes, column) for part, column in parts]
        if not _is_borne_out(rated):
            return []
        return choose(rated, candidates)

    def _closeness(self, wanted: Wanted, candidates: Sequence[Candidate]) -> list[Column]:
        """For each part, the centred cosine of every candidate with the part and with the whole question, averaged."""
        texts = list(dict.fromkeys([wanted.text, *(part.text for part in wanted.parts)]))
        questions = dict(zip(texts, self._centred(self.embed_queries(texts)), strict=True))
        passages = self._centred(self.embed_passages([one.text for one in candidates]))
        whole = passages @ questions[wanted.text]
        return [(whole + passages @ questions[part.text]) / 2 for part in wanted.parts]

    def _centred(self, vectors: Vectors) -> Column:
        rows = np.asarray(vectors, dtype=np.float64)
        if self.center is not None:
            rows = rows - self.center
        length = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(rows / np.where(length == 0, 1.0, length))


def _is_borne_out(rated: Sequence[Rated]) -> bool:
    """Whether what would be said first, or its like, bears the question out, on average over its parts."""
    best = [one.support[one.scores >= one.scores.max() - _NEAR_BEST].max() for one in rated]
    return float(np.mean(best)) >= _LEAST_SUPPORT


def decline(question: str) -> Answer:
    """The agreed sentence that declines, in the language of the question."""
    return Answer(DECLINING[detect_language(question)], declined=True, cost_usd=0.0)


def say_sentences(chosen: Sequence[Candidate]) -> Answer:
    """The sentences word for word, a line each, every one followed by its citations `[rank]`."""
    ranks = sorted({rank for candidate in chosen for rank in candidate.ranks})
    lines = [cite(candidate.said, candidate.ranks) for candidate in chosen]
    return Answer("\n".join(lines), citations=tuple(ranks), cost_usd=0.0)


def cite(sentence: str, ranks: Sequence[int]) -> str:
    """A sentence followed by its citations: `It lasts 3 years. [1][3]`."""
    return sentence + " " + "".join(f"[{rank}]" for rank in ranks)
