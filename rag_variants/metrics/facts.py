"""Whether a text holds an expected string, whatever way its numbers and dates are written."""

import re
from collections.abc import Iterator
from functools import lru_cache

from rag_variants.text.citations import strip_citations
from rag_variants.text.language import LANGUAGES, Language, as_language, detect_language
from rag_variants.text.quantities.parts import Part, same_part, split_parts
from rag_variants.text.terms import CJK, normalize
from rag_variants.types import Question

_SIGNS = str.maketrans({**dict.fromkeys("‐‑‒–—−", "-"), **dict.fromkeys("‘’ʼ", "'"), "*": None, "`": None})
_LOOSE_BLANK = re.compile(rf"(?<=[{CJK}]) | (?=[{CJK}])")
_NUMERAL = re.compile("[0-9〇零一二三四五六七八九十百千万两亿]")
# An ending that a word of four letters or more may have: certificate(s), certyfikat(ami).
_LONGEST_ENDING = 3
# Fewer do not tell their language.
_FEW_WORDS = 5


def language_of(answer: str, question: Question) -> Language:
    """The language of an answer; a few words such as `1,240 EUR` are in that of the question."""
    if len(answer.split()) < _FEW_WORDS and not re.search(f"[{CJK}]", answer):
        return as_language(question.tag("language")) or detect_language(question.user_input)
    return detect_language(answer)


def holds(text: str, expected: str, language: Language | None = None) -> bool:
    """Whether the expected string stands in the text as whole words and whole quantities.

    Numbers, dates, times, durations, shares and sums are the same in whatever way they are written: `1,240 EUR` and
    `1240 euros`, `9 a.m.` and `9:00`. Their signs are read in the text's language (`1,240` is 1240 in English,
    1.24 in Polish), detected where none is given. `14 days` is not in `114 days` or `2.14 days`, `5` not in `−5`,
    `三年` not in `十三年`. The last word may have an ending of up to three letters if it has four letters itself
    (`certificate` is in `certificates`).
    """
    text, expected = strip_citations(text), strip_citations(expected)
    if not _NUMERAL.search(normalize(expected)) and _stands_in(_level(text), _level(expected)):
        return True
    language = language or detect_language(text)
    if _follow(split_parts(expected, language, language, False), split_parts(text, language, language, False)):
        return True
    wanted, found = tuple(_readings(expected, language)), tuple(_readings(text, language))
    return any(_follow(part, whole) for part in wanted for whole in found)


def _readings(text: str, language: Language) -> Iterator[tuple[Part, ...]]:
    """A text read in its language, then in the others that its script allows: facts may be given in any of them."""
    chinese = bool(re.search(f"[{CJK}]", text))
    for other in sorted(LANGUAGES, key=lambda one: one != language):
        if other == language or other != "zh" or chinese:
            yield split_parts(text, other, language)


def _follow(expected: tuple[Part, ...], found: tuple[Part, ...]) -> bool:
    """Whether the expected parts stand in this order, with nothing between them."""
    size = len(expected)
    return size > 0 and any(
        all(map(same_part, expected[:-1], found[at:])) and _ends(expected[-1], found[at + size - 1])
        for at in range(len(found) - size + 1)
    )


def _ends(expected: Part, found: Part) -> bool:
    """Whether the last part is the same, but for an ending."""
    if isinstance(expected, str) and isinstance(found, str) and expected.isalpha() and found.isalpha():
        longer = len(found) - len(expected)
        return found == expected or (
            len(expected) > _LONGEST_ENDING and found.startswith(expected) and longer <= _LONGEST_ENDING
        )
    return same_part(expected, found)


@lru_cache(maxsize=16_384)
def _level(text: str) -> str:
    """A text with case, width, blanks, dashes and emphasis levelled."""
    return _LOOSE_BLANK.sub("", " ".join(normalize(text).translate(_SIGNS).split()))


def _stands_in(text: str, part: str) -> bool:
    """Whether words without numbers stand in a text as whole words."""
    at = text.find(part) if part else -1
    while at >= 0:
        if not (_is_letter(part[0]) and at and _is_letter(text[at - 1])) and _ends_whole(text, at + len(part), part):
            return True
        at = text.find(part, at + 1)
    return False


def _ends_whole(text: str, end: int, part: str) -> bool:
    if not (_is_letter(part[-1]) and _is_letter(text[end : end + 1])):
        return True
    ending = 0
    while end + ending < len(text) and _is_letter(text[end + ending]):
        ending += 1
    word = 0
    while word < len(part) and _is_letter(part[-1 - word]):
        word += 1
    return word > _LONGEST_ENDING and ending <= _LONGEST_ENDING


def _is_letter(character: str) -> bool:
    """A letter of a script that separates words."""
    return character.isalpha() and not re.match(f"[{CJK}]", character)
