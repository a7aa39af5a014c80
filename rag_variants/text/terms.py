"""Text → the terms that keyword search, the judge and the answerer compare."""

import re
import threading
import unicodedata
from functools import lru_cache
from typing import Any

from rag_variants.text.language import Language, detect_language

CJK = r"\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff\U00020000-\U0003ffff"
_WORD = rf"[^\W_{CJK}]"  # letters and digits of every other script
TOKEN = re.compile(
    rf"(?P<section>§+\s*\d+(?:[.\-]\d+)*[a-z]?)"
    rf"|(?P<compound>{_WORD}+(?:[-./_:+]{_WORD}+)+)"
    rf"|(?P<number>\d{{1,3}}(?:[ \u00a0,]\d{{3}})+(?!\d)(?:[.,]\d+)?)"
    rf"|(?P<word>{_WORD}+(?:['’]{_WORD}+)?)"
    rf"|(?P<cjk>[{CJK}]+)"
)
JOINT = re.compile(r"[-./_:+]")
# `30-day` and `14-dniowy` are a number and a word, not an identifier.
NUMBER_WORD = re.compile(r"\d+(?:[-/][a-z\u00df-\u024f]+)+")
# Letters that carry no combining mark, so that NFD leaves them as they are.
_UNMARKED = str.maketrans("łŁøØđĐıßæœ", "lLoOdDisao")
# Endings as people type them without diacritics, and the ending that the Polish stemmer knows.
_RESTORED_ENDINGS = (("ow", "ów"), ("ac", "ać"), ("ec", "eć"), ("ic", "ić"), ("osc", "ość"), ("osci", "ości"))


def normalize(text: str) -> str:
    """Text in one Unicode form (NFKC: full-width digits become digits), lower case, for comparing only."""
    return unicodedata.normalize("NFKC", text).casefold()


def fold(word: str) -> str:
    """A word without the marks that people leave out when typing: `żółw` → `zolw`."""
    parts = unicodedata.normalize("NFD", word.translate(_UNMARKED))
    return "".join(part for part in parts if not unicodedata.combining(part))


class _Stemmers(threading.local):
    """The stemmers of one thread: a stemmer holds the word it works on, so two threads must not share one."""

    def __init__(self) -> None:
        from snowballstemmer import stemmer

        self.by_language: dict[str, Any] = {"en": stemmer("english"), "pl": stemmer("polish")}


_STEMMERS = _Stemmers()


@lru_cache(maxsize=131_072)
def stem(word: str, language: Language) -> str:
    """The folded stem of a lower-case word (Snowball, English and Polish); CJK text comes back as it is."""
    return fold(marked_stem(word, language))


def marked_stem(word: str, language: Language) -> str:
    """The stem of a lower-case word with its marks: `sądu` → `sąd`, whose folded stem is `sad`."""
    if language == "zh":
        language = "en"  # Latin words inside Chinese text are mostly English
    if language == "pl" and word.isascii():
        for typed, known in _RESTORED_ENDINGS:
            if len(word) > len(typed) + 2 and word.endswith(typed):
                word = word.removesuffix(typed) + known
                break
    return str(_STEMMERS.by_language[language].stemWord(word))


def character_pairs(run: str) -> list[str]:
    """Overlapping pairs of a run of CJK characters; a single character is its own pair."""
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


def is_identifier(compound: str) -> bool:
    """Whether a compound such as `err-4031` is one name; `30-day` and `well-known` are words."""
    return any(map(str.isdigit, compound)) and not NUMBER_WORD.fullmatch(compound)


@lru_cache(maxsize=32_768)
def extract_terms(text: str, language: Language | None = None) -> tuple[str, ...]:
    """Terms in order, repeats kept: stems, CJK character pairs, and identifiers such as `err-4031` or `§12.4` whole.

    Thousands are joined (`1,240` → `1240`). The language is detected where none is given.
    """
    language = language or detect_language(text)
    found: list[str] = []
    for match in TOKEN.finditer(unicodedata.normalize("NFKC", text)):
        token = match.group()
        if match["section"]:
            found.append("§" + token.lstrip("§").strip().casefold())
        elif match["cjk"]:
            found.extend(character_pairs(token))
        elif match["number"]:
            found.append(re.sub(r"[ ,\u00a0](?=\d{3})", "", token))
        elif match["compound"] and is_identifier(token):
            found.append(token.casefold())
        else:
            found.extend(stem(word.casefold(), language) for word in JOINT.split(token))
    return tuple(found)


def split_at_blanks(text: str) -> tuple[str, ...]:
    """What a naive splitter sees: lower-case pieces between blanks. A Chinese sentence is one piece."""
    return tuple(text.casefold().split())
