"""What became of A's chunks in B: which stayed, moved, entered or left. Pure functions over two records."""

from collections.abc import Sequence
from dataclasses import dataclass

from rag_variants.types import Chunk, Hit, Record


@dataclass(frozen=True, slots=True)
class Gone:
    """A chunk that A handed to the answer and B did not, and B's rank for it (None: B did not find it)."""

    hit: Hit
    rank: int | None


def is_same(one: Chunk, other: Chunk) -> bool:
    """The same chunk, or, where sizes differ, one that shares at least half of the shorter one's span."""
    if one.document != other.document:
        return False
    shared = min(one.end, other.end) - max(one.start, other.start)
    return one.id == other.id or 2 * shared >= min(one.end - one.start, other.end - other.start)


def find_hit(chunk: Chunk, hits: Sequence[Hit]) -> Hit | None:
    """The hit of the chunk itself, else the first that shares its text."""
    exact = next((hit for hit in hits if hit.chunk.id == chunk.id), None)
    return exact or next((hit for hit in hits if is_same(chunk, hit.chunk)), None)


def move_words(hit: Hit, a: Record) -> str:
    """What a hit of B is against A: `▲ 2 (from 4)`, `▼ 1 (from 1)`, `= same rank`, `new (A: rank 7, below the cut)`."""
    before = find_hit(hit.chunk, a.hits)
    if before is None:
        below = find_hit(hit.chunk, a.ranking)
        return f"new (A: rank {below.rank}, below the cut)" if below else "new (A did not find it)"
    if before.rank == hit.rank:
        return "= same rank"
    arrow = "▲" if hit.rank < before.rank else "▼"
    return f"{arrow} {abs(before.rank - hit.rank)} (from {before.rank})"


def gone_hits(a: Record, b: Record) -> tuple[Gone, ...]:
    """A's hits that B did not hand to the answer, in A's order."""
    gone = [hit for hit in a.hits if find_hit(hit.chunk, b.hits) is None]
    found = [find_hit(hit.chunk, b.ranking) for hit in gone]
    return tuple(Gone(hit, below.rank if below else None) for hit, below in zip(gone, found, strict=True))


def below_cut(record: Record, gold: frozenset[str]) -> tuple[Hit, ...]:
    """Gold chunks in the ranking that were not handed to the answer."""
    used = {hit.chunk.id for hit in record.hits}
    return tuple(hit for hit in record.ranking if hit.chunk.id in gold and hit.chunk.id not in used)
