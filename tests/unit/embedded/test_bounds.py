"""The bound beside a quantity, in three languages."""

import pytest

from rag_variants.text.language import Language
from rag_variants_embedded.judge.read_sentence import read


@pytest.mark.parametrize(
    ("text", "language", "bound"),
    [
        ("at most 5 days", "en", "max"),
        ("no more than 5 days", "en", "max"),
        ("must not be longer than 5 days", "en", "max"),
        ("lasts five years at most", "en", "max"),
        ("at least 5 days", "en", "min"),
        ("five days or more", "en", "min"),
        ("co najmniej 5 dni", "pl", "min"),
        ("najwyżej 5 dni", "pl", "max"),
        ("nie może być większa niż 5 m", "pl", "max"),
        ("至少五天", "zh", "min"),
        ("不能大于五米", "zh", "max"),
        ("五年以上", "zh", "min"),
    ],
)
def test_reads_the_bound_beside_a_number(text: str, language: Language, bound: str) -> None:
    assert [q.bound for q in read(text, language).quantities] == [bound]
