"""An answer as the statements it makes."""

import pytest

from rag_variants.text.language import Language
from rag_variants.text.statements import split_statements


@pytest.mark.parametrize(
    ("text", "language", "statements"),
    [
        ("It is open. [1] It is free [2, 3].", "en", ("It is open.", "It is free.")),
        ("Jest otwarte; wstęp kosztuje 5 zł [1].", "pl", ("Jest otwarte", "wstęp kosztuje 5 zł.")),
        ("今天开放。门票免费【2】。", "zh", ("今天开放。", "门票免费。")),
        ("", "en", ()),
        ("Is it open? It is.", "en", ("It is.",)),
    ],
)
def test_sentences_without_citations_and_questions(text: str, language: Language, statements: tuple[str, ...]) -> None:
    assert split_statements(text, "", language) == statements
