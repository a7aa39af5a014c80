"""Which term stands in which chunk, and how often: what keyword scoring is worked out from."""

import json
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from rag_variants.variants.ranking import Places

Arrays = Mapping[str, npt.NDArray[Any]]


@dataclass(frozen=True, eq=False)
class TermCounts:
    """A sparse matrix of chunks by terms, in compressed columns.

    `columns`: term → column. Column j's entries are `starts[j]` to `starts[j + 1]` of `rows` (the chunks that hold the
    term, rising) and `counts` (how often). `lengths`: terms of each chunk, repeats included.
    """

    columns: Mapping[str, int]
    starts: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int32]
    counts: npt.NDArray[np.unsignedinteger[Any]]
    lengths: npt.NDArray[np.int64]

    @classmethod
    def count(cls, chunks: Iterable[Sequence[str]]) -> Self:
        """Counted in one pass over the terms of each chunk; columns in the order in which terms are met."""
        columns: defaultdict[str, int] = defaultdict()
        columns.default_factory = columns.__len__
        found, counts, sizes, lengths = array("i"), array("I"), array("i"), array("q")
        for terms in chunks:
            held = Counter(terms)
            found.extend(map(columns.__getitem__, held))
            counts.extend(held.values())
            sizes.append(len(held))
            lengths.append(len(terms))
        by_column = np.argsort(np.frombuffer(found, np.int32), kind="stable")
        rows = np.repeat(np.arange(len(sizes), dtype=np.int32), np.frombuffer(sizes, np.int32))
        often = np.frombuffer(counts, np.uint32)
        often = often.astype(np.min_scalar_type(often.max(initial=0)))  # mostly one byte
        holding = np.bincount(np.frombuffer(found, np.int32), minlength=len(columns))
        starts = np.concatenate([[0], np.cumsum(holding)]).astype(np.int64)
        return cls(dict(columns), starts, rows[by_column], often[by_column], np.frombuffer(lengths, np.int64))

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> Self:
        """What `to_arrays` gave. Raises ValueError for arrays that are not of that form."""
        try:
            terms = json.loads(arrays["terms"].tobytes())
            parts = [arrays[name] for name in ("starts", "rows", "counts", "lengths")]
        except (KeyError, ValueError) as error:
            raise ValueError(f"These arrays hold no counts of terms ({error}).") from error
        starts, rows, counts, _ = parts
        if len(starts) != len(terms) + 1 or not starts[-1] == len(rows) == len(counts):
            raise ValueError("These arrays do not fit together.")
        return cls({term: at for at, term in enumerate(terms)}, *parts)

    def to_arrays(self) -> Arrays:
        """Plain arrays of numbers, to be kept; the terms as the bytes of a JSON list."""
        return {
            "terms": np.frombuffer(json.dumps(list(self.columns)).encode("ascii"), np.uint8),
            "starts": self.starts,
            "rows": self.rows,
            "counts": self.counts,
            "lengths": self.lengths,
        }

    @property
    def total(self) -> int:
        """How many chunks there are."""
        return len(self.lengths)

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
