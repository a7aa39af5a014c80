"""Sentence → what the judge compares: content tokens with their meanings, and quantities."""

import re
from dataclasses import dataclass
from functools import lru_cache

from rag_variants.text.language import Language
from rag_variants.text.quantities.tables import tables
from rag_variants.text.quantities.words import Word, split_words
from rag_variants.text.terms import fold, normalize, stem
from rag_variants_embedded.judge.bounds import Bounded, bounded_characters, bounded_words
from rag_variants_embedded.judge.lexicon import FLAGS, Lexicon, lexicon

_MARKS = {",", ":", "(", ")", "—", "–"}
_BREAK: dict[Language, set[str]] = {
    "en": _MARKS | {"and", "but", "while", "whereas"},
    "pl": _MARKS | {"i", "a", "oraz", "ale", "natomiast", "zaś"},
    "zh": _MARKS,
}
_CHINESE_BREAK = re.compile("[，、：（）,:()]|而(?!且)|但")
_NUMERALS = set("零〇一二两三四五六七八九十百千万亿半")
_LABEL = re.compile(r"[\d零一二三四五六七八九十]+号(?!码)")
_LATIN = re.compile(r"[a-z0-9]*[a-z][a-z0-9]*(?:[-_./:+@][a-z0-9]+)*")
CHINESE_DAY = re.compile("(?:周|星期|礼拜)([一二三四五六日天])")
CHINESE_DAYS = {character: number for number, character in enumerate("一二三四五六日", 1)} | {"天": 7}
_CJK = re.compile(r"[\u3400-\u9fff]+")


@dataclass(frozen=True, slots=True, eq=False)
class Token:
    """A word or phrase that carries meaning: its keys meet those of words that mean the same.

    `axes` are the opposites it stands on with the side (`axis:3+`); `kind` is name, identifier, pair or plain.
    """

    text: str
    start: int
    end: int
    segment: int
    stem: str
    keys: frozenset[str]
    axes: frozenset[str]
    flags: frozenset[str]
    kind: str
    weight: float

    def may_match(self, reading: "ReadSentence") -> bool:
        """Whether any token of a reading can match, seen cheaply: a shared meaning or a shared beginning."""
        if self.stem[:2] in reading.beginnings:
            return True
        return any(key.removeprefix("is:").removeprefix("kind:") in reading.keys for key in self.keys)

    @property
    def classes(self) -> frozenset[str]:
        """Groups of things that exclude each other, with the member: `class:colour=red`."""
        return frozenset(key for key in self.keys if key.startswith("class:"))


@dataclass(frozen=True, eq=False)
class ReadSentence:
    """A sentence taken apart. `content` tokens must be found in the evidence; the rest are signs such as `not`."""

    text: str
    language: Language
    tokens: tuple[Token, ...]
    content: tuple[Token, ...]
    signs: tuple[Token, ...]
    quantities: tuple[Bounded, ...]
    segments: tuple[int, ...]
    keys: frozenset[str]
    beginnings: frozenset[str]

    def segment_at(self, position: int) -> int:
        """The number of the clause that a character lies in."""
        return sum(start <= position for start in self.segments)


@lru_cache(maxsize=8_192)  # some 15 kB each
def read(text: str, language: Language) -> ReadSentence:
    """What a sentence says, for comparing."""
    found, quantities, breaks = _read_chinese(text) if language == "zh" else _read_words(text, language)
    content = tuple(token for token in found if token.weight > 0)
    # Special and general of one kind meet too, so each stands for both here.
    keys = frozenset(key.removeprefix("is:").removeprefix("kind:") for token in found for key in token.keys)
    beginnings = frozenset(token.stem[:2] for token in found)
    signs = tuple(token for token in found if token.flags or token.axes)
    return ReadSentence(normalize(text), language, tuple(found), content, signs, quantities, breaks, keys, beginnings)


def _meanings(marks: frozenset[str]) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Keys, axes and flags out of a phrase's marks."""
    axes = frozenset(mark for mark in marks if mark.startswith(("axis:", "deny:", "cost:")))
    flags = marks & FLAGS
    return (marks - flags - axes) | {axis[:-1] for axis in axes}, axes, flags


def _read_words(text: str, language: Language) -> tuple[list[Token], tuple[Bounded, ...], tuple[int, ...]]:
    words = split_words(text)
    stems = [stem(word.lower, language) for word in words]
    quantities, used = bounded_words(text, language, stems)
    lists = lexicon(language)
    found: list[Token] = []
    breaks: list[int] = []
    at = 0
    while at < len(words):
        word = words[at]
        if word.lower in _BREAK[language]:
            breaks.append(word.start)
        if at in used or (word.kind == "mark" and word.text not in "§"):
            at += 1
            continue
        size = _phrase_size(at, words, stems, used, lists)
        found.append(_token(at, max(size, 1), words, stems, lists, len(breaks), size > 0))
        at += max(size, 1)
    return found, quantities, tuple(breaks)


def _phrase_size(at: int, words: tuple[Word, ...], stems: list[str], used: frozenset[int], lists: Lexicon) -> int:
    """How many words from here on are one phrase of the lists; hyphens between them do not count."""
    for size in range(min(6, len(words) - at), 0, -1):
        if any(place in used for place in range(at, at + size)):
            continue
        phrase = tuple(stems[place] for place in range(at, at + size) if words[place].text != "-")
        if words[at + size - 1].text != "-" and phrase in lists.marks:
            return size
    return 0


def _token(
    at: int, size: int, words: tuple[Word, ...], stems: list[str], lists: Lexicon, segment: int, known: bool
) -> Token:
    word = words[at]
    phrase = tuple(stems[place] for place in range(at, at + size) if words[place].text != "-")
    marks = lists.marks[phrase] if known else lists.near(stems[at]) if word.kind == "word" else frozenset()
    keys, axes, flags = _meanings(marks)
    weekday = tables(lists.language).weekdays.get((word.lower,)) if size == 1 else None
    if weekday:
        keys |= {"weekday", f"weekday={weekday[1]:g}"}
    kind = _kind(at, words, lists, bool(weekday))
    stop = size == 1 and (word.lower in lists.stop or "negators" in flags)
    sign = bool(flags & {"negators", "exceptions"}) or (
        bool(flags) and not axes and not any(key.startswith("same") for key in keys)
    )
    light = ((stop or phrase in lists.bounds) and kind == "plain") or (sign and kind == "plain")
    own = "".join(phrase) if word.kind in ("word", "mark") else fold(word.lower)
    weight = 0.0 if light else 1.5 if kind in ("name", "identifier") else 1.0
    text = " ".join(words[place].text for place in range(at, at + size))
    return Token(text, word.start, words[at + size - 1].end, segment, own, keys | {own}, axes, flags, kind, weight)


def _kind(at: int, words: tuple[Word, ...], lists: Lexicon, weekday: bool) -> str:
    """Whether a word is a name, an identifier or plain."""
    word = words[at]
    if word.kind in ("identifier", "address", "section"):
        return "identifier"
    if word.kind != "word" or weekday or not word.text[0].isupper() or (word.lower,) in tables(lists.language).months:
        return "plain"
    if len(word.text) == 1 and at > 0 and words[at - 1].kind == "word" and word.text != "I":
        return "name"  # class A, plan B
    if word.text.isupper() and (len(word.text) > 1 or (at > 0 and words[at - 1].kind == "word")):
        return "plain" if word.lower in lists.stop else "name"
    begins = at == 0 or words[at - 1].text in '.:!?«„"“'
    following = words[at + 1] if at + 1 < len(words) else None
    pair = following is not None and following.kind == "word" and following.text[0].isupper()
    if begins and not (pair and word.lower not in lists.stop):
        return "plain"
    return "plain" if word.lower in lists.stop else "name"


def _read_chinese(text: str) -> tuple[list[Token], tuple[Bounded, ...], tuple[int, ...]]:
    text = normalize(text)
    quantities = bounded_characters(text)
    used = {place for quantity in quantities for place in range(quantity.start, quantity.end)}
    breaks = tuple(match.start() for match in _CHINESE_BREAK.finditer(text))
    lists = lexicon("zh")
    found: list[Token] = []
    run, at = "", 0
    while at <= len(text):
        label, day = _LABEL.match(text, at), None if at in used else CHINESE_DAY.match(text, at)
        size = 0 if at == len(text) or at in used or label or day else _longest(text, at, used, lists)
        plain = at < len(text) and not size and not (label or day) and at not in used and _CJK.match(text[at])
        if plain and text[at] not in _NUMERALS:
            run += text[at]
            at += 1
            continue
        found.extend(_pairs(run, at - len(run), breaks))
        run = ""
        if label:
            found.append(_chinese_token(label.group(), at, breaks, frozenset({"class:label=" + label.group()}), "name"))
            at = label.end()
        elif day:
            keys = frozenset({"weekday", f"weekday={CHINESE_DAYS[day[1]]}"})
            found.append(_chinese_token(day.group(), at, breaks, keys, "plain"))
            at = day.end()
        elif size:
            piece = text[at : at + size]
            marks = lists.marks.get(tuple(piece), frozenset())
            found.append(_chinese_token(piece, at, breaks, marks, "plain", piece in lists.stop))
            at += size
        else:
            latin = _LATIN.match(text, at) if at not in used else None
            if latin:
                found.append(_chinese_token(latin.group(), at, breaks, frozenset(), "identifier"))
                at = latin.end()
            else:
                at += 1
    return found, quantities, breaks


def _longest(text: str, at: int, used: set[int], lists: Lexicon) -> int:
    """The length of the longest known word that begins here."""
    for size in range(min(lists.longest, len(text) - at), 0, -1):
        piece = text[at : at + size]
        if (tuple(piece) in lists.marks or piece in lists.stop) and not any(at + i in used for i in range(size)):
            return size
    return 0


def _chinese_token(
    piece: str, at: int, breaks: tuple[int, ...], marks: frozenset[str], kind: str, stop: bool = False
) -> Token:
    keys, axes, flags = _meanings(marks)
    sign = bool(flags & {"negators", "exceptions"}) or (bool(flags) and not axes)
    weight = 0.0 if sign or (stop and not axes) else 1.5 if kind != "plain" else 0.5 if len(piece) == 1 else 1.0
    segment = sum(place <= at for place in breaks)
    return Token(piece, at, at + len(piece), segment, piece, keys | {piece}, axes, flags, kind, weight)


def _pairs(run: str, at: int, breaks: tuple[int, ...]) -> list[Token]:
    """An unknown run of characters as overlapping pairs that together weigh half its length."""
    if not run:
        return []
    surname = run[:1] in lexicon("zh").surnames
    if 2 <= len(run) <= 3 and surname:
        segment = sum(place <= at for place in breaks)
        return [Token(run, at, at + len(run), segment, run, frozenset({run}), frozenset(), frozenset(), "name", 1.5)]
    pieces = [run[i : i + 2] for i in range(len(run) - 1)] or [run]
    weight = len(run) / 2 / len(pieces) if len(run) > 1 else 0.4
    return [
        Token(piece, at + i, at + i + len(piece), sum(place <= at + i for place in breaks), piece,
              frozenset({piece}), frozenset(), frozenset(), "pair", weight)
        for i, piece in enumerate(pieces)
    ]  # fmt: skip
