"""Polish durations in one word: `dwutygodniowy`, `półroczny`, and the second half of `14-dniowy`."""

import re

_DAY = 86_400.0
_UNITS = {
    "sekundow": 1.0, "minutow": 60.0, "godzinn": 3600.0, "dniow": _DAY, "dobow": _DAY, "tygodniow": 7 * _DAY,
    "miesięczn": 2_629_800.0, "letni": 31_557_600.0, "roczn": 31_557_600.0, "kwartaln": 7_889_400.0,
}  # fmt: skip
_MANY = {
    "pół": 0.5, "jedno": 1, "dwu": 2, "trzy": 3, "cztero": 4, "pięcio": 5, "sześcio": 6, "siedmio": 7, "ośmio": 8,
    "dziewięcio": 9, "dziesięcio": 10,
}  # fmt: skip
_WORD = re.compile(rf"(?P<many>{'|'.join(_MANY)})?(?P<unit>{'|'.join(_UNITS)})\w{{0,3}}")
# Forms of `summer`, not of years.
_SUMMER = ("letni", "letnie", "letnia")


def may_be_compound(word: str) -> bool:
    """Whether a word begins like one of these, seen cheaply."""
    return _WORD.match(word) is not None


def compound_unit(word: str) -> float | None:
    """The seconds of the unit that `dniowy` names behind a number, or None."""
    match = _WORD.fullmatch(word)
    return _UNITS[match["unit"]] if match else None


def compound_time(word: str) -> float | None:
    """The seconds that the whole word says, or None; without its number only `godzinny` says one."""
    match = _WORD.fullmatch(word)
    if match is None or word in _SUMMER or not (match["many"] or match["unit"] in ("godzinn", "letni")):
        return None
    return _MANY.get(match["many"] or "", 1) * _UNITS[match["unit"]]
