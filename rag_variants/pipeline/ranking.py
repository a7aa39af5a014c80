"""Chunks in the order of their scores, as arrays: a sequence of hits that are built when they are looked at."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from rag_variants.types import Chunk, Hit, Part

Places = npt.NDArray[np.intp]
Scores = npt.NDArray[np.float64]


# The part of a reranked hit that says where the search had it; it has no share in the reranker's score.
SEARCH = "search"


class ListParts:
    """What one list gave to each chunk of a ranking: rank there (0 = the list does not hold it), score there, share."""

    __slots__ = ("ranks", "scores", "shares")

    def __init__(self, ranks: Places, scores: Scores, shares: Scores) -> None:
        self.ranks, self.scores, self.shares = ranks, scores, shares

    @classmethod
    def of(cls, parts: Sequence[Part | None]) -> "ListParts":
        """One part a chunk; None where the list does not hold it."""
        filled = [part or Part(0, 0.0, 0.0) for part in parts]
        ranks = np.array([part.rank for part in filled], dtype=np.intp)
        return cls(ranks, np.array([part.score for part in filled]), np.array([part.share for part in filled]))

    def at(self, places: Places | slice) -> "ListParts":
        """The parts of some of the chunks."""
        return ListParts(self.ranks[places], self.scores[places], self.shares[places])


class Ranking(Sequence[Hit]):
    """A sequence of hits, the best first, equal to a sequence that holds the same hits.

    `chunks` are all chunks that could be found, in the order that ties go by; `places` are positions in them, best
    first; `scores` belong to the places; `parts` says by list what a fused score is made of. 50 hits as arrays take a
    twentieth of the memory and time of 50 `Hit` objects, and most are never looked at. `spared` are the milliseconds
    that cached lists took which it was made from: they count for it too, so that variants that share a list are not
    told apart by who came first.
    """

    __slots__ = ("chunks", "parts", "places", "scores", "spared")

    def __init__(
        self,
        chunks: Sequence[Chunk],
        places: "npt.ArrayLike",
        scores: "npt.ArrayLike",
        parts: Mapping[str, ListParts] | None = None,
        spared: float = 0.0,
    ) -> None:
        self.spared = spared
        self.chunks = chunks
        self.places: Places = np.asarray(places, dtype=np.intp)
        self.scores: Scores = np.asarray(scores, dtype=np.float64)
        self.parts = dict(parts or {})

    @classmethod
    def best(cls, chunks: Sequence[Chunk], places: Places, scores: Scores, depth: int) -> "Ranking":
        """The best `depth` of some places, given in rising order; equal scores keep that order."""
        order = np.argsort(-scores, kind="stable")[:depth]
        return cls(chunks, places[order], scores[order])

    @classmethod
    def of(cls, hits: Iterable[Hit], among: Iterable[Chunk] = ()) -> "Ranking":
        """Hits as a ranking over their chunks and those `among` which they were found."""
        given = tuple(hits)
        by_order = {chunk.order: chunk for chunk in (*among, *(hit.chunk for hit in given))}
        places = {order: at for at, order in enumerate(sorted(by_order))}
        chunks = tuple(by_order[order] for order in places)
        names = dict.fromkeys(name for hit in given for name, _ in hit.parts)
        parts = {name: ListParts.of([dict(hit.parts).get(name) for hit in given]) for name in names}
        return cls(chunks, [places[hit.chunk.order] for hit in given], [hit.score for hit in given], parts)

    def sparing(self, milliseconds: float) -> "Ranking":
        """The same ranking, which was at hand and took that long when it was made."""
        return Ranking(self.chunks, self.places, self.scores, self.parts, milliseconds)

    @property
    def reranked(self) -> int:
        """How many of the first hits have a reranker's score; 0 if there was none."""
        part = self.parts.get(SEARCH)
        return 0 if part is None else int(np.count_nonzero(part.ranks))

    def __len__(self) -> int:
        return len(self.places)

    @overload
    def __getitem__(self, at: int) -> Hit: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Hit, ...]: ...
    def __getitem__(self, at: int | slice) -> Hit | tuple[Hit, ...]:
        if isinstance(at, slice):
            return tuple(self._hit(each) for each in range(*at.indices(len(self))))
        return self._hit(range(len(self))[at])

    def __iter__(self) -> Iterator[Hit]:
        return map(self._hit, range(len(self)))

    def _hit(self, at: int) -> Hit:
        parts = tuple(
            (name, Part(int(part.ranks[at]), float(part.scores[at]), float(part.shares[at])))
            for name, part in self.parts.items()
            if part.ranks[at]
        )
        return Hit(at + 1, self.chunks[self.places[at]], float(self.scores[at]), parts)

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(mine == yours for mine, yours in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Ranking({list(self)!r})"


def before_reranking(hit: Hit) -> Part | None:
    """Where the search had a hit that was reranked; None for one that was not."""
    return dict(hit.parts).get(SEARCH)


def as_ranking(hits: Sequence[Hit]) -> Ranking:
    """Hits as a ranking; one that is a ranking already stays as it is."""
    return hits if isinstance(hits, Ranking) else Ranking.of(hits)


def ranked_chunks(hits: Sequence[Hit]) -> Iterator[Chunk]:
    """The chunks of hits in their order, without building the hits of a ranking."""
    if isinstance(hits, Ranking):
        return (hits.chunks[at] for at in hits.places)
    return (hit.chunk for hit in hits)
