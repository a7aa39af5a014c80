"""How rare a term is in a knowledge base."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Self


def bm25_idf(total: int, holding: int) -> float:
    """ln(1 + (N − df + ½) ÷ (df + ½)): above 0 for every df, so that tiny collections rank (Lucene's form)."""
    return math.log(1 + (total - holding + 0.5) / (holding + 0.5))


@dataclass(frozen=True)
class TermFrequencies:
    """In how many of `total` passages each term stands."""

    total: int
    holding: Mapping[str, int]

    @classmethod
    def count(cls, passages: Iterable[Iterable[str]]) -> Self:
        """Counted over passages, each given by its terms."""
        holding: Counter[str] = Counter()
        total = 0
        for terms in passages:
            total += 1
            holding.update(sorted(set(terms)))
        return cls(total, holding)

    def idf(self, term: str) -> float:
        """The weight of a term (≥ 0); a term that stands nowhere weighs most."""
        weight = self._weights.get(term)
        return self._unseen if weight is None else weight

    @cached_property
    def _weights(self) -> dict[str, float]:
        return {term: bm25_idf(self.total, holding) for term, holding in self.holding.items()}

    @cached_property
    def _unseen(self) -> float:
        return bm25_idf(self.total, 0)
