"""Which term stands in which chunk, and how often: what keyword scoring is worked out from."""

import json
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from rag_variants.pipeline.ranking import Places

NAMES = ("starts", "rows", "kinds", "counts", "lengths", "size")  # of the arrays as they are kept
Arrays = Mapping[str, npt.NDArray[Any]]


@dataclass(frozen=True, eq=False)
class TermCounts:
    """A sparse matrix of chunks by terms, in compressed columns.

    `columns`: term → column. Column j's entries are `starts[j]` to `starts[j + 1]` of `rows` (the chunks that hold the
    term, rising) and of `kinds`. An entry's kind says how often the term stands in the chunk (`counts[kind]`) and how
    many terms the chunk has, repeats included (`lengths[kind]`): BM25 looks at nothing else, there are a few thousand
    kinds, and two bytes an entry name one. `size`: how many chunks there are, and terms in all of them.
    """

    columns: Mapping[str, int]
    starts: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int32]
    kinds: npt.NDArray[np.unsignedinteger[Any]]
    counts: npt.NDArray[np.int64]
    lengths: npt.NDArray[np.int64]
    size: npt.NDArray[np.int64]

    @classmethod
    def count(cls, chunks: Iterable[Sequence[str]], beside: Iterable[Sequence[str]] | None = None) -> Self:
        """Counted in one pass over the terms of each chunk; columns in the order in which terms are met.

        What stands beside them, given for each chunk if at all, is counted and adds nothing to the chunk's length.
        """
        columns: defaultdict[str, int] = defaultdict()
        columns.default_factory = columns.__len__
        found, counts, sizes, lengths = array("i"), array("I"), array("i"), array("q")
        for terms, marks in zip(chunks, repeat(()) if beside is None else beside, strict=False):
            held = Counter(terms)
            held.update(marks)
            found.extend(map(columns.__getitem__, held))
            counts.extend(held.values())
            sizes.append(len(held))
            lengths.append(len(terms))
        column, often = np.frombuffer(found, np.int32), np.frombuffer(counts, np.uint32)
        rows = np.repeat(np.arange(len(sizes), dtype=np.int32), np.frombuffer(sizes, np.int32))
        long = np.frombuffer(lengths, np.int64)
        kinds, every_count, every_length = _kinds(often, rows, long)
        order = np.argsort(column, kind="stable")  # by column, and by row in each
        return cls(
            dict(columns),
            np.concatenate([[0], np.cumsum(np.bincount(column, minlength=len(columns)))]).astype(np.int64),
            rows[order],
            kinds[order],
            every_count,
            every_length,
            np.array([len(long), long.sum()], dtype=np.int64),
        )

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> Self:
        """What `to_arrays` gave. Raises ValueError for arrays that are not of that form."""
        try:
            terms = json.loads(arrays["terms"].tobytes())
            parts = [arrays[name] for name in NAMES]
        except (KeyError, ValueError) as error:
            raise ValueError(f"These arrays hold no counts of terms ({error}).") from error
        starts, rows, kinds, counts, lengths, size = parts
        fit = len(starts) == len(terms) + 1 and starts[-1] == len(rows) == len(kinds) and len(size) == 2
        if not fit or len(counts) != len(lengths):
            raise ValueError("These arrays do not fit together.")
        return cls({term: at for at, term in enumerate(terms)}, *parts)

    def to_arrays(self) -> Arrays:
        """Plain arrays of numbers, to be kept; the terms as the bytes of a JSON list."""
        terms = json.dumps(list(self.columns)).encode("ascii")
        return {"terms": np.frombuffer(terms, np.uint8), **{name: getattr(self, name) for name in NAMES}}

    @property
    def total(self) -> int:
        """How many chunks there are."""
        return int(self.size[0])

    def entries(self, term: str) -> slice:
        """Where a term's entries are; an empty slice for one that stands nowhere."""
        at = self.columns.get(term)
        return slice(0, 0) if at is None else slice(int(self.starts[at]), int(self.starts[at + 1]))

    def holding(self, term: str) -> int:
        """How many chunks hold a term."""
        found = self.entries(term)
        return int(found.stop - found.start)

    def stands_in(self, term: str, places: Places) -> npt.NDArray[np.bool_]:
        """For each of some chunks, given by position: whether it holds the term."""
        rows = self.rows[self.entries(term)]
        if not len(rows):
            return np.zeros(len(places), dtype=np.bool_)
        near = np.minimum(np.searchsorted(rows, places), len(rows) - 1)
        return np.asarray(rows[near] == places)


def _kinds(
    often: npt.NDArray[np.uint32], rows: npt.NDArray[np.int32], lengths: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The kind of each entry in as few bytes as name it, and of each kind its count and its length."""
    counts = np.flatnonzero(np.bincount(often))
    long, length = np.unique(lengths, return_inverse=True)
    narrow = np.min_scalar_type(len(counts) * len(long))
    first = np.zeros(int(often.max(initial=0)) + 1, narrow)  # the first kind of each count
    first[counts] = np.arange(len(counts)) * len(long)
    kinds = first[often]
    kinds += length.astype(narrow)[rows]
    return kinds, np.repeat(counts, len(long)), np.tile(long, len(counts))
