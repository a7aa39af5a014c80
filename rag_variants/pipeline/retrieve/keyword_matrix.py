"""BM25 as a sparse matrix: the scores of a question are a sum of a few columns."""

from collections import defaultdict
from collections.abc import Iterable
from functools import reduce

import numpy as np
import numpy.typing as npt

from rag_variants.pipeline.ranking import Places, Scores
from rag_variants.pipeline.retrieve.keyword_formula import OKAPI, term_gains, term_weight
from rag_variants.pipeline.retrieve.term_counts import TermCounts
from rag_variants.text.frequencies import bm25_idf
from rag_variants.text.search_terms import UNIT, is_form, only_form, parts_of, split_asked
from rag_variants.text.terms import JOINT

# Groups of chunks looked at for every hit that is wanted: with more, fewer chunks are left to be sorted.
GROUPS_PER_HIT = 4
# What a word gives that stands in another form, where some chunk has the one asked for. Small letters without marks
# are also how people type in haste.
OTHER_FORM, OTHER_THAN_PLAIN = 0.5, 0.9
NAME = 2.0  # for a name in capitals that is a function word in small letters: the question turns on it
Rows = npt.NDArray[np.int32]
_Column = tuple[Rows, Scores]


class KeywordMatrix:
    """What each term gives to each chunk that holds it, under a formula of BM25: the numbers of rank-bm25.

    `weight · gain`, see `term_weight` and `term_gains`; those of `okapi` equal rank-bm25's bit for bit. At k1 = 0 a
    term counts once. The gains are worked out once, for every kind of entry that there is.

    Where some chunks hold a word as it was asked for and others in another form (`CAN` and `can`, `sąd` and `sad`, an
    identifier whole and its parts), the former count as for a term of their own; each of the others gets a share of
    what its term gives, and of what the least of the former gets at most.
    """

    def __init__(self, terms: TermCounts, k1: float, b: float, formula: str = OKAPI) -> None:
        self.terms = terms
        self._formula = formula
        total, length = terms.size.tolist()
        mean = length / total if length else 1.0  # without a term there is no entry that it would count for
        self._gains = term_gains(formula, terms.counts, terms.lengths, mean, k1, b)
        self._forms: defaultdict[str, list[str]] = defaultdict(list)
        for name in terms.columns:
            if UNIT in name:
                self._forms[name.partition(UNIT)[0]].append(name)

    def idf(self, asked: str) -> float:
        """How rare a term is (> 0), whatever the formula; one that stands nowhere is rarest."""
        return bm25_idf(self.terms.total, len(self._column(asked)[0]))

    def stands_in(self, asked: str, places: Places) -> npt.NDArray[np.bool_]:
        """For each of some chunks, given by position: whether a term gives it anything."""
        return _among(places, self._column(asked)[0])

    def scores(self, weighted: Iterable[tuple[str, float]]) -> Scores:
        """(chunks,) The sum over terms of weight × what the term gives; a term given twice counts twice."""
        rows, values = [], []
        for term, weight in weighted:
            held, gain = self._column(term)
            if len(held):
                rows.append(held)
                values.append(gain * weight)
        if not rows:
            return np.zeros(self.terms.total)
        # One pass, in the order of the terms: sums of floats depend on it.
        sums = np.bincount(np.concatenate(rows), np.concatenate(values), self.terms.total)
        return np.asarray(sums, dtype=np.float64)

    def _column(self, asked: str) -> _Column:
        """The chunks that a term gives something, rising, and what it gives."""
        term, form = split_asked(asked)
        if parts := parts_of(form):
            return self._whole_before_parts(term, parts)
        if not form and term not in self._forms:
            return self._plain(term)
        return self._form_before_others(term, form)

    def _plain(self, term: str) -> _Column:
        entries = self.terms.entries(term)
        if entries.start == entries.stop:
            return self.terms.rows[entries], np.zeros(0)
        gain = self._gains.take(self.terms.kinds[entries])
        gain *= term_weight(self._formula, self.terms.total, entries.stop - entries.start)
        return self.terms.rows[entries], gain

    def _form_before_others(self, term: str, asked: str) -> _Column:
        only = only_form(asked)
        rows, gain = self._plain(term)
        exact = self._as_asked(term, asked if only is None else only, rows)
        holding = int(np.count_nonzero(exact))
        if only is None and holding in (0, len(rows)):
            return rows, gain
        if not holding:
            return rows[:0], gain[:0]
        idf = [term_weight(self._formula, self.terms.total, each) for each in (len(rows), holding)]
        own = gain[exact] / idf[0] * idf[1]
        if only is not None:
            return rows[exact], NAME * own
        gain[~exact] = np.minimum(gain[~exact], own.min()) * (OTHER_FORM if asked else OTHER_THAN_PLAIN)
        gain[exact] = own
        return rows, gain

    def _as_asked(self, term: str, asked: str, rows: Rows) -> npt.NDArray[np.bool_]:
        """For each chunk that holds a term: whether it has it in the form asked for."""
        exact = np.zeros(len(rows), dtype=np.bool_)
        others = self.terms.counts[self.terms.kinds[self.terms.entries(term)]].copy()
        for name in self._forms.get(term, ()):
            entries = self.terms.entries(name)
            at = np.searchsorted(rows, self.terms.rows[entries])
            if is_form(asked, split_asked(name)[1]):
                exact[at] = True
            else:
                others[at] -= self.terms.counts[self.terms.kinds[entries]]
        return exact if asked else others > 0

    def _whole_before_parts(self, whole: str, parts: tuple[str, ...]) -> _Column:
        """The chunks with an identifier whole, then those with all its parts, or with it written in one."""
        rows, gain = self._plain(whole)
        columns = [self._plain(part) for part in dict.fromkeys(parts)]
        every = reduce(np.intersect1d, (held for held, _ in columns))
        summed = np.sum([given[np.searchsorted(held, every)] for held, given in columns], axis=0)
        others, given = self._plain(JOINT.sub("", whole))
        keep = ~_among(others, every)
        others, given = np.concatenate([every, others[keep]]), np.concatenate([summed, given[keep]])
        keep = ~_among(others, rows)
        others, given = others[keep], given[keep]
        if len(rows):
            given = np.minimum(given, gain.min()) * OTHER_FORM
        order = np.argsort(np.concatenate([rows, others]), kind="stable")
        return np.concatenate([rows, others])[order], np.concatenate([gain, given])[order]


def _among(places: npt.NDArray[np.integer], rows: npt.NDArray[np.integer]) -> npt.NDArray[np.bool_]:
    """For each of some positions: whether it is one of the rows, which rise."""
    if not len(rows):
        return np.zeros(len(places), dtype=np.bool_)
    near = np.minimum(np.searchsorted(rows, places), len(rows) - 1)
    return np.asarray(rows[near] == places)


def best_places(scores: Scores, depth: int) -> Places:
    """Positions, rising, among which are the `depth` best scores above 0 and every equal of the last of them.

    Of groups of chunks, `depth` have a peak that is no lower than the `depth`-th highest peak: so many chunks at least
    reach it, and few others do.
    """
    groups = GROUPS_PER_HIT * depth
    size = len(scores) // groups if groups > 0 else 0
    if size > 1:
        peaks = scores[: size * groups].reshape(size, groups).max(axis=0)
        floor = np.partition(peaks, -depth)[-depth]
        if floor > 0:
            return np.flatnonzero(scores >= floor)
    return np.flatnonzero(scores > 0)
