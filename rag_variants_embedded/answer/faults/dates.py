"""A sentence with a date → the same sentence with another date that exists, in the same format."""

import re
from collections.abc import Callable
from datetime import date
from random import Random

from rag_variants.text.quantities.tables import month_names

# The months of English and Polish dates, each with its language's own.
_YEARS = (month_names("en"), month_names("pl"))
_MONTHS = {name.casefold(): number for names in _YEARS for number, name in enumerate(names, 1)}
_MONTH = "(?P<month>" + "|".join(_MONTHS) + ")"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
# The more a pattern reads, the earlier it stands. A year alone needs a word before or behind that makes it one.
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?<![\w.-]){_YEAR}-(?P<month>\d\d)-(?P<day>\d\d)(?![\w-])",
        rf"(?<![\d.])(?P<day>\d{{1,2}})\.(?P<month>\d{{1,2}})\.{_YEAR}(?!\d)",
        rf"(?<![\d.])(?P<day>\d{{1,2}}) {_MONTH}(?: {_YEAR})?(?!\w)",
        rf"(?<!\w){_MONTH} (?P<day>\d{{1,2}})(?:, {_YEAR})?(?![\w:])",
        rf"(?<!\d)(?:{_YEAR} ?年 ?)?(?P<month>\d{{1,2}}) ?月 ?(?P<day>\d{{1,2}}) ?[日号]",
        rf"(?<!\d){_YEAR} ?年(?: ?(?P<month>\d{{1,2}}) ?月(?!\d))?",
        rf"(?<!\w){_MONTH} {_YEAR}(?!\w)",
        rf"\b(?:in|since|until|from|of|by|before|after|w|od|do|po|przed|rok|roku|na rok) {_YEAR}(?![\w.,]*\d)(?!\w)",
    )
)
_WEEKDAY = re.compile(
    r"(?:day|poniedziałek|wtorek|środ[aęy]|czwartek|piątek|sobot[aęy]|niedziel[aęi]|星期.|周.)[ ,，]*$", re.IGNORECASE
)


def change_date(sentence: str, random: Random, is_free: Callable[[str], bool] = lambda _: True) -> str | None:
    """The sentence with one date changed to another that exists, or None if it has none that can be changed.

    One of day, month and year changes, its format stays. `is_free` says whether a date may be used: one that stands in
    the source would be no clear fault. A date behind the name of its weekday is left alone.
    """
    places = _places(sentence)
    random.shuffle(places)
    for place in places:
        dates = [other for other in _other_dates(place) if is_free(other)]
        if dates:
            return sentence[: place.start()] + random.choice(dates) + sentence[place.end() :]
    return None


def _places(sentence: str) -> list["re.Match[str]"]:
    """The dates of a sentence, none inside another."""
    found: list[re.Match[str]] = []
    for pattern in _PATTERNS:
        for match in pattern.finditer(sentence):
            clear = all(match.end() <= other.start() or other.end() <= match.start() for other in found)
            found += [match] if clear else []
    fitting = (match for match in found if _day_of(match, {}) and not _WEEKDAY.search(sentence[: match.start()]))
    return sorted(fitting, key=lambda match: match.start())


def _other_dates(match: "re.Match[str]") -> list[str]:
    """The date as it would be written with another day, month or year."""
    parts = _parts(match)
    changes = [("day", parts["day"] + by) for by in (-11, -8, -6, 4, 5, 9, 12)] if "day" in parts else []
    changes += [("month", (parts["month"] - 1 + by) % 12 + 1) for by in (2, 3, 5, 7, 10)] if "month" in parts else []
    changes += [("year", parts["year"] + by) for by in (-3, -2, 2, 3)] if "year" in parts else []
    return [_written(match, name, value) for name, value in changes if _day_of(match, {name: value}) is not None]


def _day_of(match: "re.Match[str]", changed: dict[str, int]) -> date | None:
    """The day that a match names with some parts changed, or None if no such day exists."""
    parts = {"year": 2024 if "year" not in _parts(match) else 0, "month": 1, "day": 1} | _parts(match) | changed
    try:
        return date(parts["year"], parts["month"], parts["day"])
    except ValueError:
        return None


def _parts(match: "re.Match[str]") -> dict[str, int]:
    given = {name: text for name, text in match.groupdict().items() if text is not None}
    return {name: int(text) if text.isdigit() else _MONTHS[text.casefold()] for name, text in given.items()}


def _written(match: "re.Match[str]", name: str, value: int) -> str:
    """The text of a match with one part written anew as the old one was: padded, or a month's name."""
    old = match[name]
    if old.isdigit():
        new = str(value).zfill(len(old)) if old.startswith("0") or name == "year" else str(value)
        if len(old) == 2 and _is_padded(match):
            new = str(value).zfill(2)
    else:
        new = next(names for names in _YEARS if old.casefold() in map(str.casefold, names))[value - 1]
    start, end = (at - match.start() for at in match.span(name))
    return match.group()[:start] + new + match.group()[end:]


def _is_padded(match: "re.Match[str]") -> bool:
    """Whether days and months have two digits: always behind a year (`2024-03-15`), else where one begins with 0."""
    parts = [match[name] for name in ("day", "month") if name in match.re.groupindex and match[name]]
    return (match.group()[:4].isdigit() and "-" in match.group()) or any(part.startswith("0") for part in parts)
