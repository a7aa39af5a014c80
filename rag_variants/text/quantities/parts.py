"""A text as words and quantities in order: what an expected string is looked for in."""

import re
from collections.abc import Iterator
from functools import lru_cache

from rag_variants.text.language import Language
from rag_variants.text.quantities.chinese import NUMERALS
from rag_variants.text.quantities.quantity import Quantity, agree
from rag_variants.text.quantities.read import read_quantities
from rag_variants.text.quantities.words import one_form, split_words, to_number
from rag_variants.text.terms import CJK, normalize

# A word in one form; a number without what it counts; a quantity.
Part = str | float | Quantity
_CHARACTERS = re.compile(rf"[{NUMERALS}]+|[{CJK}]")
_SIGNS = str.maketrans({**dict.fromkeys("‐‑‒–—−", "-"), **dict.fromkeys("‘’ʼ", "'")})
_JOINTS = re.compile("([/:@])")
_UNSPOKEN = re.compile(r"[*`]")


@lru_cache(maxsize=16_384)
def split_parts(text: str, language: Language, signs: Language, quantities: bool = True) -> tuple[Part, ...]:
    """The parts of a text; numbers and dates as `quantities`, or as they are written, part for part.

    `signs` is the language whose decimal sign the text follows.

    Words are in lower case and one Unicode form, without emphasis (`**14** days`); Chinese is taken apart into
    characters, but for its numerals, which stay whole: `三年` is no part of `十三年`.
    """
    text = _UNSPOKEN.sub("", text)
    text = normalize(text) if language == "zh" else one_form(text)
    found: list[Part] = []
    at = 0
    for quantity in read_quantities(text, language, signs) if quantities else ():
        # A Chinese range holds its two numbers in one place, so that nothing stands between them.
        found += [*_written(text[at : quantity.start], signs), quantity]
        at = quantity.end
    return (*found, *_written(text[at:], signs))


def _written(text: str, signs: Language) -> Iterator[Part]:
    for run, apart in _runs(text):
        if apart:
            yield run
            continue
        for word in split_words(run):
            number = to_number(word.text, signs) if word.kind == "number" else None
            if number is None:
                yield from filter(None, _JOINTS.split(word.lower.translate(_SIGNS)))
            else:
                yield number


def _runs(text: str) -> Iterator[tuple[str, bool]]:
    """The Chinese characters and numerals of a text, each apart, and what stands between them."""
    at = 0
    for match in _CHARACTERS.finditer(text):
        yield text[at : match.start()], False
        yield match.group(), True
        at = match.end()
    yield text[at:], False


def same_part(expected: Part, found: Part) -> bool:
    """Whether two parts are the same: words by their letters, numbers by value, quantities by what they measure too.

    Quantities must `agree` and count the same: `10 working days` are not `10 days`, and `5台` not `5人`.
    """
    if isinstance(expected, Quantity) and isinstance(found, Quantity):
        return expected.noun == found.noun and agree(expected, found)
    return expected == found
