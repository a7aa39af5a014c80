"""Where chunks stand in A's and in B's ranking, and what became of A's chunks in B."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from rag_variants.evaluation.runs import ScoredRecord
from rag_variants.pipeline.pipeline import Pipeline
from rag_variants.pipeline.select.parents import is_read, shared_characters
from rag_variants.pipeline.select.select import ending_setting
from rag_variants.pipeline.variant import Variant
from rag_variants.questions.gold import Mark
from rag_variants.types import Chunk, Hit

SideName = Literal["a", "b"]
Fate = Literal["stayed", "moved", "entered", "left"]


@dataclass(frozen=True, slots=True)
class Reason:
    """The setting that kept chunks from the answer, with its value."""

    setting: str
    value: float


@dataclass(frozen=True, slots=True)
class Place:
    """A chunk at its rank on one side, with its mark, and whether it was handed to the answer.

    The rank of one handed over is its place before the answer, of any other its place in the ranking. `passed` is the
    setting that left it out in favour of a lower one, None if it was handed over or stands below the cut.
    """

    side: SideName
    hit: Hit
    mark: Mark
    handed: bool
    passed: Reason | None = None


@dataclass(frozen=True, slots=True)
class Cut:
    """Where a ranking was cut: after `handed` hits, by this setting with this value."""

    handed: int
    setting: str
    value: float


@dataclass(frozen=True, slots=True)
class Link:
    """A place of A and one of B that hold the same text.

    `shared` counts the characters in both, `share` (0…1) is their part of what the two cover together: 1 for the same
    chunk, a half for a chunk and its first half.
    """

    a: Place
    b: Place
    shared: int
    share: float

    @property
    def both_handed(self) -> bool:
        """Whether the text was handed to the answer on both sides."""
        return self.a.handed and self.b.handed


@dataclass(frozen=True, slots=True)
class ChunkChange:
    """What became of a chunk that a side handed to the answer.

    `place` is B's, for `left` A's; `other` is the same text on the other side. `before` is A's rank and `after` B's, as
    their places have them. None where a side did not find it.
    """

    fate: Fate
    place: Place
    before: int | None
    after: int | None
    other: Place | None = None


@dataclass(frozen=True)
class ChunkFlow:
    """Both sides of one question, what was handed over and then the rest of the ranking to the depth kept, and links.

    Where parents are handed over they stand in place of the small chunks that they hold.
    """

    a: tuple[Place, ...]
    b: tuple[Place, ...]
    links: tuple[Link, ...]
    cut_a: Cut | None
    cut_b: Cut | None

    def places(self, side: SideName) -> tuple[Place, ...]:
        """What a side handed over, then the rest of its ranking."""
        return self.a if side == "a" else self.b

    def cut(self, side: SideName) -> Cut | None:
        """Where the ranking of a side was cut; None if all of it was handed over."""
        return self.cut_a if side == "a" else self.cut_b

    @cached_property
    def changes(self) -> tuple[ChunkChange, ...]:
        """B's chunks for the answer by rank, then those of A that B did not hand over."""
        return (*self._arrivals(), *self._departures())

    def counterpart(self, place: Place) -> Place | None:
        """The same text on the other side: one handed over before one below the cut, then by rank; or None."""
        pairs = [(link.a, link.b) if place.side == "a" else (link.b, link.a) for link in self.links]
        found = [other for own, other in pairs if own is place]
        return min(found, key=lambda each: (not each.handed, each.hit.rank), default=None)

    def _arrivals(self) -> Iterator[ChunkChange]:
        for place in self.b:
            if place.handed:
                before = self.counterpart(place)
                rank = before.hit.rank if before else None
                known = before is not None and before.handed
                fate: Fate = "entered" if not known else "stayed" if rank == place.hit.rank else "moved"
                yield ChunkChange(fate, place, rank, place.hit.rank, before)

    def _departures(self) -> Iterator[ChunkChange]:
        for place in self.a:
            after = self.counterpart(place)
            if place.handed and not (after and after.handed):
                yield ChunkChange("left", place, place.hit.rank, after.hit.rank if after else None, after)


def trace_chunks(left: ScoredRecord, right: ScoredRecord, a: Variant, b: Variant) -> ChunkFlow:
    """The flow of one question's chunks from A's ranking to B's; `a` and `b` are the variants that ranked them."""
    before, after = tuple(_places("a", left, a)), tuple(_places("b", right, b))
    return ChunkFlow(before, after, tuple(_links(before, after)), _cut(left, a), _cut(right, b))


def is_same(one: Chunk, other: Chunk) -> bool:
    """The same chunk, or, where sizes differ, one that shares at least half of the shorter one's span."""
    return one.id == other.id or 2 * shared_characters(one, other) >= min(one.end - one.start, other.end - other.start)


def _places(side: SideName, row: ScoredRecord, variant: Variant) -> Iterator[Place]:
    record = row.record
    handed, passed = {hit.chunk.id for hit in record.hits}, dict(record.passed_over)
    for hit in record.hits:
        yield Place(side, hit, row.marks.get(hit.chunk.id, Mark()), True)
    with_parents = isinstance(variant, Pipeline) and variant.parent_size > 0
    for hit in record.ranking:
        if hit.chunk.id not in handed and not (with_parents and is_read(hit.chunk, record.hits)):
            by = passed.get(hit.rank)
            reason = Reason(by, getattr(variant, by)) if by else None
            yield Place(side, hit, row.marks.get(hit.chunk.id, Mark()), False, reason)


def _links(before: Sequence[Place], after: Sequence[Place]) -> Iterator[Link]:
    """Equal chunks; for a chunk without its equal, those that share at least half of the shorter one's text."""
    known = {place.hit.chunk.id for place in before} & {place.hit.chunk.id for place in after}
    for left in before:
        for right in after:
            one, other = left.hit.chunk, right.hit.chunk
            if one.id == other.id or (not known & {one.id, other.id} and is_same(one, other)):
                shared = shared_characters(one, other)
                together = (one.end - one.start) + (other.end - other.start) - shared
                yield Link(left, right, shared, shared / together if together else 1.0)


def _cut(row: ScoredRecord, variant: Variant) -> Cut | None:
    record = row.record
    if not isinstance(variant, Pipeline):
        return None
    setting = ending_setting(record.ranking, record.hits, variant, record.passed_over)
    return Cut(len(record.hits), setting, getattr(variant, setting)) if setting else None
