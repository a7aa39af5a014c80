"""Bounds: `at most`, `co najmniej`, 以内 beside a quantity, turned around by a negation."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import Literal, cast

from rag_variants.text.language import Language
from rag_variants.text.quantities.chinese import read_characters
from rag_variants.text.quantities.latin import read_words
from rag_variants.text.quantities.quantity import Quantity
from rag_variants.text.quantities.words import Word, split_words
from rag_variants_embedded.judge.lexicon import Lexicon, lexicon

Bound = Literal["", "max", "min", "weakmax", "weakmin", "approx"]
# Words that may stand between a bound and its number.
_AFTER_BOUND = {"a", "an", "the", "o", "to", "by", "than", "niż", "of"}
_TURNED: dict[str, Bound] = {"min": "max", "max": "min"}
# Chinese bounds that stand before a number alone, and the negations that turn one.
_ONLY_BEFORE = ("超过", "满", "自", "从", "近", "至少", "最多")
_NOT = re.compile("(?:不|不能|不得|不可|不会|不应)$")


@dataclass(frozen=True, slots=True)
class Bounded(Quantity):
    """A quantity with the bound that stands beside it."""

    bound: Bound = ""


_FIELDS = tuple(field.name for field in fields(Quantity))


def _bounded(quantity: Quantity, bound: Bound, start: int | None = None) -> Bounded:
    values = {name: getattr(quantity, name) for name in _FIELDS}
    return Bounded(**values | ({} if start is None else {"start": start}), bound=bound)


def bounded_words(text: str, language: Language, stems: Sequence[str]) -> tuple[tuple[Bounded, ...], frozenset[int]]:
    """The quantities of an English or Polish text with their bounds, and the places of the words that belong to them.

    `stems` are those of the text's words.
    """
    words = split_words(text)
    quantities, used = read_words(text, language, language)
    if not quantities:
        return (), used
    starts = {word.start: place for place, word in enumerate(words)}
    ends = {word.end: place + 1 for place, word in enumerate(words)}
    reader = _Bounds(words, stems, lexicon(language))
    found, more = [], set(used)
    for quantity in quantities:
        bound, left, right = reader.beside(starts[quantity.start], ends[quantity.end])
        more.update(left, right)
        found.append(_bounded(quantity, bound))
    return tuple(found), frozenset(more)


class _Bounds:
    """The bounds beside places in a text's words."""

    def __init__(self, words: Sequence[Word], stems: Sequence[str], lists: Lexicon) -> None:
        self.words = words
        self.stems = stems
        self.lists = lists

    def beside(self, start: int, end: int) -> tuple[Bound, range, range]:
        """The bound that stands before or after the words `[start, end)`, and the words that belong to it."""
        table = self.lists.bounds
        for size in (5, 4, 3, 2, 1):
            for gap in (0, 1):
                begin = start - gap - size
                phrase = tuple(self.stems[max(begin, 0) : start - gap])
                if begin >= 0 and phrase in table and (not gap or self.words[start - 1].lower in _AFTER_BOUND):
                    bound = cast(Bound, table[phrase])
                    turned = self._turned(begin) if bound in _TURNED else None
                    if turned is not None:
                        return _TURNED[bound], range(turned, start), range(0)
                    return bound, range(begin, start) if len(bound) == 3 or size > 1 else range(0), range(0)
            following = tuple(self.stems[end : end + size])
            after = table.get(following, "") if len(following) == size else ""
            if len(after) == 3 and not (end + size < len(self.words) and self.words[end + size].kind == "number"):
                return cast(Bound, after), range(0), range(end, end + size)
        return "", range(0), range(0)

    def _turned(self, begin: int) -> int | None:
        """Where a negation begins that turns a bound: `must not be larger than` is `at most`."""
        for place in range(begin - 1, max(begin - 4, -1), -1):
            if "negators" in self.lists.marks.get((self.stems[place],), ()):
                modal = self.lists.marks.get((self.stems[place - 1],), frozenset()) if place else frozenset()
                return place - 1 if modal & {"must", "may"} else place
            if self.words[place].kind != "word" or self.words[place].lower not in self.lists.stop:
                return None
        return None


def bounded_characters(text: str) -> tuple[Bounded, ...]:
    """The quantities of a normalized Chinese text with their bounds; one begins with the negation that turns it."""
    return tuple(_bounded(quantity, *_beside(quantity, text)) for quantity in read_characters(text))


@cache
def _bound_words() -> tuple[tuple[str, Bound], ...]:
    words = {"".join(phrase): cast(Bound, bound) for phrase, bound in lexicon("zh").bounds.items()}
    return tuple((word, words[word]) for word in sorted(words, key=lambda word: (-len(word), word)))


def _beside(quantity: Quantity, text: str) -> tuple[Bound, int]:
    """The bound beside a number, and where the number begins with a negation that turns the bound."""
    end = quantity.start + len(quantity.text)  # of a rate, behind what is done each time
    before, after = text[max(quantity.start - 8, 0) : quantity.start], text[end : end + 4]
    for word, bound in _bound_words():
        if before.endswith(word):
            negation = _NOT.search(before.removesuffix(word))
            if bound in _TURNED and negation:
                return _TURNED[bound], quantity.start - len(before) + negation.start()
            return bound, quantity.start
        if after.startswith(word) and word not in _ONLY_BEFORE:
            return bound, quantity.start
    return "", quantity.start
