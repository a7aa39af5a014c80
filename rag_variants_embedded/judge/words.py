"""Text → words with their places: the common ground of the readers for English and Polish."""

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from rag_variants.text.language import Language

_L = r"[^\W\d_]"
_WORDS = re.compile(
    rf"(?P<address>[\w.+-]+@[\w-]+(?:\.[\w-]+)*|https?://[^\s,;]+\w|(?<![\w/])/\w[\w/.-]*\w)"
    rf"|(?P<isodate>\d{{4}}-\d{{2}}-\d{{2}}|\d{{1,2}}[./]\d{{1,2}}[./]\d{{4}})"
    rf"|(?P<clock>\d{{1,2}}:\d{{2}})"
    rf"|(?P<unit>[kKmMgG]?bit/s|Mb/s|km/h|m/s|24/7|m²|°C)"
    rf"|(?P<identifier>{_L}+(?:[-_.:/]?{_L}+)*[-_.:/]?\d[\w.:/-]*\w|{_L}+\d|\d+xx\b|{_L}+[_:]\w+|\d+[-_]\d+(?:[-_]\d+)+)"
    rf"|(?P<section>§+\s*\d+(?:\.\d+)*)"
    rf"|(?P<number>\d+(?:[ \u00a0,.]\d{{3}})+(?![\d.,]*\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)*)"
    rf"|(?P<word>{_L}+(?:['’]{_L}+)*)"
    rf"|(?P<mark>\S)"
)


class Word(NamedTuple):
    """A word, number, identifier or mark as it stands, and where."""

    text: str
    start: int
    end: int
    kind: str

    @property
    def lower(self) -> str:
        """The word without its capitals."""
        return self.text.casefold()


@lru_cache(maxsize=65_536)
def split_words(text: str, language: Language) -> tuple[Word, ...]:
    """The words of a text, one Unicode form; places count characters of `text` in that form."""
    text = unicodedata.normalize("NFKC", text).replace("’", "'")
    return tuple(
        Word(match.group(), match.start(), match.end(), match.lastgroup or "mark") for match in _WORDS.finditer(text)
    )


def to_number(text: str, language: Language) -> float | None:
    """The value of digits with thousands and decimals as a language writes them, or None."""
    body = re.sub(r"[ \u00a0]", "", text)
    decimal, thousands = (",", ".") if language == "pl" else (".", ",")
    grouped = re.fullmatch(rf"\d{{1,3}}(?:\{thousands}\d{{3}})+(?:\{decimal}\d+)?", body)
    if grouped:
        body = body.replace(thousands, "")
    body = body.replace(",", ".")
    return float(body) if re.fullmatch(r"\d+(?:\.\d+)?", body) else None
