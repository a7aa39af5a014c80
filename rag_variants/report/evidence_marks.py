"""What a question's evidence makes of a document and its chunks, as highlights of its text."""

from collections.abc import Iterator, Sequence

from rag_variants.questions.gold import Gold, Mark
from rag_variants.report.marked_text import Highlight, State
from rag_variants.types import Chunk


def describe_mark(mark: Mark) -> str:
    """A chunk's mark in words: `gold`, `part`, `trap: stale`; empty if it is none of these."""
    said = ["gold"] if mark.gold else ["part"] if mark.part else []
    return ", ".join([*said, *([f"trap: {mark.trap}"] if mark.trap else [])])


def mark_chunks(chunks: Sequence[Chunk], gold: Gold | None) -> Iterator[Highlight]:
    """The chunks of one document, numbered from 1, each with what it is to the question."""
    for number, chunk in enumerate(chunks, start=1):
        mark = gold.mark(chunk) if gold else Mark()
        state: State = "gold" if mark.gold else "part" if mark.part else ""
        yield Highlight(chunk.start, chunk.end, "chunk", f"{number} {describe_mark(mark)}".rstrip(), number, state)


def mark_evidence(path: str, gold: Gold, label: str = "") -> Iterator[Highlight]:
    """The quotes that stand in a document, with their keys."""
    for place in gold.occurrences:
        if place.document == path:
            yield Highlight(place.start, place.end, "evidence", label)
            if place.key:
                yield Highlight(*place.key, "key")
