"""Where chunks stand in A's and in B's ranking, and what became of A's chunks in B."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from rag_variants.experiment.runs import Row
from rag_variants.questions.gold import Mark
from rag_variants.types import Chunk, Hit
from rag_variants.variants.base import Variant
from rag_variants.variants.select import ending_setting

SideName = Literal["a", "b"]
Fate = Literal["stayed", "moved", "entered", "left"]


@dataclass(frozen=True, slots=True)
class Place:
    """A chunk at its rank on one side, with its mark, and whether it was handed to the answer."""

    side: SideName
    hit: Hit
    mark: Mark
    handed: bool


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
class Change:
    """What became of a chunk that a side handed to the answer.

    `place` is B's, for `left` A's. `before` is A's rank and `after` B's, in the whole ranking; None where a side did
    not find it.
    """

    fate: Fate
    place: Place
    before: int | None
    after: int | None


@dataclass(frozen=True)
class ChunkFlow:
    """Both rankings of one question to the depth kept, and what links them."""

    a: tuple[Place, ...]
    b: tuple[Place, ...]
    links: tuple[Link, ...]
    cut_a: Cut | None
    cut_b: Cut | None

    def places(self, side: SideName) -> tuple[Place, ...]:
        """The ranking of a side."""
        return self.a if side == "a" else self.b

    def cut(self, side: SideName) -> Cut | None:
        """Where the ranking of a side was cut; None if all of it was handed over."""
        return self.cut_a if side == "a" else self.cut_b

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """B's chunks for the answer by rank, then those of A that B did not hand over."""
        return (*self._arrivals(), *self._departures())

    def counterpart(self, place: Place) -> Place | None:
        """The same text on the other side: one handed over before one below the cut, then by rank; or None."""
        pairs = [(link.a, link.b) if place.side == "a" else (link.b, link.a) for link in self.links]
        found = [other for own, other in pairs if own is place]
        return min(found, key=lambda each: (not each.handed, each.hit.rank), default=None)

    def _arrivals(self) -> Iterator[Change]:
        for place in self.b:
            if place.handed:
                before = self.counterpart(place)
                rank = before.hit.rank if before else None
                known = before is not None and before.handed
                fate: Fate = "entered" if not known else "stayed" if rank == place.hit.rank else "moved"
                yield Change(fate, place, rank, place.hit.rank)

    def _departures(self) -> Iterator[Change]:
        for place in self.a:
            after = self.counterpart(place)
            if place.handed and not (after and after.handed):
                yield Change("left", place, place.hit.rank, after.hit.rank if after else None)


def trace_chunks(left: Row, right: Row, a: Variant, b: Variant) -> ChunkFlow:
    """The flow of one question's chunks from A's ranking to B's; `a` and `b` are the variants that ranked them."""
    before, after = _places("a", left), _places("b", right)
    return ChunkFlow(before, after, tuple(_links(before, after)), _cut(left, a), _cut(right, b))


def is_same(one: Chunk, other: Chunk) -> bool:
    """The same chunk, or, where sizes differ, one that shares at least half of the shorter one's span."""
    return one.id == other.id or 2 * shared_characters(one, other) >= min(one.end - one.start, other.end - other.start)


def shared_characters(one: Chunk, other: Chunk) -> int:
    """How many characters of a document two chunks both hold."""
    if one.document != other.document:
        return 0
    return max(0, min(one.end, other.end) - max(one.start, other.start))


def _places(side: SideName, row: Row) -> tuple[Place, ...]:
    handed = {hit.chunk.id for hit in row.record.hits}
    ranking = row.record.ranking or row.record.hits
    return tuple(Place(side, hit, row.marks.get(hit.chunk.id, Mark()), hit.chunk.id in handed) for hit in ranking)


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


def _cut(row: Row, variant: Variant) -> Cut | None:
    setting = ending_setting(row.record.ranking, row.record.hits, variant)
    return Cut(len(row.record.hits), setting, getattr(variant, setting)) if setting else None
