"""Dates and times of day in an English or Polish text."""

import re

from rag_variants_embedded.judge.word_reader import RANGE, WordReader


class DateReader(WordReader):
    """Reads what is a date or a time of day at a place; each method gives where it ends, or None."""

    def _written(self, at: int) -> int | None:
        """Dates and times that stand in digits: 2021-06-03, 3.06.2021, 14:30, 3 pm."""
        word = self.words[at]
        if word.kind == "isodate":
            parts = [int(part) for part in re.split(r"[-./]", word.text)]
            year, month, day = parts if parts[0] > 31 else reversed(parts)
            return self.add(at, at + 1, "date", 0, day=(year, month, day))
        if word.kind == "clock":
            hour, minute = map(int, word.text.split(":"))
            end, shift = self._half_of_day(at + 1, hour)
            return self.add(at, end, "clock", (hour + shift) * 60 + minute)
        if word.kind == "number" and re.fullmatch(r"\d{1,2}(\.\d\d)?", word.text):
            end, shift = self._half_of_day(at + 1, int(word.text.split(".")[0]))
            clock = end > at + 1
            if not clock and self.language == "pl":
                clock = self.word(at - 1) in ("godzinie", "godz", "godzinach") or self._in_hours(at)
            if not clock and self.word(at - 1) == "at":
                clock = not self.match(at + 1, self.lists.table("units")) and self.word(at + 1) in (
                    ".",
                    ",",
                    "",
                    "on",
                    "and",
                    "in",
                )
            if clock or self.word(at + 1) == "o'clock":
                hours, _, minutes = word.text.partition(".")
                return self.add(
                    at,
                    max(end, at + 1 + (self.word(at + 1) == "o'clock")),
                    "clock",
                    (int(hours) + shift) * 60 + int(minutes or 0),
                )
        return None

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
            day, end = int(self.lower[at]), at + 1 + (self.word(at + 1) in ("th", "st", "nd", "rd", "of"))
        elif (ordinal := self.match(at, self.lists.table("ordinals"))) and self.word(ordinal[0]) in ("of", "day"):
            day, end = int(ordinal[1][0][1]), ordinal[0] + 1
        month = self.match(end, self.lists.table("months"))
        if not month or (self.word(end) == "may" and day is None and not self.words[end].text[0].isupper()):
            return None
        end, number = month[0], int(month[1][0][1])
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


def _shift(hour: int, late: bool) -> int:
    return 12 if late and hour < 12 else -12 if not late and hour == 12 else 0
