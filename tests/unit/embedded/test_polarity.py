"""Negations and opposites, counted against each other."""

import pytest

from rag_variants.text.language import Language
from rag_variants_embedded.judge.alignment import align
from rag_variants_embedded.judge.days import days_of
from rag_variants_embedded.judge.polarity import contradiction, relevant_segments
from rag_variants_embedded.judge.read_sentence import read


def differs(statement: str, evidence: str, language: Language) -> bool:
    said, text = read(statement, language), read(evidence, language)
    matches = align(said, text)
    return contradiction(said, text, matches, relevant_segments(matches, text)) is not None


@pytest.mark.parametrize(
    ("language", "statement", "evidence", "expected"),
    [
        ("en", "There is no charge for bikes.", "Bicycles travel free.", False),
        ("en", "Taking photos is not permitted.", "Photography is forbidden.", False),
        ("en", "Lost laptops are not wiped.", "Lost laptops are wiped.", True),
        ("en", "Sale items are included.", "Sale items are excluded.", True),
        ("en", "The tool cannot be used.", "The tool is disabled.", False),
        ("en", "Cars may be used.", "Cars may be used, but fuel is not paid.", False),
        ("en", "Fuel is paid.", "Cars may be used, but fuel is not paid.", True),
        ("pl", "Nie wolno nagrywać.", "Nagrywanie jest zakazane.", False),
        ("pl", "Wstęp jest płatny.", "Wstęp jest bezpłatny.", True),
        ("pl", "Gwarancja obejmuje zalanie.", "Gwarancja nie obejmuje zalania.", True),
        ("zh", "来宾可以发言。", "来宾可以旁听，但不能发言。", True),
        ("zh", "超重行李免费。", "三十公斤以内的行李免费，超重行李收费。", True),
        ("zh", "借书证免费办理。", "办理借书证不收费。", False),
    ],
)
def test_negation_and_opposites(language: Language, statement: str, evidence: str, expected: bool) -> None:
    assert differs(statement, evidence, language) is expected


@pytest.mark.parametrize(
    ("language", "text", "days"),
    [
        ("en", "from Tuesday to Sunday", {2, 3, 4, 5, 6, 7}),
        ("pl", "codziennie oprócz poniedziałków", {2, 3, 4, 5, 6, 7}),
        ("zh", "周一至周五", {1, 2, 3, 4, 5}),
        ("zh", "除周一外每天", {2, 3, 4, 5, 6, 7}),
        ("en", "from Saturday to Monday", {6, 7, 1}),
    ],
)
def test_days_of_the_week(language: Language, text: str, days: set[int]) -> None:
    assert days_of(read(text, language)) == days
