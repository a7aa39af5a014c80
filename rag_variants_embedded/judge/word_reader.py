"""Reading the words of a text from left to right and keeping its quantities: what all readers of numbers share."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from rag_variants.text.language import Language
from rag_variants.text.terms import stem
from rag_variants_embedded.judge.lexicon import Lexicon, Table, lexicon
from rag_variants_embedded.judge.quantities import Bound, Quantity
from rag_variants_embedded.judge.words import Word, to_number

# Words that may stand between a bound and its number.
_AFTER_BOUND = {"a", "an", "the", "o", "to", "by", "than", "niż", "of"}
_TURNED: dict[str, Bound] = {"min": "max", "max": "min"}
# Words that join the two numbers of a range.
RANGE = {"to", "-", "–", "—", "do", "or", "lub", "and", "a", "i"}


class WordReader:
    """The words of a text; `found` are its quantities so far, `used` the places of the words that belong to one."""

    def __init__(self, words: Sequence[Word], language: Language) -> None:
        self.words = words
        self.language = language
        self.lists: Lexicon = lexicon(language)
        self.lower = [word.lower for word in words]
        self.stems = [stem(word, language) for word in self.lower]
        self.found: list[Quantity] = []
        self.used: set[int] = set()

    def word(self, at: int) -> str:
        """The word at a place, or nothing beyond the ends."""
        return self.lower[at] if 0 <= at < len(self.lower) else ""

    def match(self, at: int, table: Table) -> tuple[int, tuple[tuple[str, float], ...]] | None:
        """The longest phrase of a table that begins here: its end and its meanings."""
        for size in (4, 3, 2, 1):
            phrase = tuple(self.lower[at : at + size])
            if len(phrase) == size and phrase in table:
                return at + size, table[phrase]
        return None

    def add(self, start: int, end: int, dimension: str, value: float, **more: object) -> int:
        """Keeps a quantity over the words `[start, end)`, with the bound before or after it; returns the end."""
        bound, left, right = self.bound_of(start, end)
        begin, stop = self.words[start].start, self.words[end - 1].end
        text = " ".join(word.text for word in self.words[start:end])
        quantity = Quantity(dimension, value, begin, stop, text, bound)
        self.found.append(replace(quantity, **more))  # type: ignore[arg-type]
        self.used.update(range(start, end), left, right)
        return end

    def bound_of(self, start: int, end: int) -> tuple[Bound, range, range]:
        """The bound that stands before or after the words `[start, end)`, and the words that belong to it."""
        table = self.lists.bounds
        for size in (5, 4, 3, 2, 1):
            for gap in (0, 1):
                begin = start - gap - size
                phrase = tuple(self.stems[max(begin, 0) : start - gap])
                if begin >= 0 and phrase in table and (not gap or self.word(start - 1) in _AFTER_BOUND):
                    bound = cast(Bound, table[phrase][0][0])
                    turned = self._turned(begin) if bound in _TURNED else None
                    if turned is not None:
                        return _TURNED[bound], range(turned, start), range(0)
                    return bound, range(begin, start) if len(bound) == 3 or size > 1 else range(0), range(0)
            following = tuple(self.stems[end : end + size])
            after = table.get(following, (("", 0.0),))[0][0] if len(following) == size else ""
            if len(after) == 3 and not (end + size < len(self.words) and self.words[end + size].kind == "number"):
                return cast(Bound, table[following][0][0]), range(0), range(end, end + size)
        return "", range(0), range(0)

    def _turned(self, begin: int) -> int | None:
        """Where a negation begins that turns a bound: `must not be larger than` is `at most`."""
        for place in range(begin - 1, max(begin - 4, -1), -1):
            if "negators" in self.lists.marks.get((self.stems[place],), ()):
                modal = self.lists.marks.get((self.stems[place - 1],), frozenset()) if place else frozenset()
                return place - 1 if modal & {"must", "may"} else place
            if self.words[place].kind != "word" or self.lower[place] not in self.lists.stop:
                return None
        return None

    def _number(self, at: int) -> tuple[int, float] | None:
        """The value of digits and number words from here on, and where they end."""
        scales = self.lists.table("scales")
        total, part, end = 0.0, None, at
        while end < len(self.words):
            word = self.words[end]
            scale = scales.get((word.lower,))
            step = self._added(end, part, digits=end > at and self.words[end - 1].kind == "number")
            if step is not None:
                part, end = step, end + 1
            elif scale and (part is not None or end == at):
                value, end = (part if part is not None else 1.0) * scale[0][1], end + 1
                total, part = (total + value, None) if scale[0][1] >= 1000 else (total, value)
            elif end > at and word.lower in ("and", "-") and self._continues(end, part):
                end += 1
            else:
                break
        return (end, total + (part or 0.0)) if end > at else None

    def _added(self, at: int, part: float | None, digits: bool) -> float | None:
        """The number so far with the word at a place, or None if it does not go on there."""
        word = self.words[at]
        if word.kind == "number":
            return to_number(word.text, self.language) if part is None else None
        found = self.lists.table("numbers").get((word.lower,))
        if not found:
            return None
        value = found[0][1]
        if part is None:
            return value
        fits = (value < 10 and part % 10 == 0 and part > 10) or (value < 100 and part % 100 == 0 and part > 0)
        return part + value if fits and not digits else None

    def _continues(self, at: int, part: float | None) -> bool:
        """Whether `-` or `and` joins two number words: twenty-five, two hundred and five."""
        following = self.lists.table("numbers").get((self.word(at + 1),))
        if not following or following[0][1] >= 100:
            return False
        if self.word(at) == "-":
            return part is not None and part >= 20 and following[0][1] < 10
        return self.word(at - 1) in ("hundred", "thousand")
