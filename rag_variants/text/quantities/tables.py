"""What number words and units mean, by language: CLDR's names (by babel) and the spellings listed beside this file."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from rag_variants.text.language import LANGUAGES, Language
from rag_variants.text.quantities.words import split_words
from rag_variants.text.terms import normalize

Phrase = tuple[str, ...]
Meaning = tuple[str, float]
# CLDR's locales of a language, with the spellings of both sides of the Atlantic.
_LOCALES: Mapping[Language, tuple[str, ...]] = {"en": ("en", "en_GB"), "pl": ("pl",), "zh": ("zh",)}
_LISTS = ("numbers", "scales", "ordinals", "times", "fractions", "factors", "rates", "months", "weekdays")
# Numbers that between them take every form of a noun: one, a few, many, a part.
_FORMS = (1, 2, 5, 1.5)


class Table(dict[Phrase, Meaning]):
    """Phrase → dimension and value. Phrases are tuples of words, of characters in Chinese."""

    def __init__(self, entries: Iterator[tuple[Phrase, Meaning]]) -> None:
        super().__init__()
        for phrase, meaning in entries:
            self.setdefault(phrase, meaning)
        self.sizes: dict[str, tuple[int, ...]] = {}
        for phrase in self:
            sizes = {*self.sizes.get(phrase[0], ()), len(phrase)}
            self.sizes[phrase[0]] = tuple(sorted(sizes, reverse=True))


@dataclass(frozen=True)
class Tables:
    """The words of a language that quantities are made of."""

    numbers: Table
    scales: Table
    ordinals: Table
    times: Table
    fractions: Table
    factors: Table
    rates: Table
    months: Table
    weekdays: Table
    units: Table

    @property
    def openers(self) -> frozenset[str]:
        """The words that a quantity may begin with."""
        return frozenset(word for name in (*_LISTS, "units") for word in getattr(self, name).sizes)


@cache
def tables(language: Language) -> Tables:
    """The tables of a language."""
    listed = {name: list(_listed(language, name)) for name in _LISTS}
    names = {"months": _months(language), "weekdays": _weekdays(language)}
    made = {name: Table(iter([*names.get(name, ()), *listed[name]])) for name in _LISTS}
    return Tables(**made, units=Table(_units(language)))


@cache
def month_names(language: Language) -> tuple[str, ...]:
    """The twelve months as a date writes them, January first: `stycznia` in Polish."""
    from babel.dates import get_month_names

    return tuple(get_month_names("wide", "format", language)[number] for number in range(1, 13))


@cache
def spellings(list_name: str, *dimensions: str) -> tuple[str, ...]:
    """Every spelling in a list, over all languages, longest first; of these dimensions where any are given."""
    found = {
        ("" if language == "zh" else " ").join(phrase)
        for language in LANGUAGES
        for phrase, (dimension, _) in getattr(tables(language), list_name).items()
        if not dimensions or dimension in dimensions
    }
    return tuple(sorted(found, key=lambda spelling: (-len(spelling), spelling)))


def _phrase(text: str, language: Language) -> Phrase:
    if language == "zh":
        return tuple(normalize(text.strip()))
    return tuple(word.text for word in split_words(normalize(text)) if word.text != "-")


def _lines(name: str) -> Iterator[str]:
    text = files(__package__).joinpath(f"{name}.txt").read_text(encoding="utf-8")
    return (line for line in text.splitlines() if line and not line.startswith("#"))


def _listed(language: Language, wanted: str) -> Iterator[tuple[Phrase, Meaning]]:
    """What the language's own file says in one of its lists: lines such as `12: twelve, dozen`."""
    name = ""
    for line in _lines(language):
        if line.startswith("["):
            name = line.strip("[]")
        elif name == wanted:
            value, _, items = line.partition(":")
            yield from ((_phrase(item, language), (name, float(value))) for item in items.split(","))


def _units(language: Language) -> Iterator[tuple[Phrase, Meaning]]:
    for line in _lines("units"):
        head, *spelt = line.split(";")
        dimension, size, cldr = head.split()
        own = (part.partition(":")[2] for part in spelt if part.split(":")[0].strip() == language)
        names = [*(_unit_names(cldr, language) if cldr != "-" else ()), *(n for part in own for n in part.split(","))]
        yield from ((_phrase(name, language), (dimension, float(size))) for name in names)


def _unit_names(cldr: str, language: Language) -> Iterator[str]:
    """The full name of a unit in each of its forms."""
    from babel.numbers import format_decimal
    from babel.units import format_unit

    for locale in _LOCALES[language]:
        for number in _FORMS:
            written = format_decimal(number, locale=locale)
            yield format_unit(number, cldr, "long", locale=locale).replace(written, "").strip()


def _months(language: Language) -> Iterator[tuple[Phrase, Meaning]]:
    from babel.dates import get_month_names

    # Polish abbreviations are words of their own (`lis` is a fox), so only English is read by them.
    for locale in _LOCALES[language]:
        lists = [get_month_names("wide", "format", locale), get_month_names("wide", "stand-alone", locale)]
        lists += [get_month_names("abbreviated", "format", locale)] if language == "en" else []
        for number, name in (entry for names in lists for entry in names.items()):
            yield _phrase(name, language), ("months", float(number))


def _weekdays(language: Language) -> Iterator[tuple[Phrase, Meaning]]:
    from babel.dates import get_day_names

    for number, name in get_day_names("wide", "format", _LOCALES[language][0]).items():
        yield _phrase(name, language), ("weekdays", number + 1.0)
