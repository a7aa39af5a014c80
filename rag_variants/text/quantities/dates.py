"""Dates and times of day in an English or Polish text."""

import re
from datetime import date
from functools import lru_cache

from rag_variants.text.language import Language
from rag_variants.text.quantities.quantity import Day
from rag_variants.text.quantities.word_reader import RANGE, WordReader


class DateReader(WordReader):
    """Reads what is a date or a time of day at a place; each method gives where it ends, or None."""

    def _written(self, at: int) -> int | None:
        """Dates and times that stand in digits: 2021-06-03, 3.06.2021, 14:30, 3 pm."""
        word = self.words[at]
        if word.kind == "isodate":
            day = written_day(word.text, self.signs)
            return self.add(at, at + 1, "date", 0, day=day) if day else None
        if word.kind == "clock":
            hour, minute = map(int, word.text.split(":"))
            return self._clock(at, at + 1, hour, minute) if hour <= 24 and minute <= 59 else None
        if word.kind == "number" and re.fullmatch(r"\d{1,2}(\.[0-5]\d)?", word.text):
            hours, _, minutes = word.text.partition(".")
            oclock = self.word(at + 1) == "o'clock"
            if oclock or self._names_time(at, int(hours)):
                return self._clock(at, at + 1 + oclock, int(hours), int(minutes or 0))
        return None

    def _clock(self, at: int, end: int, hour: int, minute: int) -> int:
        """Keeps a time of day, with the half of the day behind it and the word for the hour before it."""
        end, shift = self._half_of_day(end, hour)
        start = self._hour_word(at)
        return self.add(at if start is None else start, end, "clock", (hour + shift) * 60 + minute)

    def _names_time(self, at: int, hour: int) -> bool:
        """Whether a number such as `9` or `9.30` is a time of day: by what stands beside it."""
        if self._half_of_day(at + 1, hour)[0] > at + 1:
            return True
        if self.language == "pl" and not self.match(at + 1, self.lists.units):
            return self._hour_word(at) is not None or self._in_hours(at)
        ends = self.word(at + 1) in (".", ",", "", "on", "and", "in")
        return self.word(at - 1) == "at" and ends and not self.match(at + 1, self.lists.units)

    def _hour_word(self, at: int) -> int | None:
        """Where `godzinie` or `godz.` stands before; not the hours of a duration, as in `2 godz. 30 minut`."""
        before = at - 1 - (self.word(at - 1) == "." and self.word(at - 2) == "godz")
        named = self.word(before) in ("godzinie", "godz", "godzinach", "godzina", "godziny", "godzinę")
        counted = before > 0 and self.words[before - 1].kind == "number"
        return before if self.language == "pl" and named and not counted and before >= self.ended else None

    def _in_hours(self, at: int) -> bool:
        near = self.lower[max(at - 5, 0) : at]
        return "godzinach" in near and all(
            word in RANGE | {"od", "godzinach"} or word.isdigit() for word in near[near.index("godzinach") :]
        )

    def _half_of_day(self, at: int, hour: int) -> tuple[int, int]:
        """Where `a.m.` or `pm` ends, and the hours that it adds."""
        letters = "".join(self.lower[at : at + 4])
        for mark, late in (("a.m.", False), ("p.m.", True)):
            if letters.startswith(mark):
                return at + 4, _shift(hour, late)
        if self.word(at) in ("am", "pm"):
            return at + 1, _shift(hour, self.word(at) == "pm")
        if self.word(at) == "noon" and hour == 12:
            return at + 1, 0
        return at, 0

    def _month(self, at: int) -> int | None:
        """15 May 2021, May 15, March 2004, 10 października."""
        day, end = None, at
        if self.words[at].kind == "number" and self.lower[at].isdigit() and int(self.lower[at]) <= 31:
            day, end = int(self.lower[at]), at + 1 + (self.word(at + 1) in ("th", "st", "nd", "rd"))
            end += self.word(end) == "of"
        elif (ordinal := self.match(at, self.lists.ordinals)) and self.word(ordinal[0]) in ("of", "day"):
            day, end = int(ordinal[1][1]), ordinal[0] + 1
        month = self.match(end, self.lists.months)
        if not month or (self.word(end) == "may" and day is None and not self.words[end].text[0].isupper()):
            return None
        end, number = month[0], int(month[1][1])
        if self.language == "en" and self.words[end - 1].text[0].islower():
            return None
        if day is None and self.word(end).isdigit() and int(self.word(end)) <= 31 and self.language == "en":
            day, end = int(self.word(end)), end + 1
            end += self.word(end) in ("th", "st", "nd", "rd")
        skip = end + (self.word(end) in (",", "of"))
        year = int(self.word(skip)) if re.fullmatch(r"1[5-9]\d\d|20\d\d", self.word(skip)) else None
        end = skip + 1 if year else end
        end += self.word(end) == "roku"
        return self.add(at, end, "date", 0, day=(year, number, day))


@lru_cache(maxsize=4_096)
def written_day(text: str, language: Language) -> Day | None:
    """The day that digits name, or None if there is no such day or it cannot be told which one is meant.

    A year of four digits comes first or last. With `.`, and in Polish, the day stands before the month; with `/` in
    English either may, so that `3/1/2026` names no day, while `13/1/2026` and `1/13/2026` do.
    """
    parts = [int(part) for part in re.split(r"[-./]", text)]
    year, month, day = parts if parts[0] > 31 else reversed(parts)
    if "/" in text and parts[0] <= 31 and language != "pl" and day != month:
        if max(day, month) <= 12:
            return None
        day, month = max(day, month), min(day, month)
    try:
        date(year, month, day)
    except ValueError:
        return None
    return year, month, day


def _shift(hour: int, late: bool) -> int:
    return 12 if late and hour < 12 else -12 if not late and hour == 12 else 0
