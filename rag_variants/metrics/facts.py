"""Whether a text holds an expected string, whatever way its numbers and dates are written."""

import re
from functools import lru_cache

from rag_variants.text.citations import strip_citations
from rag_variants.text.terms import CJK, normalize

_MONTHS = (
    ("january jan", "stycznia styczeń styczniu"),
    ("february feb", "lutego luty lutym"),
    ("march mar", "marca marzec marcu"),
    ("april apr", "kwietnia kwiecień kwietniu"),
    ("may", "maja maj maju"),
    ("june jun", "czerwca czerwiec czerwcu"),
    ("july jul", "lipca lipiec lipcu"),
    ("august aug", "sierpnia sierpień sierpniu"),
    ("september sep sept", "września wrzesień wrześniu"),
    ("october oct", "października październik październiku"),
    ("november nov", "listopada listopad listopadzie"),
    ("december dec", "grudnia grudzień grudniu"),
)
_MONTH_NUMBERS = {name: number for number, names in enumerate(_MONTHS, start=1) for name in " ".join(names).split()}
_MONTH = "(?:" + "|".join(sorted(_MONTH_NUMBERS, key=len, reverse=True)) + r")\b\.?"
_DAY = r"(?<!\d)(?P<d>0?[1-9]|[12]\d|3[01])"
_YEAR = r"(?P<y>(?:1[5-9]|2[01])\d\d)(?!\d)"
# Every way to write a date, the fullest first. In `3/1/2026` day and month cannot be told apart: it stays as it is.
_DATES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?<!\d){_YEAR}-(?P<m>\d\d)-(?P<d>\d\d)(?!\d)",
        rf"(?<!\d){_YEAR}年(?P<m>1[0-2]|0?[1-9])月(?P<d>3[01]|[12]\d|0?[1-9])[日号號]",
        rf"{_DAY}\.(?P<m>1[0-2]|0?[1-9])\.{_YEAR}",
        rf"{_DAY}(?:st|nd|rd|th|\.)?(?: of)? (?P<n>{_MONTH}),? {_YEAR}",
        rf"\b(?P<n>{_MONTH}) {_DAY}(?:st|nd|rd|th)?,? {_YEAR}",
        rf"(?<!\d){_YEAR}年(?P<m>1[0-2]|0?[1-9])月",
        rf"\b(?P<n>{_MONTH}),? {_YEAR}",
        r"(?<!\d)(?P<m>1[0-2]|0?[1-9])月(?P<d>3[01]|[12]\d|0?[1-9])[日号號]",
        rf"{_DAY}(?:st|nd|rd|th|\.)?(?: of)? (?P<n>{_MONTH})",
        rf"\b(?P<n>{_MONTH}) {_DAY}(?:st|nd|rd|th)?(?!\d)",
    )
)
_SIGNS = str.maketrans({**dict.fromkeys("‐‑‒–—−", "-"), **dict.fromkeys("‘’ʼ", "'"), "*": None, "`": None})
_THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?:(?:,\d{3})+|(?: \d{3})+)(?![\d])")
_DECIMAL_COMMA = re.compile(r"(?<![\d,])(\d+),(\d{1,2})(?!\d|,\d)")
_LOOSE_BLANK = re.compile(rf"(?<=[{CJK}]) | (?=[{CJK}])|(?<=\d) (?=%)")
_NUMERALS = frozenset("〇零一二三四五六七八九十百千万两亿萬兩億")
# An ending that a word of four letters or more may have: certificate(s), certyfikat(ami).
_LONGEST_ENDING = 3


@lru_cache(maxsize=16_384)
def normal_forms(text: str) -> tuple[str, str]:
    """Two forms of a text for comparing: with numbers in one form, and with dates in one form as well.

    Case, width, blanks, dashes, emphasis and citations are levelled; `1,240` and `1 240` become `1240`; `2,5` becomes
    `2.5`; dates become `‹2026-03-01›`, a month `‹2026-03`, a day without a year `03-01›`: a part is found in a whole.
    """
    level = _LOOSE_BLANK.sub("", " ".join(normalize(strip_citations(text)).translate(_SIGNS).split()))
    return _numbers(level), _numbers(_dates(level))


def _dates(text: str) -> str:
    for pattern in _DATES:
        text = pattern.sub(_iso, text)
    return text


def _iso(match: re.Match[str]) -> str:
    parts = match.groupdict()
    month = parts.get("m") or _MONTH_NUMBERS[str(parts.get("n")).rstrip(".")]
    year, day = parts.get("y"), parts.get("d")
    return (f"‹{year}-" if year else "") + f"{int(month):02}" + (f"-{int(day):02}›" if day else "")


def _numbers(text: str) -> str:
    joined = _THOUSANDS.sub(lambda match: re.sub(r"[ ,]", "", match.group()), text)
    return _DECIMAL_COMMA.sub(r"\1.\2", joined)


def holds(text: str, expected: str) -> bool:
    """Whether the expected string stands in the text as whole words and whole numbers.

    `14 days` is not in `114 days` or `2.14 days`, `5` not in `−5`, `三年` not in `十三年`. The last word may have an
    ending of up to three letters if it has four letters itself (`certificate` is in `certificates`).
    """
    plain, dated = normal_forms(expected)
    if not plain:
        return False
    whole, whole_dated = normal_forms(text)
    # Only a date is looked for among the dates: the month in `2026-10-01` is not the number 10.
    return _stands_in(whole, plain) or (dated != plain and _stands_in(whole_dated, dated))


def _stands_in(text: str, part: str) -> bool:
    at = text.find(part)
    while at >= 0:
        if _starts_whole(text, at) and _ends_whole(text, at + len(part), part):
            return True
        at = text.find(part, at + 1)
    return False


def _starts_whole(text: str, at: int) -> bool:
    first, before = text[at], text[at - 1 : at]
    if not before:
        return True
    if _is_number(first):
        further = text[at - 2 : at - 1]
        negative = before == "-" and not (further.isdigit() or _is_letter(further) or further == "›")
        inside = before in ".,:" and further.isdigit()
        return not (_is_number(before) or negative or inside)
    if first == "-":
        return not (before.isdigit() or _is_letter(before))
    return not (_is_letter(first) and _is_letter(before))


def _ends_whole(text: str, end: int, part: str) -> bool:
    last, after = part[-1], text[end : end + 1]
    if not after:
        return True
    if _is_number(last):
        inside = after in ".,:" and text[end + 1 : end + 2].isdigit()
        return not (_is_number(after) or inside)
    if not (_is_letter(last) and _is_letter(after)):
        return True
    ending = 0
    while end + ending < len(text) and _is_letter(text[end + ending]):
        ending += 1
    word = 0
    while word < len(part) and _is_letter(part[-1 - word]):
        word += 1
    return word > _LONGEST_ENDING and ending <= _LONGEST_ENDING


def _is_number(character: str) -> bool:
    return character.isdigit() or character in _NUMERALS


def _is_letter(character: str) -> bool:
    """A letter of a script that separates words."""
    return character.isalpha() and not re.match(f"[{CJK}]", character)
