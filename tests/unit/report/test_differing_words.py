"""Which words of two texts differ; in brackets, so that a case reads as a person would mark it."""

import time

import pytest

from rag_variants.report.differing_words import mark_differences


def marked(one: str, other: str) -> list[str]:
    sides = mark_differences(one, other)
    assert ["".join(piece.text for piece in side) for side in sides] == [one, other], "the pieces are the text"
    return ["".join(f"[{piece.text}]" if piece.differs else piece.text for piece in side) for side in sides]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("It has [30] days from [delivery].", "It has [14] days from [purchase]."),
        ("Klient ma [30] dni od [doręczenia przesyłki].", "Klient ma [14] dni od [zakupu towaru]."),
        (
            "发票在申请后[5]个工作日内[开具]。",
            "发票在申请后[15]个工作日内[寄出]。",
        ),  # by character: there are no blanks
        ("It is [-20] °C.", "It is [20] °C."),  # a sign changes what is said
        ("Up to [14.50] EUR", "Up to [14.5] EUR"),
        ("see [ERR-4031]", "see [ERR-4032]"),  # an identifier is one word
        ("Goods, at  once", "goods at once."),  # case, blanks and punctuation do not count
        ("１４ days", "14 days"),  # full-width digits
        ("", "[All of it]"),
        ("", ""),
    ],
)
def test_what_differs_is_marked(one: str, other: str) -> None:
    plain = [text.replace("[", "").replace("]", "") for text in (one, other)]
    assert marked(*plain) == [one, other]


def test_citations_are_no_difference() -> None:
    assert marked("Within 14 days. [1]", "Within 14 days. [2, 3]") == ["Within 14 days. [1]", "Within 14 days. [2, 3]"]
    assert marked("New here [1]\nand there", "") == ["[New here] [1]\n[and there]", ""]


def test_two_small_words_in_common_do_not_tie_two_sentences_together() -> None:
    one, other = "I could not find this in the documents.", "Office laptops have rules in the staff handbook."
    assert marked(one, other) == [f"[{one[:-1]}].", f"[{other[:-1]}]."]


@pytest.mark.parametrize("text", ["{} {} c ", "{} {} c.\n"])
def test_a_long_text_that_repeats_itself_is_compared_in_larger_pieces(text: str) -> None:
    one, other = text.format("a", "b") * 4_000, text.format("b", "a") * 4_000
    begin = time.perf_counter()
    sides = mark_differences(one, other)
    assert time.perf_counter() - begin < 20  # word by word it takes minutes
    assert all(side[0].differs for side in sides)
    assert not any(piece.differs for side in mark_differences(one, one) for piece in side)
