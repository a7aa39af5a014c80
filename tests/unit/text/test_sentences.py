"""Sentences and their spans."""

import pytest

from rag_variants.text.language import Language
from rag_variants.text.sentences import split_sentences


@pytest.mark.parametrize(
    ("text", "language", "sentences"),
    [
        ("Dr. Smith paid 3.5 USD. He left.", "en", ["Dr. Smith paid 3.5 USD.", "He left."]),
        ("Zwrot np. w 14 dni. Tak, ul. Polna 3.", "pl", ["Zwrot np. w 14 dni.", "Tak, ul. Polna 3."]),
        ("退款三十天。“好。”是吗？对", "zh", ["退款三十天。", "“好。”", "是吗？", "对"]),
        ("# Head\n\nOne. Two!\n- item\n1. first", "en", ["Head", "One.", "Two!", "item", "first"]),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "en", ["a | b", "1 | 2"]),
        ("One line\nof two lines. End.", "en", ["One line\nof two lines.", "End."]),
        ("Before.\n\n---\nAfter.", "en", ["Before.", "After."]),
        ("> quoted. Text", "en", ["quoted.", "Text"]),
        ("", "en", []),
        (" \n\t", "en", []),
    ],
)
def test_sentences(text: str, language: Language, sentences: list[str]) -> None:
    found = split_sentences(text, language)
    assert [sentence.text for sentence in found] == sentences
    assert all(text[sentence.start : sentence.end] == sentence.text for sentence in found)


def test_the_language_is_detected() -> None:
    assert [sentence.text for sentence in split_sentences("退款期限为三十天。发货需要五个工作日。")] == [
        "退款期限为三十天。",
        "发货需要五个工作日。",
    ]
