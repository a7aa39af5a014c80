"""Numbers, dates, durations, times and frequencies of an English or Polish text, in base units."""

from dataclasses import replace
from functools import cache, lru_cache

from rag_variants.text.language import Language
from rag_variants.text.quantities.compounds import compound_time, compound_unit, may_be_compound
from rag_variants.text.quantities.dates import DateReader
from rag_variants.text.quantities.quantity import Quantity
from rag_variants.text.quantities.tables import Meaning, tables
from rag_variants.text.quantities.word_reader import RANGE
from rag_variants.text.quantities.words import CURRENCIES

_DAY = 86_400.0
# Words that may stand between a number and its unit.
_BETWEEN = {
    "working", "business", "calendar", "consecutive", "full",
    "kolejnych", "pełne", "pełnych", "of", "whole", "-",
}  # fmt: skip
_WORKING, _WORKING_DAYS = {"working", "business"}, frozenset({"working"})
_ORDINAL_ENDINGS = {"st", "nd", "rd", "th"}
_EVERY = {"every", "each", "co", "każdy", "każdego", "każdej", "każdą", "każde"}
_BARE = {
    "en": {"a", "an", "one", "the", "per"},
    "pl": {"na", "przez", "po", "ciągu", "jeden", "jedną", "co", "ważąca", "ważący", "waży"},
}
_YEAR_BEFORE = {
    "in", "since", "until", "by", "of", "w", "od", "do",
    "for", "from", "year", "to", "przed", "po", "za", "z",
}  # fmt: skip
_YEAR_AFTER = {"roku", "r", "rok", ".", ",", ";", ")", ""}
# After these `a day` is a duration, elsewhere (`two tablets a day`) a rate.
_WHOLE_BEFORE = {
    "within", "for", "in", "after", "of", "than", "take", "takes", "took", "last", "lasts", "lasted", "about", "is",
    "nearly", "almost", "over", "under", "half", "to", "by", "until", "during", "and", "with", "once",
}  # fmt: skip


class NumberReader(DateReader):
    """Reads one text from left to right; `found` are its quantities, `used` the words that belong to one."""

    def read(self) -> None:
        """Fills `found` and `used`."""
        at = 0
        while at < len(self.words):
            if not self._may_begin(at):
                at += 1
                continue
            end = (
                self._written(at) or self._rate(at) or self._month(at) or self._amount(at) or self._bare(at)
                or self._ordinal(at) or self._share(at)
            )  # fmt: skip
            at = end or at + 1

    def _may_begin(self, at: int) -> bool:
        """Whether a quantity may begin with a word, seen cheaply."""
        word = self.words[at]
        if word.kind in ("number", "clock", "isodate") or word.lower in _openers(self.language):
            return True
        return self.language == "pl" and word.kind == "word" and may_be_compound(word.lower)

    def _amount(self, at: int) -> int | None:
        """A number with its unit, currency or counted thing."""
        start, currency = at, CURRENCIES.get(self.word(at))
        if currency and self.words[min(at + 1, len(self.words) - 1)].kind != "number":
            return None
        at += currency is not None
        half = self.word(at) == "half" and self.word(at + 1) in ("a", "an")
        times = self.match(at, self.lists.times)
        parsed = (at + 2, 0.5) if half else (times[0], times[1][1]) if times else self._number(at)
        if not parsed:
            return None
        end, value = parsed
        if times or self.word(end) in ("times", "razy"):
            return self._times(start, end if times else end + 1, value)
        value, end = self._and_half(value, end)
        if self.word(end) in _ORDINAL_ENDINGS and self.words[end].start == self.words[end - 1].end:
            return self.add(start, end + 1, "ordinal", value)
        if currency:
            return self.add(start, end, currency, value)
        if self.word(end) in ("roku", "rok", "r") and self._is_year(at, end, value):
            return self.add(start, end + 1, "date", 0, day=(int(value), None, None))
        unit = self._unit(end)
        if unit:
            return self._measured(start, unit[0], value, unit[1])
        compound = compound_unit(self.word(end + 1)) if self.word(end) == "-" else None
        if compound:
            return self.add(start, end + 2, "time", value * compound)
        if self._is_year(at, end, value):
            return self.add(start, end, "date", 0, day=(int(value), None, None))
        return self.add(start, end, "count", value)

    def _and_half(self, value: float, end: int) -> tuple[float, int]:
        """A number with `and a half` after it, if that stands there."""
        if tuple(self.lower[end : end + 3]) == ("and", "a", "half"):
            return value + 0.5, end + 3
        return (value + 0.5, end + 2) if tuple(self.lower[end : end + 2]) == ("i", "pół") else (value, end)

    def _unit(self, end: int) -> tuple[int, Meaning] | None:
        """The unit after a number; `a` is an article, and `12. roku` an ordinal in Polish."""
        dot = self.language == "pl" and self.word(end) == "." and self.word(end + 1) == "roku"
        at = end + (self.word(end) in _BETWEEN or dot)
        unit = self.match(at, self.lists.units)
        return None if unit and self.words[at].text == "a" else unit

    def _is_year(self, at: int, end: int, value: float) -> bool:
        """Whether four digits are a year: after a preposition, or with nothing counted after them."""
        digits = self.lower[at].isdigit() and end == at + 1
        near = (
            self.word(end) in ("roku", "rok", "r") or self.word(at - 1) in _YEAR_BEFORE or self.word(end) in _YEAR_AFTER
        )
        return digits and 1500 <= value <= 2100 and near

    def _measured(self, start: int, end: int, value: float, unit: Meaning) -> int:
        """A number with a unit; a number before it in a range gets the unit too."""
        dimension, factor = unit
        extra, end = self._and_half(0.0, end)
        value += extra
        between = "".join(self.lower[self.ended : start])
        if self.found and self.found[-1].dimension == "count" and between in RANGE:
            last = self.found[-1]
            self.found[-1] = replace(last, dimension=dimension, value=last.value * factor)
        before = self.word(start - 1)
        if dimension == "time" and before in ("every", "each", "co"):
            self.used.add(start - 1)
            return self.add(start, end, "rate", _DAY / (value * factor))
        working = any(word in _WORKING for word in self.lower[start:end])
        return self.add(start, end, dimension, value * factor, noun=_WORKING_DAYS if working else frozenset())

    def _times(self, start: int, end: int, value: float) -> int:
        """Twice a day, six times per week: a rate; or times alone."""
        rate = self.match(end, self.lists.rates)
        if value == 1 and self.word(end) in ("every", "each", "co"):
            self.used.update(range(start, end))
            return end
        if rate:
            return self.add(start, rate[0], "rate", value * _DAY / rate[1][1])
        return self.add(start, end, "times", value)

    def _rate(self, at: int) -> int | None:
        """Daily, every week, co kwartał, every Monday."""
        rate = self.match(at, self.lists.rates)
        if (
            rate
            and self.word(at) in ("a", "an")
            and (self.word(at - 1) in _WHOLE_BEFORE or self.word(rate[0]) == "and")
        ):
            rate = None
        if rate:
            return self.add(at, rate[0], "rate", _DAY / rate[1][1])
        if self.word(at) in _EVERY and self.match(at + 1, self.lists.weekdays):
            return self.add(at, at + 1, "rate", 1 / 7)
        return None

    def _bare(self, at: int) -> int | None:
        """An hour, na godzinę, 12-letni without digits: one unit."""
        compound = compound_time(self.word(at)) if self.language == "pl" else None
        if compound:
            return self.add(at, at + 1, "time", compound)
        if self.word(at - 1) not in _BARE.get(self.language, ()) and self.word(at) not in (
            "kwartał",
            "kwadrans",
            "fortnight",
        ):
            return None
        unit = self.match(at, self.lists.units)
        if (
            not unit
            or unit[1][0] not in ("time", "mass")
            or len(self.word(at)) < 3
            or self.word(at - 1) in ("the", "per")
            or self.word(at) == "second"
        ):
            return None
        return self._measured(at, unit[0], 1.0, unit[1])

    def _ordinal(self, at: int) -> int | None:
        ordinal = self.match(at, self.lists.ordinals)
        if ordinal:
            return self.add(at, ordinal[0], "ordinal", ordinal[1][1])
        return None

    def _share(self, at: int) -> int | None:
        """Half of, two thirds; double."""
        for table, dimension in ((self.lists.fractions, "share"), (self.lists.factors, "factor")):
            if found := self.match(at, table):
                return self.add(at, found[0], dimension, found[1][1])
        return None


@cache
def _openers(language: Language) -> frozenset[str]:
    return tables(language).openers | _EVERY | CURRENCIES.keys() | {"half"}


@lru_cache(maxsize=8_192)
def read_words(text: str, language: Language, signs: Language) -> tuple[tuple[Quantity, ...], frozenset[int]]:
    """The quantities of an English or Polish text, in order, and the places of the words that belong to them."""
    reader = NumberReader(text, language, signs)
    reader.read()
    return tuple(reader.found), frozenset(reader.used)
