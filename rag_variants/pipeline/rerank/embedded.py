"""Reranking without a model of its own: a chunk is as near to the question as its best sentence."""

import bisect
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from rag_variants.corpus.knowledge import KnowledgeBase
from rag_variants.llm.vectors import CachedEmbeddings
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.rerank.reranker import RerankerKind
from rag_variants.text.language import as_language
from rag_variants.text.sentences import Sentence, split_sentences
from rag_variants.types import Chunk

ENCODER = "embedded"
# What a chunk without any sentence (a rule, blanks) scores: the lowest cosine there is.
NO_SENTENCE = -1.0


class EmbeddedReranker:
    """Cosine similarity of the question to the best sentence of a chunk, under the product's own encoder.

    Sentences are those of whole documents, so that they are embedded once for every chunk size.
    """

    def __init__(self, knowledge: KnowledgeBase, embeddings: CachedEmbeddings) -> None:
        self._documents = {each.path: each for each in knowledge.documents}
        self._embeddings = embeddings
        self.version = f"{embeddings.model.name} {embeddings.model.version}"

    def score(self, question: str, chunks: Sequence[Chunk]) -> Sequence[float]:
        """The cosine of each chunk's best sentence, -1…1."""
        texts = [[each.text for each in self._sentences(chunk)] for chunk in chunks]
        vectors = self._embeddings.embed_passages([text for each in texts for text in each])
        similar = vectors @ self._embeddings.embed_queries([question])[0] if len(vectors) else np.zeros(0)
        return [float(best) for best in best_of_each([len(each) for each in texts], similar)]

    def _sentences(self, chunk: Chunk) -> Sequence[Sentence]:
        document = self._documents.get(chunk.document)
        if document is None or document.text[chunk.start : chunk.end] != chunk.text:
            return split_sentences(chunk.text, as_language(chunk.language))  # of another package's own making
        return sentences_within(split_sentences(document.text, as_language(document.language)), chunk.start, chunk.end)


def sentences_within(sentences: Sequence[Sentence], start: int, end: int) -> Sequence[Sentence]:
    """Of a document's sentences those that a span holds at least half of.

    For a span inside one long sentence, or on the border of two, the one that it shares most with; the first of equals.
    """
    first = bisect.bisect_right(sentences, start, key=lambda each: each.end)
    last = bisect.bisect_left(sentences, end, key=lambda each: each.start)
    touched = sentences[first:last]
    shared = [min(end, each.end) - max(start, each.start) for each in touched]
    held = [each for each, part in zip(touched, shared, strict=True) if 2 * part >= each.end - each.start]
    return held or [touched[shared.index(max(shared))]] if touched else []


def best_of_each(counts: Sequence[int], scores: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """The highest of each run of scores, `counts[i]` of them for the i-th; NO_SENTENCE where there are none."""
    given = np.asarray(scores, dtype=np.float64)
    sizes = np.asarray(counts, dtype=np.intp)
    best = np.full(len(sizes), NO_SENTENCE)
    filled = sizes > 0
    starts = np.cumsum(sizes) - sizes
    if filled.any():
        best[filled] = np.round(np.maximum.reduceat(given, starts[filled]), 7)  # beyond this float32 holds nothing
    return best


def _open(_: str, bench: Bench) -> EmbeddedReranker:
    return EmbeddedReranker(bench.knowledge, bench.embeddings(ENCODER))


def _texts(bench: Bench) -> Mapping[str, Sequence[str]]:
    """Every sentence of the base: what is ranked first is not known before it is ranked."""
    key = (bench.knowledge, ENCODER)
    return {ENCODER: bench.cache.get("sentences", key, lambda: _all_sentences(bench.knowledge))}


def _all_sentences(knowledge: KnowledgeBase) -> tuple[str, ...]:
    found = (split_sentences(each.text, as_language(each.language)) for each in knowledge.documents)
    return tuple(dict.fromkeys(sentence.text for sentences in found for sentence in sentences))


EMBEDDED = RerankerKind(
    "embedded",
    "by the chunk's best sentence under the included encoder; on this computer, no key, no network",
    "cosine similarity of the best sentence",
    _open,
    texts=_texts,
)
