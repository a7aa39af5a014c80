"""What vector search compares a question with: texts, each standing for one or more chunks."""

import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rag_variants.corpus.knowledge import KnowledgeBase
from rag_variants.pipeline.stages import Bench
from rag_variants.text.language import as_language
from rag_variants.text.sentences import split_sentences
from rag_variants.types import Chunk


@dataclass(frozen=True, slots=True)
class Passage:
    """A text with a vector, and the chunks (by position) that it stands for."""

    text: str
    chunks: tuple[int, ...]


def passages_of(variant: Any, bench: Bench) -> tuple[Passage, ...]:
    """The passages that a variant with VectorSettings compares questions with."""
    chunks = bench.chunks(variant)
    if variant.vectors == "sentences":
        key = (bench.indexed_documents(variant), variant.chunk_size, variant.chunk_overlap)
        return bench.stages.keep(
            "passages", key, lambda: tuple(sentence_passages(bench.indexed_documents(variant), chunks))
        )
    return tuple(Passage(chunk.text, (at,)) for at, chunk in enumerate(chunks))


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
