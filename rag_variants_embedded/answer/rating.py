"""How well each candidate answers a part of a question, and how well it bears the question out."""

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from math import log1p

import numpy as np
from numpy.typing import NDArray

from rag_variants_embedded.answer.asked_for import holds, is_strict
from rag_variants_embedded.answer.candidates import Candidate
from rag_variants_embedded.answer.fact_patterns import Fact
from rag_variants_embedded.answer.matching import Likes
from rag_variants_embedded.answer.wanted import Part, Wanted

Column = NDArray[np.float64]

# A term counts less where it only stands around the sentence; a missing name tells less than a missing number.
_AROUND = 0.6
_SOFT = 0.5
# Weights fitted to find the sentence that answers, then rounded.
_NEAR, _LOCAL, _CLOSE, _FACT, _RANK, _WHOLE, _CODE = 3.0, 2.0, 4.0, 3.0, 2.0, 0.5, 2.0
# Weights fitted to tell questions with an answer in the hits from those without, then rounded.
_COVERED, _CLOSENESS, _USUAL, _HELD, _NAMES, _FOCUS, _YEARS = 3.5, 7.0, 4.0, 1.5, 3.5, 4.0, 1.5
# What it costs that no sentence (on the code asked about, if there is one) holds the fact asked for.
_UNTOLD = 2.0
_YEAR = re.compile(r"1\d\d\d|20\d\d")


@dataclass(frozen=True, slots=True)
class Rated:
    """One part with, for every candidate, its score, its merits (the score but for the rank) and its support."""

    part: Part
    scores: Column
    merits: Column
    support: Column


def rate(wanted: Wanted, part: Part, candidates: Sequence[Candidate], likes: Likes, close: Column) -> Rated:
    """Scores rank the sentences of one question; support can be compared across questions."""
    sure = _by_likeness(part.weights, likes)
    inside = np.array([_coverage(len(part.weights), sure, one.terms) for one in candidates])
    around = np.array([_coverage(len(part.weights), sure, one.around) for one in candidates])
    weights = np.array(list(part.weights.values()))
    near = _share(np.maximum(inside, _AROUND * around), weights)
    local = _share((inside > 0).astype(np.float64), _distinctive(weights, inside))
    facts = _fact_shares(part.facts, candidates, wanted.text)
    ranks = np.array([1.0 / one.ranks[0] for one in candidates])
    whole = np.array([float(one.whole) for one in candidates])
    here = np.maximum(inside, around) > 0
    codes = np.array([float(term in part.identifiers) for term in part.weights])
    coded = here @ codes / codes.sum() if codes.any() else np.ones(len(candidates))
    merits = _NEAR * near + _LOCAL * local + _CLOSE * close + _FACT * facts + _WHOLE * whole + _CODE * coded
    document = _share(_by_document(here, candidates), weights)
    lacking = _lacking(wanted, part, here, weights) + _UNTOLD * float(not np.any((facts == 1) & (coded > 0)))
    support = _COVERED * document + _CLOSENESS * close - _USUAL * float(close.mean()) + _HELD * facts - lacking
    return Rated(part, merits + _RANK * ranks, merits, support)


def _fact_shares(facts: Sequence[Fact], candidates: Sequence[Candidate], question: str) -> Column:
    """For each candidate the share of the facts asked for that it holds (names count half); 1 if none is asked for."""
    lacking = np.zeros(len(candidates))
    for fact in facts:
        weight = 1.0 if is_strict(fact) else _SOFT
        lacking += [0.0 if holds(fact, one.said, question) else weight for one in candidates]
    return 1.0 - lacking / max(len(facts), 1)


def _by_likeness(weights: Mapping[str, float], likes: Likes) -> dict[str, list[tuple[int, float]]]:
    """For each term that a candidate may have, how surely it is which of the question's terms, by their places."""
    found: dict[str, list[tuple[int, float]]] = {}
    for at, term in enumerate(weights):
        for other, sure in likes[term].items():
            found.setdefault(other, []).append((at, sure))
    return found


def _coverage(count: int, sure: Mapping[str, list[tuple[int, float]]], terms: AbstractSet[str]) -> list[float]:
    """For each of the question's `count` terms, how surely it stands among the terms."""
    row = [0.0] * count
    for other in sure.keys() & terms:
        for at, value in sure[other]:
            row[at] = max(row[at], value)
    return row


def _share(covered: Column, weights: Column) -> Column:
    """The covered share of the weights, per candidate."""
    total = float(weights.sum())
    return covered @ weights / total if total else np.zeros(len(covered))


def _distinctive(weights: Column, inside: Column) -> Column:
    """Weights that count what tells these candidates apart: a term in every sentence counts little."""
    holding = (inside > 0).sum(axis=0)
    rarity = np.array([log1p(len(inside) / (1 + count)) if count else 0.0 for count in holding])
    return np.asarray(weights * rarity)


def _by_document(here: NDArray[np.bool_], candidates: Sequence[Candidate]) -> Column:
    """For each candidate, which terms stand anywhere in what the hits show of its document."""
    held: dict[str, NDArray[np.bool_]] = {}
    for row, candidate in zip(here, candidates, strict=True):
        document = candidate.document
        held[document] = held[document] | row if document in held else row
    return np.array([held[candidate.document] for candidate in candidates], dtype=np.float64)


def _lacking(wanted: Wanted, part: Part, here: NDArray[np.bool_], weights: Column) -> Column:
    """What speaks against a candidate: names, the thing asked for, and years that stand neither in it nor around it."""
    missing = (~here).astype(np.float64)
    names = np.array([float(term in wanted.names) for term in part.weights])
    focus = np.array([float(term in part.focus) for term in part.weights])
    years = np.array([float(bool(_YEAR.fullmatch(term))) for term in part.weights])
    total = float(weights.sum()) or 1.0
    share = missing @ (weights * (_NAMES * names + _FOCUS * focus)) / total
    return np.asarray(share + _YEARS * (missing @ years > 0))
