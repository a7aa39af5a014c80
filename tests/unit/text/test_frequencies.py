"""How rare a term is."""

import math

import pytest

from rag_variants.text.frequencies import TermFrequencies, bm25_idf


@pytest.mark.parametrize(
    ("total", "holding", "ratio"),
    [
        (4, 2, (4 - 2 + 0.5) / (2 + 0.5)),  # ln(1 + 1): in half of the passages, and still above 0
        (1, 1, (1 - 1 + 0.5) / (1 + 0.5)),  # ln(1 + ⅓): in every passage
        (4, 0, (4 - 0 + 0.5) / (0 + 0.5)),  # ln(1 + 9): nowhere
    ],
)
def test_idf(total: int, holding: int, ratio: float) -> None:
    assert bm25_idf(total, holding) == pytest.approx(math.log(1 + ratio))
    assert bm25_idf(total, holding) > 0


def test_a_term_counts_once_a_passage() -> None:
    frequencies = TermFrequencies.count([["a", "a", "b"], ["a"], []])
    assert (frequencies.total, dict(frequencies.holding)) == (3, {"a": 2, "b": 1})
    assert frequencies.idf("c") > frequencies.idf("b") > frequencies.idf("a") > 0


def test_an_empty_base() -> None:
    assert TermFrequencies.count([]).idf("a") == pytest.approx(math.log(2))
