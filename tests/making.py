"""Small values for tests: documents, chunks, hits, a bench without an encoder."""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import date

import numpy as np

from rag_variants.corpus.knowledge import KnowledgeBase
from rag_variants.llm.embedding import Vectors
from rag_variants.llm.vectors import CachedEmbeddings
from rag_variants.pipeline.bench import Bench, open_bench
from rag_variants.text.language import detect_language
from rag_variants.types import Chunk, Document, Hit


def document(path: str, text: str, **more: object) -> Document:
    """A document with its language detected."""
    return Document(path, text, title=path, language=detect_language(text), **more)  # type: ignore[arg-type]


def knowledge(texts: Mapping[str, str]) -> KnowledgeBase:
    """A base of documents by path."""
    return KnowledgeBase("test", tuple(document(path, texts[path]) for path in sorted(texts)))


def chunk(path: str, text: str = "text", start: int = 0) -> Chunk:
    """A chunk at a place of a document."""
    return Chunk(path, start, start + len(text), text, "en")


def hits(*paths: str) -> tuple[Hit, ...]:
    """A ranking of one-chunk documents, best first."""
    return tuple(Hit(rank, chunk(path), 1.0 / rank) for rank, path in enumerate(paths, start=1))


class WordVectors:
    """An encoder for tests: a text's vector counts its words, hashed to a place each. Counts what it is asked."""

    name = "embedded:words"
    version = "1"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Unit rows of 64 numbers."""
        self.asked.extend(texts)
        return np.stack([self._vector(text) for text in texts])

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """As passages."""
        return self.embed_passages(texts)

    def _vector(self, text: str) -> Vectors:
        row = np.full(64, 0.01, dtype=np.float32)
        for word in text.casefold().split():
            row[int(hashlib.sha256(word.strip(".,?!").encode()).hexdigest(), 16) % 64] += 1
        return np.asarray(row / np.linalg.norm(row), dtype=np.float32)


def bench(texts: Mapping[str, str], model: WordVectors | None = None) -> Bench:
    """A bench over documents by path, with an encoder that needs no model."""
    kept = CachedEmbeddings(model or WordVectors(), None, None)
    return open_bench(knowledge(texts), date(2026, 6, 1), encoders=lambda spec: kept)


def assert_same_up_to_ties(exact: Sequence[Hit], other: Sequence[Hit], within: float = 1e-6) -> None:
    """Passes if another search gives the scores of an exact one to `within`, and its order where it tells them apart.

    `exact` goes at least as deep as chunks with the other's scores stand.
    """
    scores = {hit.chunk.id: hit.score for hit in exact}
    assert len({hit.chunk.id for hit in other}) == len(other)
    for rank, hit in enumerate(other):
        assert abs(hit.score - scores[hit.chunk.id]) <= within  # the chunk has the score that it should have
        assert abs(hit.score - exact[rank].score) <= within  # and stands where one with that score stands
