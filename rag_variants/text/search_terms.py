"""What keyword search looks for beyond terms: a word as it was written, and the parts of identifiers.

A text's terms are counted (`extract_terms`); beside them stand marks, which lengthen no chunk:

- the form of a word that its term folds away, `term␟form`: capitals (`can␟CAN`), letters (`sad␟sąd`), signs
  (`c␟c++`); words of a line that is all capitals have every case, `can␟*CAN`;
- the parts of an identifier as terms (`iso-9001`: `iso`, `9001`, `iso9001`), and names without a digit whole.

A question asks with the same marks; what stands after `␟` there is a form, or the parts that stand for a whole.
"""

import hashlib
import inspect
import re
import sys
import unicodedata
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version

from rag_variants.text import function_words, terms
from rag_variants.text import language as languages
from rag_variants.text.language import Language, detect_language
from rag_variants.text.terms import CJK, JOINT, TOKEN, extract_terms, fold, is_identifier, marked_stem, stem

UNIT = "\x1f"  # counts as a blank, so that no term of any kind holds it
_ANY_CASE, _ONLY = "*", "="
_SIGNS = re.compile(r"\+\+(?![^\W\d_])|#(?!\w)")  # C++, C++17, C#
_PIECE = re.compile(r"[-/_:+]")
_NUMBERED = re.compile(r"[a-z]{1,3}(\d+(?:\.\d+)+)")  # v2.10.3
_NAME = re.compile(r"\w{2,}(?:[._/:]\w{2,})+")  # node.js, max_retries; not U.S. and km/h
# Marks that Polish puts on and takes off as a word is inflected: Kraków, Krakowa; kość, kości.
_INFLECTED = str.maketrans("ńśćź", "nscz")
_ENDINGS = str.maketrans("ąę", "ae")
_END, _LEAST_STEM = 2, 4


def marks(text: str, language: Language | None = None) -> tuple[str, ...]:
    """What stands beside the terms of a text, repeats kept."""
    language = language or detect_language(text)
    text = unicodedata.normalize("NFKC", text)
    shouted = _shouted(text)
    found: list[str] = []
    for match in TOKEN.finditer(text):
        loud = any(start <= match.start() < end for start, end in shouted)
        if match["compound"] and is_identifier(match.group()):
            found += _parts(match.group(), language)
            found += (each for piece in JOINT.split(match.group()) for each in _form(piece, language, loud))
        elif match["compound"]:
            found += [match.group().casefold()] if _NAME.fullmatch(match.group()) else []
            found += (each for piece in JOINT.split(match.group()) for each in _form(piece, language, loud))
        elif match["word"]:
            found += _form(match.group(), language, loud, _signs(text, match))
    return tuple(found)


def asked_terms(question: str, stems: Language | None = None) -> tuple[str, ...]:
    """What a question asks keyword search for, in order: its terms but for function words, marked as it wrote them.

    `stems` is the language of the texts searched; the question's own if not given. Which words are function words is
    decided by the question's own language; one in capitals (`CAN`, `US`, `WHO`) is a name, and asked for as that alone.
    A question of nothing else asks for all its terms.
    """
    language = detect_language(question)
    text = function_words.without_chinese_function_words(question) if language == "zh" else question
    empty = function_words.function_terms(language)
    asked: list[str] = []
    for own, wanted in zip(_asked(text, language), _asked(text, stems or language), strict=True):
        term, form = split_asked(own)
        if term not in empty:
            asked.append(wanted)
        elif form and form.isupper() and form.isalpha():
            asked.append(wanted.replace(UNIT, UNIT + _ONLY))
    return tuple(asked) or extract_terms(question, stems or language)


def split_asked(asked: str) -> tuple[str, str]:
    """The term and what is asked for beyond it; empty if the term is asked for as it stands."""
    term, _, form = asked.partition(UNIT)
    return term, form


def parts_of(form: str) -> tuple[str, ...]:
    """The parts that stand for an identifier, if it is asked for by them too."""
    return tuple(form.split()) if form.startswith(" ") else ()


def only_form(form: str) -> str | None:
    """The form without which the word is another, or None if its term may stand for it."""
    return form.removeprefix(_ONLY) if form.startswith(_ONLY) else None


def is_form(asked: str, written: str) -> bool:
    """Whether a written form is the one asked for; `asked` is empty for a word in small letters without marks.

    Small letters with marks are found in capitals too; where all is capitals, case says nothing.
    """
    if written.startswith(_ANY_CASE):
        plain = written[1:].casefold()
        return plain == asked.casefold() if asked else plain.isascii() and plain.isalnum()
    return bool(asked) and (written == asked or (asked.islower() and written.casefold() == asked))


def shown(asked: str) -> str:
    """An asked term for people: in the form asked for."""
    term, form = split_asked(asked)
    return term if not form or form.startswith(" ") else form.removeprefix(_ONLY)


def _asked(text: str, language: Language) -> Iterator[str]:
    text = unicodedata.normalize("NFKC", text)
    shouted = _shouted(text)
    for match in TOKEN.finditer(text):
        token = match.group()
        loud = any(start <= match.start() < end for start, end in shouted)
        if match["compound"] and is_identifier(token):
            parts = _part_terms(token, language)
            yield f"{token.casefold()}{UNIT} {' '.join(parts)}" if parts else token.casefold()
        elif match["compound"] or match["word"]:
            signs = _signs(text, match) if match["word"] else ""
            for piece in JOINT.split(token):
                term = stem(piece.casefold(), language)
                mark = next(iter(_form(piece, language, loud, signs)), term)
                yield term if UNIT + _ANY_CASE in mark else mark
            if match["compound"] and _NAME.fullmatch(token):
                yield token.casefold()
        else:
            yield from extract_terms(token, language)


def _form(word: str, language: Language, loud: bool, signs: str = "") -> Iterator[str]:
    """The word's form behind its term, if the term folds something away that inflection does not."""
    term = stem(word.casefold(), language)
    if signs:
        yield f"{term}{UNIT}{signs}"
        return
    kept = _without_inflection(unicodedata.normalize("NFC", marked_stem(word.casefold(), language)))
    letters = [letter for letter in word.removesuffix("s") if letter.isalpha()]
    if len(letters) > 1 and all(map(str.isupper, letters)):
        yield f"{term}{UNIT}{_ANY_CASE if loud else ''}{kept.upper()}"
    elif kept != fold(kept):
        yield f"{term}{UNIT}{kept}"


def _without_inflection(stemmed: str) -> str:
    stemmed = stemmed.replace("ó", "o")
    stemmed = stemmed[:-_END] + stemmed[-_END:].translate(_INFLECTED)
    return stemmed[:-1] + stemmed[-1:].translate(_ENDINGS) if len(stemmed) >= _LEAST_STEM else stemmed


def _signs(text: str, match: re.Match[str]) -> str:
    """A name that its signs make: `c++`, `c#`, `.net`; empty for any other word."""
    if found := _SIGNS.match(text, match.end()):
        return match.group().casefold() + found.group()
    before = text[max(0, match.start() - 2) : match.start()].lstrip()
    return f".{match.group().casefold()}" if before == "." and match.group()[0].isupper() else ""


def _shouted(text: str) -> list[tuple[int, int]]:
    """The lines of two words or more that are all capitals."""
    found, start = [], 0
    for line in text.splitlines(keepends=True):
        words = re.findall(rf"[^\W\d_{CJK}]{{2,}}", line) if line.isupper() else []
        if len(words) > 1:
            found.append((start, start + len(line)))
        start += len(line)
    return found


def _parts(identifier: str, language: Language) -> tuple[str, ...]:
    """The parts of an identifier, and all of it written in one."""
    parts = _part_terms(identifier, language)
    return (*parts, JOINT.sub("", identifier.casefold())) if parts else ()


def _part_terms(identifier: str, language: Language) -> tuple[str, ...]:
    """`ms17-010` → ms17, 010; `v2.10.3` → 2.10.3. Numbers with points stay whole, a number alone has no parts."""
    parts: list[str] = []
    for piece in _PIECE.split(identifier.casefold()):
        if numbered := _NUMBERED.fullmatch(piece):
            parts.append(numbered[1])
        elif any(map(str.isalpha, piece)):
            parts += [stem(each, language) if each.isalpha() else each for each in piece.split(".")]
        else:
            parts.append(piece)
    return tuple(parts) if parts != [identifier.casefold()] and ":" not in identifier else ()


@cache
def terms_version() -> str:
    """16 hex digits of everything that decides the terms of a text: the rules here, and the libraries they use."""
    rules = [inspect.getsource(module) for module in (sys.modules[__name__], terms, languages)]
    libraries = [version("snowballstemmer"), version("py3langid"), unicodedata.unidata_version]
    return hashlib.sha256("\0".join([*rules, *libraries]).encode("utf-8")).hexdigest()[:16]
