"""A sentence with a number → the same sentence with another number, in the same format and unit."""

import re
from collections.abc import Callable
from random import Random

from rag_variants.text.language import LANGUAGES, Language
from rag_variants.text.quantities.read import read_quantities
from rag_variants.text.quantities.words import places

# Units that may stand right behind a number; behind any other letter it is part of a code such as `3G` or `14th`.
_UNITS = r"(?:kg|g|mm|cm|km|m|[kKMGT]B|V|W|m?Ah?|[kMG]?Hz|h|min|m?s|m?l)(?![A-Za-z0-9])"
# A number that counts or measures. Not what is part of a code, version, clock, date, range or reference: `ERR-4031`,
# `2.1.3`, `14:30`, `2024-03-15`, `2–4`, `§ 5`, `第3`, and no year.
_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_.,:/#§+–—-])(?<![§#第] )(?<![§第])"
    r"(?P<whole>\d{1,3}(?:[,\u00a0\u202f]\d{3})+(?!\d)|\d{1,3}(?: \d{3})+(?!\d)|\d{1,6})(?P<rest>[.,]\d{1,2})?"
    rf"(?![\d_:/#–—])(?! ?版)(?![.,]\d)(?!-[\dA-Za-z])(?:(?={_UNITS})|(?![A-Za-zÀ-ž]))"
)
# A year that counts nothing, a number that may be an ordinal (`12. `), and a Chinese day or label: 25日, 6号.
_YEAR_OR_ORDINAL = re.compile(
    r"\d{1,2}\. |\d{1,2} ?[日号](?!数)|(?<![\d.,])(?:19[5-9]|20[0-4])\d(?![\d,])"
    r"(?! ?(?:EUR|USD|PLN|GBP|zł|%|[€$£元欧条台]|pieces|readings|loggers))"
)
# Words that make a number the name of a thing instead of a quantity; hours, behind which minutes end at 59.
_NAMING = re.compile(
    r"(?:\b(?:no\.?|nr|number|section|chapter|page|step|level|class|annex|article|clause|version|port|part|line|figure"
    r"|table|form|room|gate|firmware|release|oprogramowani\w+|status|error|code|priority|ul\.|sekcj\w+|rozdzia\w+|stron\w|krok\w*|poziom\w*|klas\w|załącznik\w*|artyku\w+|wersj\w|port\w*|pkt"
    r"|punkt\w*|ust\.|art\.|tabel\w|pok\w+|附录|端口|固件|版本|步骤|等级|编号)[ :]?"
    r"|\d ?(?:h|hours?|godz\.?|godzin[ay]?|小时) ?)$",
    re.IGNORECASE,
)
_PERCENT = re.compile(r"\s?(?:%|percent|per cent|procent)")


def change_number(
    sentence: str, language: Language, random: Random, is_free: Callable[[str], bool] = lambda _: True
) -> str | None:
    """The sentence with one number changed, or None if it has none that can be.

    Format, unit and grammatical number stay, the value is another one by a fifth or more. `is_free` says whether a
    number may be used: one that stands in the source would be no clear fault.
    """
    dates = [match.span() for match in _YEAR_OR_ORDINAL.finditer(sentence)] + _dates(sentence)
    places = [match for match in _NUMBER.finditer(sentence) if _is_quantity(match, sentence, dates)]
    random.shuffle(places)
    for place in places:
        ceiling = 100 if _PERCENT.match(sentence, place.end()) else None
        values = [each for each in _other_values(place, language, ceiling) if is_free(each)]
        if values:
            return sentence[: place.start()] + random.choice(values) + sentence[place.end() :]
    return None


def _dates(sentence: str) -> list[tuple[int, int]]:
    """Where the sentence names dates and times of day, in whatever language."""
    back = places(sentence)
    read = (quantity for language in LANGUAGES for quantity in read_quantities(sentence, language))
    return [(back[one.start], back[one.end - 1] + 1) for one in read if one.dimension in ("date", "clock")]


def _is_quantity(match: "re.Match[str]", sentence: str, dates: list[tuple[int, int]]) -> bool:
    inside = any(start < match.end() and match.start() < end for start, end in dates)
    return not inside and not _NAMING.search(sentence[: match.start()])


def _other_values(match: "re.Match[str]", language: Language, ceiling: int | None) -> list[str]:
    """Other numbers as they would be written; none that would want another form of its noun."""
    whole, rest = match["whole"], match["rest"] or ""
    old = int(re.sub(r"\D", "", whole))
    if len(whole) > 1 and whole[0] == "0":
        return []
    step = 10 ** max(len(str(old)) - 2, 0)
    rounded = 10 ** (len(str(old)) - len(str(old).rstrip("0")))  # 600 becomes another hundred, 45 another number
    steps = (max(step, rounded) * times for times in (1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13))
    found = [value for each in steps for value in (old + each, old - each)]
    form = _form(old, rest, language)
    return [
        _written(value, whole) + rest
        for value in found
        if (0 if rest else 2) <= value <= 4 * max(old, 2)
        and abs(value - old) * 5 >= old
        and (ceiling is None or old > ceiling or value < ceiling)
        and _form(value, rest, language) == form
    ]


def _form(value: int, rest: str, language: Language) -> str:
    """Which form of a noun a number wants: one, a few (Polish 2–4), many."""
    if rest:
        return "part"
    if value == 1:
        return "one"
    few = language == "pl" and value % 10 in (2, 3, 4) and value % 100 not in (12, 13, 14)
    return "few" if few else "many"


def _written(value: int, like: str) -> str:
    """A number with the separators of another: `1,250` → `1,650`."""
    separator = re.search(r"\D", like)
    digits = str(value)
    if separator is None:
        return digits
    return f"{value:,}".replace(",", separator.group())
