"""Reading the words of a text from left to right and keeping its quantities: what all readers of numbers share."""

from collections.abc import Sequence

from rag_variants.text.language import Language
from rag_variants.text.quantities.quantity import Day, Quantity
from rag_variants.text.quantities.tables import Meaning, Table, tables
from rag_variants.text.quantities.words import Word, one_form, split_words, to_number

# Words that join the two numbers of a range.
RANGE = {"to", "-", "–", "—", "...", "do", "or", "lub", "and", "a", "i"}


class WordReader:
    """The words of a text; `found` are its quantities so far, `used` the places of the words that belong to one."""

    def __init__(self, text: str, language: Language, signs: Language) -> None:
        self.text = one_form(text)
        self.words: Sequence[Word] = split_words(text)
        self.language = language
        self.signs = signs
        self.lists = tables(language)
        self.lower = [word.lower for word in self.words]
        self.found: list[Quantity] = []
        self.used: set[int] = set()
        self.ended = 0  # the place behind the last quantity

    def word(self, at: int) -> str:
        """The word at a place, or nothing beyond the ends."""
        return self.lower[at] if 0 <= at < len(self.lower) else ""

    def match(self, at: int, table: Table) -> tuple[int, Meaning] | None:
        """The longest phrase of a table that begins here: its end and its meaning."""
        for size in table.sizes.get(self.word(at), ()):
            meaning = table.get(tuple(self.lower[at : at + size]))
            if meaning and at + size <= len(self.lower):
                return at + size, meaning
        return None

    def add(
        self,
        start: int,
        end: int,
        dimension: str,
        value: float,
        day: Day | None = None,
        noun: frozenset[str] = frozenset(),
    ) -> int:
        """Keeps a quantity over the words `[start, end)`; returns the end."""
        begin, stop = self.words[start].start, self.words[end - 1].end
        self.found.append(Quantity(dimension, value, begin, stop, self.text[begin:stop], noun, day))
        self.ended = end
        self.used.update(range(start, end))
        return end

    def _number(self, at: int) -> tuple[int, float] | None:
        """The value of digits and number words from here on, and where they end."""
        scales = self.lists.scales
        total, part, end = 0.0, None, at
        while end < len(self.words):
            word = self.words[end]
            scale = scales.get((word.lower,))
            step = self._added(end, part, digits=end > at and self.words[end - 1].kind == "number")
            if step is not None:
                part, end = step, end + 1
            elif scale and (part is not None or end == at):
                value, end = (part if part is not None else 1.0) * scale[1], end + 1
                total, part = (total + value, None) if scale[1] >= 1000 else (total, value)
            elif end > at and word.lower in ("and", "-") and self._continues(end, part):
                end += 1
            else:
                break
        return (end, total + (part or 0.0)) if end > at else None

    def _added(self, at: int, part: float | None, digits: bool) -> float | None:
        """The number so far with the word at a place, or None if it does not go on there."""
        word = self.words[at]
        if word.kind == "number":
            return to_number(word.text, self.signs) if part is None else None
        found = self.lists.numbers.get((word.lower,))
        if not found:
            return None
        value = found[1]
        if part is None:
            return value
        fits = (value < 10 and part % 10 == 0 and part > 10) or (value < 100 and part % 100 == 0 and part > 0)
        return part + value if fits and not digits else None

    def _continues(self, at: int, part: float | None) -> bool:
        """Whether `-` or `and` joins two number words: twenty-five, two hundred and five."""
        following = self.lists.numbers.get((self.word(at + 1),))
        if not following or following[1] >= 100:
            return False
        if self.word(at) == "-":
            return part is not None and part >= 20 and following[1] < 10
        return self.word(at - 1) in ("hundred", "thousand")
