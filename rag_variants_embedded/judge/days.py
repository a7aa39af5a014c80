"""Days of the week: opened Tuesday to Sunday is closed on Monday."""

import re

from rag_variants.text.quantities.tables import tables
from rag_variants_embedded.judge.read_sentence import CHINESE_DAY, CHINESE_DAYS, ReadSentence

_RANGE = re.compile(r"^\s*(?:to|through|till|until|do|–|-|至|到)\s*$")
_WORD = re.compile(r"[^\W\d_]+")
_EXCEPT = re.compile(r"\b(?:except|oprócz|poza|z wyjątkiem|apart from|other than)\b|除")
_WEEK = frozenset(range(1, 8))


def _named(reading: ReadSentence) -> list[tuple[int, int, int]]:
    """(day, start, end) for each day that a sentence names."""
    if reading.language == "zh":
        return [(CHINESE_DAYS[m[1]], m.start(), m.end()) for m in CHINESE_DAY.finditer(reading.text)]
    table = tables(reading.language).weekdays
    found = []
    for match in _WORD.finditer(reading.text):
        if day := table.get((match.group(),)):
            found.append((int(day[1]), match.start(), match.end()))
    return found


def days_of(reading: ReadSentence) -> frozenset[int]:
    """The days (Monday is 1) that a sentence speaks of: ranges filled, exceptions taken away."""
    named = _named(reading)
    found: set[int] = set()
    for at, (day, start, _) in enumerate(named):
        found.add(day)
        if at and _RANGE.match(reading.text[named[at - 1][2] : start]):
            first = named[at - 1][0]
            found.update((first + step - 1) % 7 + 1 for step in range((day - first) % 7 + 1))
    if named and _EXCEPT.search(reading.text[: named[0][1]]):
        return _WEEK - found
    return frozenset(found)


def days_differ(statement: ReadSentence, evidence: ReadSentence) -> tuple[str | None, bool]:
    """The veto if the days differ; or whether the statement speaks of the days outside those of the text.

    Outside, what the text says of its days is turned: only opening and closing is taken to hold for all others.
    """
    said, read = days_of(statement), days_of(evidence)
    if not said or not read or said & read:
        return None, False
    axes = {axis[:-1] for token in statement.signs for axis in token.axes}
    shared = axes & {axis[:-1] for token in evidence.signs for axis in token.axes}
    if shared and len(read) > 1:
        return None, True
    return "date: the statement and the text name different days", False
