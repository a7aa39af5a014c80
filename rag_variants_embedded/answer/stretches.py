"""Chunks that touch or overlap → the stretch of document that they are."""

from collections.abc import Sequence
from dataclasses import dataclass

from rag_variants.types import Hit

# Splitters drop the blanks at a border, so neighbours may stand this far apart.
_GAP = 2
_NEVER_FIRST = tuple(",.;:!?)]%，。；：！？、）」』”")


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of one document that the hits hold without a break."""

    document: str
    start: int
    text: str
    language: str
    hits: tuple[Hit, ...]

    @property
    def end(self) -> int:
        """Where the stretch ends in its document."""
        return self.start + len(self.text)

    def ranks(self, start: int, end: int) -> tuple[int, ...]:
        """The ranks of the hits that hold this span of the document whole, else of those that hold some of it."""
        if len(self.hits) == 1:
            return (self.hits[0].rank,)
        whole = [hit.rank for hit in self.hits if hit.chunk.start <= start and end <= hit.chunk.end]
        some = [hit.rank for hit in self.hits if hit.chunk.start < end and start < hit.chunk.end]
        return tuple(sorted(whole or some))

    def is_whole(self, start: int, end: int, terminated: bool) -> bool:
        """Whether a sentence at this span of `text` shows no sign of being cut by the passage's border."""
        head = self.text[:1]
        head_cut = start == 0 and self.start > 0 and (head.islower() or head in _NEVER_FIRST)
        tail_cut = end == len(self.text) and not terminated and not self.text.endswith("|")
        return not (head_cut or tail_cut)


def stitch(hits: Sequence[Hit]) -> tuple[Stretch, ...]:
    """The hits as passages, joined where chunks of one document touch or overlap; by document and start."""
    passages: list[Stretch] = []
    for hit in sorted(hits, key=lambda one: (*one.chunk.order, one.rank)):
        joined = _join(passages[-1], hit) if passages else None
        if joined:
            passages[-1] = joined
        else:
            chunk = hit.chunk
            passages.append(Stretch(chunk.document, chunk.start, chunk.text, chunk.language, (hit,)))
    return tuple(passages)


def _join(passage: Stretch, hit: Hit) -> Stretch | None:
    """The passage with the hit's text added, or None if they are apart or do not agree where they overlap."""
    chunk = hit.chunk
    apart = chunk.start - passage.end
    if chunk.document != passage.document or apart > _GAP or len(chunk.text) != chunk.end - chunk.start:
        return None
    if apart >= 0:
        text = passage.text + "\n" * apart + chunk.text
    else:
        overlap = passage.text[chunk.start - passage.start :]
        shared = min(len(overlap), len(chunk.text))
        if overlap[:shared] != chunk.text[:shared]:
            return None
        text = passage.text + chunk.text[shared:]
    return Stretch(passage.document, passage.start, text, passage.language, (*passage.hits, hit))
