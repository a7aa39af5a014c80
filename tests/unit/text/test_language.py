"""Which language a text is in."""

import pytest

from rag_variants.text.language import as_language, detect_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Returns are accepted within 30 days of delivery.", "en"),
        ("Zwroty przyjmujemy w ciągu 30 dni od dostawy.", "pl"),
        ("退款期限为三十天。", "zh"),
        ("", "en"),
        ("12 345 – 7", "en"),
    ],
)
def test_detect(text: str, language: str) -> None:
    assert detect_language(text) == language


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("pl", "pl"),
        ("pl-PL", "pl"),
        ("ZH", "zh"),
        ("zh_Hans", "zh"),
        (" en ", "en"),
        ("de", None),
        ("", None),
        (None, None),
    ],
)
def test_named(name: str | None, language: str | None) -> None:
    assert as_language(name) == language
