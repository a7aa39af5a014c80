"""Text → words with their places: the common ground of everything that reads English and Polish word by word."""

import re
import unicodedata
from functools import cache, lru_cache
from typing import NamedTuple

from rag_variants.text.language import Language

_L = r"[^\W\d_]"
# What names a currency before its number; behind one, `units.txt` does.
CURRENCIES = {"€": "EUR", "$": "USD", "£": "GBP", "¥": "CNY", "zł": "PLN", "rmb": "CNY"}
CURRENCIES |= {code: code.upper() for code in ("eur", "usd", "gbp", "pln", "cny")}
CURRENCY_CODES = tuple(code for code in CURRENCIES if code.isalpha())
# A minus belongs to its number where nothing stands before it that it could join: `-5`, not `15-30`, `LK-5`, `3 -5`.
SIGN = r"(?:(?<![0-9A-Za-zÀ-ž_)%°€$£¥,:])(?<!\d )[-\u2212+](?!\d{4}-\d|\d{1,2}[:/]\d))?"
_WORDS = re.compile(
    rf"(?P<address>[\w.+-]+@[\w-]+(?:\.[\w-]+)*|https?://[^\s,;]+\w|(?<![\w/])/\w[\w/.-]*\w)"
    rf"|(?P<isodate>\d{{4}}-\d{{2}}-\d{{2}}(?![\d-])|\d{{4}}/\d{{1,2}}/\d{{1,2}}(?![\d/])"
    rf"|\d{{1,2}}(?P<joint>[./])\d{{1,2}}(?P=joint)\d{{4}}(?!\d))"
    rf"|(?P<clock>\d{{1,2}}:\d{{2}})"
    rf"|(?P<unit>(?i:[kmg]?bit/s|mb/s|km/h|m/s|°c)\b|24/7)"
    rf"|(?P<identifier>(?!(?i:{'|'.join(CURRENCY_CODES)})\d)(?:{_L}+(?:[-_.:/]?{_L}+)*[-_.:/]?\d[\w.:/-]*\w|{_L}+\d)"
    rf"|\d+xx\b|{_L}+[_:]\w+|\d+[-_]\d+(?:[-_]\d+)+)"
    rf"|(?P<section>§+\s*\d+(?:\.\d+)*)"
    rf"|(?P<number>{SIGN}(?:\d{{1,3}}(?: \d{{3}})+(?:[.,]\d{{1,2}})?(?![\d.,]*\d)"
    rf"|\d+(?:[,.]\d{{3}})+(?![\d.,]*\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)*))"
    rf"|(?P<currency>(?i:{'|'.join(CURRENCY_CODES)})(?=\d))"
    rf"|(?P<word>{_L}+(?:['’]{_L}+)*)"
    rf"|(?P<mark>\S)"
)


class Word(NamedTuple):
    """A word, number, identifier or mark as it stands, where, its kind, and the word without its capitals."""

    text: str
    start: int
    end: int
    kind: str
    lower: str


@lru_cache(maxsize=1_024)  # a text is split for its numbers and for its words, one after the other
def split_words(text: str) -> tuple[Word, ...]:
    """The words of a text, one Unicode form; places count characters of `text` in that form."""
    return tuple(_word(match) for match in _WORDS.finditer(one_form(text)))


def one_form(text: str) -> str:
    """A text in the form whose characters places count: NFKC, one kind of apostrophe."""
    return unicodedata.normalize("NFKC", text).replace("’", "'")


def places(text: str) -> tuple[int, ...]:
    """For each character of `one_form(text)`, which character of the text it comes from (`℃` becomes two)."""
    return tuple(at for at, character in enumerate(text) for _ in unicodedata.normalize("NFKC", character))


def _word(match: "re.Match[str]") -> Word:
    text, kind = match.group(), match.lastgroup or "mark"
    return Word(text, match.start(), match.end(), "word" if kind == "currency" else kind, text.casefold())


@cache
def _separators(language: Language) -> tuple[str, str]:
    """The decimal sign and the sign between thousands, as CLDR gives them; `.` stands for Polish's blank."""
    from babel.numbers import get_decimal_symbol, get_group_symbol

    decimal, group = get_decimal_symbol(language), get_group_symbol(language)
    return decimal, "." if group.isspace() else group


@lru_cache(maxsize=65_536)
def to_number(text: str, language: Language) -> float | None:
    """The value of digits with thousands and decimals as a language writes them, or None (`1.2.3`).

    A blank parts thousands in every language. Groups of exactly three digits behind the language's own sign are
    thousands: `1,240` is 1240 in English and Chinese, 1.24 in Polish; `1.240` is 1240 in Polish, else 1.24. Any other
    `.` or `,` is a decimal sign, since people mix them: `2,5` is 2.5 everywhere.
    """
    body = text.replace(" ", "").replace("\u2212", "-").removeprefix("+")
    decimal, thousands = _separators(language)
    if re.fullmatch(rf"-?\d{{1,3}}(?:\{thousands}\d{{3}})+(?:\{decimal}\d+)?", body):
        body = body.replace(thousands, "")
    body = body.replace(",", ".")
    return float(body) if re.fullmatch(r"-?\d+(?:\.\d+)?", body) else None
