"""Bytes → text."""

import random

import pytest

from rag_variants.corpus.decoding import NotTextError, clean, decode

POLISH = "Zażółć gęślą jaźń. Zwroty przyjmujemy w ciągu 30 dni od dostawy, jeśli opakowanie jest całe."
CHINESE = "退款期限为三十天，自签收之日起计算。超过期限的申请不予受理。"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("text", [POLISH, CHINESE, "plain", ""])
def test_unicode_is_read_without_a_guess(text: str, encoding: str) -> None:
    decoded = decode(text.encode(encoding))
    assert (decoded.text, decoded.note) == (text, None)


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (POLISH, "cp1250"),
        (POLISH, "iso8859_2"),
        ("Ile dni mam na zwrot, dokładnie?;30 dni", "cp1250"),
        (CHINESE, "gb18030"),
        ("退款期限為三十天，自簽收之日起計算。", "big5hkscs"),
        ("The fee is £20 – “per day” – for the whole stay.", "cp1252"),
    ],
)
def test_older_encodings_are_guessed_and_named(text: str, encoding: str) -> None:
    decoded = decode(text.encode(encoding))
    assert decoded.text == text
    assert decoded.note is not None
    assert f"read as {encoding} (guessed, confidence " in decoded.note


def test_line_ends_become_newlines_and_nul_goes() -> None:
    assert decode(b"a\r\nb\rc\x00d and more text to be read here").text == "a\nb\ncd and more text to be read here"


def test_unicode_is_kept_as_typed() -> None:
    text = "e\u0301 é ﬁ ４０３１ \u00a0 \u2028 🙂"
    assert decode(text.encode()).text == text


def test_half_of_a_character_is_replaced_and_the_rest_kept() -> None:
    # What a loader gives for half of a surrogate pair: "Total \udbff 12 EUR".
    decoded = decode("Total \udbff 12 EUR".encode("utf-8", "surrogatepass"))
    assert decoded.text == "Total \ufffd 12 EUR"
    assert decoded.note is not None
    assert clean("Total \udbff 12\x00 EUR") == "Total \ufffd 12 EUR"


def test_a_broken_character_does_not_turn_utf8_into_gibberish() -> None:
    decoded = decode(CHINESE.encode() + b"\xe9\x80")
    assert decoded.text.startswith(CHINESE)
    assert decoded.note is not None
    assert "replaced" in decoded.note


def test_a_cut_utf16_text_is_read_to_the_cut() -> None:
    assert decode("żółw".encode("utf-16")[:-1]).text == "żół\ufffd"


@pytest.mark.parametrize(
    "data", [bytes(range(256)) * 4, random.Random(1).randbytes(600), b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"]
)
def test_what_is_no_text_is_refused(data: bytes) -> None:
    with pytest.raises(NotTextError, match="UTF-8"):
        decode(data)
