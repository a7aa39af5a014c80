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


SHORT = (
    "Zwrot do dwóch tygodni.",
    "Sąd w Łodzi",
    "Źle",
    "退款期限为三十天。",
    "退款",
    "The café closes at 8.",
    "Naïve 🙂",
)


@pytest.mark.parametrize("text", SHORT)
def test_one_broken_byte_stays_one(text: str) -> None:
    middle = len(text) // 2
    decoded = decode(text[:middle].encode() + b"\xff" + text[middle:].encode())
    assert decoded.text == f"{text[:middle]}\ufffd{text[middle:]}"
    assert decoded.note == "1 unreadable character(s) replaced by \ufffd"


@pytest.mark.parametrize(
    "text", [*SHORT[:2], "退款期限为三十天", "Proszę", "dwadzieścia złotych za źródłą", "退款", "税", "mogę"]
)
def test_a_text_cut_inside_its_last_letter_keeps_the_others(text: str) -> None:
    text = text.rstrip(".")
    data = f"{text}ą".encode() if text.isascii() or text[-1].isascii() else text.encode()
    decoded = decode(data[:-1])
    assert decoded.text == data.decode()[:-1] + "\ufffd"
    assert decoded.note == "1 unreadable character(s) replaced by \ufffd"


def test_a_letter_without_its_first_byte_is_one_broken_letter() -> None:
    # of three bytes two are left, each of which is marked
    assert decode("退款".encode()[1:]).text == "\ufffd\ufffd款"


@pytest.mark.parametrize("encoding", ["cp1250", "iso8859_2"])
@pytest.mark.parametrize(
    "text",
    [
        "dwadzieścia złotych za źródło",
        "Sąd w Łodzi",
        "ŚWIĘTO ŹRÓDŁA ĄĘ",
        "Śniadanie jest o ósmej, a obiad w południe; wstęp wolny dla dzieci.",
        "Ile to kosztuje? Dwadzieścia pięć złotych.",
        "Wśród gości są też źli.",
    ],
)
def test_polish_encodings_are_told_apart_by_their_letters(text: str, encoding: str) -> None:
    decoded = decode(text.encode(encoding))
    assert decoded.text == text
    assert decoded.note is not None
    assert f"read as {encoding} (guessed" in decoded.note
    assert "100%" not in decoded.note


@pytest.mark.parametrize("text", ["Opłata: 5 ± 1 zł.", "„Książka” – świeża", "Cena: 7 zł; zniżka ¶ nie"])
def test_signs_outside_of_words_are_no_letters(text: str) -> None:
    assert decode(text.encode("cp1250")).text == text
