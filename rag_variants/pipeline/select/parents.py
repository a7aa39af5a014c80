"""Small to big: small chunks are searched, and the larger ones that hold them are handed to the answer."""

import bisect
from collections.abc import Sequence

from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.chunks import chunks_of
from rag_variants.pipeline.stage_key import HasSettings, stage_key
from rag_variants.types import Chunk, Hit, Part

_CHILD = "chunk "  # begins the name of the part


class Parents:
    """Larger chunks of the same documents, by the small ones that they hold."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        """Of chunks in the order of (document, start)."""
        self._by_document: dict[str, list[Chunk]] = {}
        for chunk in chunks:
            self._by_document.setdefault(chunk.document, []).append(chunk)
        self._starts = {path: [chunk.start for chunk in found] for path, found in self._by_document.items()}

    def holding(self, child: Chunk) -> Chunk:
        """The parent that holds most of a chunk, the first of equals; the chunk itself if none holds any of it."""
        parents = self._by_document.get(child.document, [])
        before = bisect.bisect_left(self._starts.get(child.document, []), child.end)
        near = [parent for parent in parents[:before] if parent.end > child.start]
        return max(near, key=lambda parent: shared_characters(parent, child), default=child)


def parents_of(of: HasSettings, bench: Bench) -> Parents:
    """The parents of a variant with a `parent_size`: the chunks of that size, with its overlap."""
    key = stage_key(of, "select")
    large = stage_key(key, "chunks").having(chunk_size=key.parent_size)
    return bench.cached("parents", large, lambda key: Parents(chunks_of(key, bench)))


def hand_parent(parent: Chunk, child: Hit, rank: int) -> Hit:
    """A parent in place of the small chunk that found it, with that one's score, and its span and rank as a part."""
    found = Part(child.rank, child.score, child.score)
    return Hit(rank, parent, child.score, ((f"{_CHILD}{child.chunk.start}-{child.chunk.end}", found),))


def found_by(hit: Hit) -> tuple[str, Part] | None:
    """The part of a parent that names the small chunk that found it; None for any other hit."""
    return next((part for part in hit.parts if part[0].startswith(_CHILD)), None)


def is_read(chunk: Chunk, hits: Sequence[Hit]) -> bool:
    """Whether at least half of a chunk stands in one of the hits."""
    return any(2 * shared_characters(hit.chunk, chunk) >= chunk.end - chunk.start for hit in hits)


def shared_characters(one: Chunk, other: Chunk) -> int:
    """How many characters of a document two chunks both hold."""
    if one.document != other.document:
        return 0
    return max(0, min(one.end, other.end) - max(one.start, other.start))
