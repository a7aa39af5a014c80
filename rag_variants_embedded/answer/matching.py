"""Which terms of a text stand for a term of a question: the same, an inflection, a typing mistake."""

import difflib
from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

from rag_variants.text.frequencies import TermFrequencies
from rag_variants_embedded.answer.wanted import is_identifier, squeeze

_INFLECTED = 0.8
_MISTYPED = 0.8
_BRIDGED = 0.7
_PREFIX = 4
_PREFIX_SHARE = 0.6
_LIKENESS = 0.78
_TYPED = 5
_AFTER_ALL = "\U0010ffff"  # sorts behind every term

Likes = Mapping[str, Mapping[str, float]]


def equivalents(terms: Collection[str], vocabulary: Collection[str], frequencies: TermFrequencies) -> Likes:
    """For each term of a question, the terms of a vocabulary that stand for it, and how surely (0…1)."""
    known = sorted(vocabulary)
    return {term: _equivalents(term, known, frequencies) for term in terms}


def _equivalents(term: str, known: list[str], frequencies: TermFrequencies) -> Mapping[str, float]:
    if is_identifier(term):
        code = squeeze(term)
        return {other: 1.0 for other in known if code in _codes(other)}
    found = {term: 1.0} if term in _beginning(term, known) else {}
    if not (term.isalpha() and term[0] < "\u0250" and len(term) >= _PREFIX):
        return found
    alike = [other for other in _beginning(term[:_PREFIX], known) if other != term]
    found |= {other: _INFLECTED for other in alike if _same_word(term, other)}
    if not found and len(term) >= _TYPED and frequencies.holding.get(term, 0) == 0:
        near = [other for other in _beginning(term[0], known) if abs(len(other) - len(term)) <= 2 and other.isalpha()]
        found = dict.fromkeys(difflib.get_close_matches(term, near, n=2, cutoff=_LIKENESS), _MISTYPED)
    return found


def _beginning(start: str, known: list[str]) -> list[str]:
    """The sorted terms that begin so, in their order."""
    return known[bisect_left(known, start) : bisect_left(known, start + _AFTER_ALL)]


def _same_word(one: str, other: str) -> bool:
    """Whether two stems share most of their beginning: `calibr` and `calibrat`."""
    shared = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return shared >= max(_PREFIX, _PREFIX_SHARE * max(len(one), len(other))) and other.isalpha()


@lru_cache(maxsize=16_384)
def _codes(term: str) -> frozenset[str]:
    """The ways to write a code: without joints, and each side of a slash or plus."""
    if not any(map(str.isdigit, term)):
        return frozenset()
    return frozenset(squeeze(part) for part in (term, *term.replace("+", "/").split("/")))


def bridged(likes: Likes, identifiers: Collection[str], rows: Sequence[Collection[str]]) -> Likes:
    """The same, where a code also stands for the other codes of a table row that holds it: a part number, its model."""
    wider = dict(likes)
    for term in identifiers:
        holding = [row for row in rows if any(likes[term].get(other) == 1.0 for other in row)]
        others = {other for row in holding for other in row if is_identifier(other)}
        wider[term] = dict.fromkeys(sorted(others), _BRIDGED) | dict(likes[term])
    return wider
