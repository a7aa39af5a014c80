"""Numbers, dates, durations, times and frequencies of a Chinese text, in base units."""

import re
from dataclasses import replace
from functools import cache, lru_cache
from math import prod

from rag_variants.text.quantities.quantity import Day, Quantity
from rag_variants.text.quantities.tables import tables
from rag_variants.text.quantities.words import CURRENCIES, CURRENCY_CODES, to_number
from rag_variants.text.terms import normalize

Groups = dict[str, str | None]

_DAY = 86_400.0
_DIGITS = {character: value for value, character in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000}
NUMERALS = "零〇一二两三四五六七八九十百千万亿"
_NUMBER = (
    r"(?:(?:\d{1,3}(?:[, ]\d{3})+(?!\d)|\d+)(?:\.\d+)?[百千万亿]*"
    rf"|[{NUMERALS}]+(?:点[零一二三四五六七八九]+)?)"
)
# A minus joins no two things: `是-5 °C`, not `3-5`, `W-5`.
_SIGN = r"(?:(?<![0-9a-z)%°,:])(?<!\d )[-\u2212+](?=\d))?"
# What a quantity may begin with.
_OPENERS = frozenset(f"0123456789{NUMERALS}-+\u2212百每第半翻加个季月年€$£¥eugpcrz下晚傍夜上早清凌中")
_LATE = ("下午", "晚上", "傍晚", "夜里", "晚间")
_EARLY = ("上午", "早上", "早晨", "清晨", "凌晨", "中午")
# Latin letters with digits behind them are a code, not a number.
_CODE = re.compile(
    rf"(?<![0-9a-z])(?!(?:{'|'.join(CURRENCY_CODES)})\d)[a-z]+(?:[-_.:/+]?[a-z]+)*[-_.:/+]?\d[a-z0-9]*(?:[-_.:/+@][a-z0-9]+)*"
)
# Words in which a numeral counts nothing.
_IDIOM = re.compile(r"一般|一起|一样|一致|一律|统一|一直|一旦|一定|唯一|万一|一些|第一时间|十分(?!钟|之)")


def chinese_number(text: str) -> float | None:
    """The value of a numeral such as 三十五, 一万二千, 3.5万 or 二〇一二, or None."""
    plain = re.fullmatch(r"([-\u2212+]?\d[\d., ]*)([百千万亿]*)", text)
    if plain:
        value = to_number(plain[1], "zh")
        return None if value is None else value * prod(_SCALES[scale] for scale in plain[2])
    whole, _, decimals = text.partition("点")
    if len(whole) > 1 and all(character in _DIGITS for character in whole):
        return float("".join(str(_DIGITS[character]) for character in whole))
    total = section = digit = 0.0
    for character in whole:
        if character in _DIGITS:
            digit = _DIGITS[character]
        elif character in ("万", "亿"):
            total, section, digit = (total + section + digit) * _SCALES[character], 0.0, 0.0
        elif character in _SCALES:
            section, digit = section + (digit or 1.0) * _SCALES[character], 0.0
        else:
            return None
    fraction = "".join(str(_DIGITS[character]) for character in decimals)
    return total + section + digit + (float(f"0.{fraction}") if fraction else 0.0)


@cache
def _units() -> dict[str, tuple[str, float]]:
    return {"".join(phrase): meaning for phrase, meaning in tables("zh").units.items()}


def _words(name: str) -> str:
    """A pattern of the words in one list, longest first."""
    words = {"".join(phrase) for phrase in getattr(tables("zh"), name)}
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    units = "|".join(
        re.escape(unit) + ("(?![a-z])" if unit[-1].isascii() and unit[-1].isalpha() else "")
        for unit in sorted(_units(), key=lambda unit: (-len(unit), unit))
    )
    times = "|".join(re.escape(unit) for unit, (kind, _) in sorted(_units().items()) if kind == "time")
    n = _NUMBER
    return tuple(
        (name, re.compile(pattern))
        for name, pattern in (
            (
                "date",
                rf"(?P<y>\d{{4}}|[零〇一二三四五六七八九]{{4}}) ?年(?: ?(?P<m>{n}) ?月)?(?:份| ?(?P<d>{n}) ?[日号])?"
                rf"|(?P<m2>{n}) ?月(?:份| ?(?P<d2>{n}) ?[日号])?(?!.?个月)",
            ),
            ("iso", r"(?P<y>\d{4})(?P<j>[-/])(?P<m>\d{1,2})(?P=j)(?P<d>\d{1,2})(?![\d/-])"),
            (
                "clock",
                rf"(?P<half_day>{'|'.join((*_LATE, *_EARLY))})? ?(?:(?P<h>{n}) ?[点时](?!间)"
                rf"(?:(?P<half>半)|(?P<quarter>[一三])刻|(?P<min>{n})分?(?!之))?钟?|(?P<h2>\d{{1,2}}):(?P<min2>\d\d))",
            ),
            ("money", rf"(?P<c>{'|'.join(map(re.escape, CURRENCIES))}) ?(?P<n>{n})"),
            (
                "share",
                rf"百分之(?P<n>{n})|(?P<p>{n}) ?%|(?P<q>{n})分之(?P<r>{n})"
                rf"|(?P<part>{_words('fractions')})|(?P<factor>{_words('factors')})",
            ),
            (
                "rate",
                rf"每(?P<n>{n}|半)?个?(?P<u>{times})(?:[^，。；、]{{0,6}}?(?P<t>{n})[次回遍])?"
                rf"|(?P<n2>一)个?(?P<u2>天|日|周|星期|个月|年|小时|分钟)(?=[^，。；、的]{{0,6}}(?:{n})[次回遍片粒])"
                rf"(?:[^，。；、的]{{0,6}}?(?P<t2>{n})[次回遍])?|(?P<named>{_words('rates')})",
            ),
            ("label", rf"(?P<n>{n})号(?!码)"),
            ("ordinal", rf"第(?P<n>{n})(?P<u>{units})?"),
            ("half", rf"(?P<n>{n})?个?半个?(?P<u>小时|钟头|天|年|月|个月)|(?P<n2>{n})(?P<u2>年|天|个月)半"),
            ("amount", rf"(?P<n>{_SIGN}{n})(?:(?:到|至|-|~|—|–)(?P<to>{n}))?\s*(?P<u>{units})?"),
        )
    )  # fmt: skip


@lru_cache(maxsize=32_768)
def read_characters(text: str) -> tuple[Quantity, ...]:
    """The quantities of a Chinese text, in order; labels such as 三号 are left to the names.

    Places count characters of the normalized text (`terms.normalize`).
    """
    text = normalize(text)
    found: list[Quantity] = []
    at = 0
    while at < len(text):
        passed = _IDIOM.match(text, at) or _CODE.match(text, at)
        if passed:
            at = passed.end()
        elif text[at] in _OPENERS:
            at = _read_at(text, at, found)
        else:
            at += 1
    return tuple(found)


def _read_at(text: str, at: int, found: list[Quantity]) -> int:
    """Adds the quantities that begin at a place; returns where to read on."""
    for name, pattern in _patterns():
        match = pattern.match(text, at)
        if match and match.end() > at:
            made = _made(name, match)
            found.extend(made)
            if made or name == "label":
                return match.end()
    return at + 1


def _value(text: str | None) -> float | None:
    return 0.5 if text == "半" else chinese_number(text) if text else None


def _made(name: str, match: "re.Match[str]") -> list[Quantity]:
    """The quantities that a match of a pattern stands for."""
    group = match.groupdict()
    if name in ("date", "iso"):
        return _date(group, match)
    if name == "clock":
        return _clock(group, match)
    if name == "money":
        return [_quantity(CURRENCIES[group["c"] or ""], _value(group["n"]) or 0.0, match)]
    if name == "share":
        return [_share(group, match)]
    if name == "rate":
        return [_rate(group, match)]
    if name == "label":
        return []
    return _amount(name, group, match)


def _date(group: Groups, match: "re.Match[str]") -> list[Quantity]:
    parts = (_value(group["y"]), _value(group["m"] or group.get("m2")), _value(group["d"] or group.get("d2")))
    if (parts[1] or 1) > 12 or (parts[2] or 1) > 31 or (parts[0] is not None and parts[0] < 1500):
        return []
    year, month, day = (None if part is None else int(part) for part in parts)
    return [_quantity("date", 0, match, day=(year, month, day))]


def _clock(group: Groups, match: "re.Match[str]") -> list[Quantity]:
    hour = _value(group["h"] or group["h2"]) or 0.0
    quarters = 2.0 if group["half"] else _value(group["quarter"]) or 0.0
    minute = quarters * 15 or _value(group["min"] or group["min2"]) or 0.0
    late = group["half_day"] in _LATE or (group["half_day"] == "中午" and hour < 3)
    if hour > 24 or minute > 59:
        return []
    return [_quantity("clock", (hour + (12 if late and hour < 12 else 0)) * 60 + minute, match)]


def _share(group: Groups, match: "re.Match[str]") -> Quantity:
    if group["factor"]:
        return _quantity("factor", tables("zh").factors[tuple(group["factor"])][1], match)
    if group["part"]:
        return _quantity("share", tables("zh").fractions[tuple(group["part"])][1], match)
    below = _value(group["q"])
    share = (_value(group["r"]) or 0) / below if below else (_value(group["n"] or group["p"]) or 0) / 100
    return _quantity("share", share, match)


def _rate(group: Groups, match: "re.Match[str]") -> Quantity:
    if group["named"]:
        period = tables("zh").rates[tuple(group["named"])][1]
    else:
        period = _units()[group["u"] or group["u2"] or ""][1] * (_value(group["n"]) or 1)
    times = _value(group["t"] or group["t2"]) or 1
    # What is done each time stays readable: the span ends with the unit of time.
    head = match.end("u") if group["u"] else match.end("u2") if group["u2"] else match.end()
    return replace(_quantity("rate", times * _DAY / period, match), end=head)


def _amount(name: str, group: Groups, match: "re.Match[str]") -> list[Quantity]:
    if name == "half":
        unit = (group["u"] or group["u2"] or "").removeprefix("个")
        unit = "个月" if unit == "月" else unit
        return [_quantity("time", ((_value(group["n"] or group["n2"]) or 0) + 0.5) * _units()[unit][1], match)]
    value = _value(group["n"])
    measure = group.get("u")
    if value is None:
        return []
    if name == "ordinal":
        return [_quantity("ordinal", value, match)]
    if measure is None and (group["n"] or "") in "一两零千万百":
        return []
    dimension, factor = _units()[measure] if measure else ("count", 1.0)
    noun = frozenset({f"unit:{measure}"} if measure and dimension == "count" else ())
    values = [value, *([_value(group["to"]) or 0.0] if group["to"] else [])]
    return [_quantity(dimension, each * factor, match, noun=noun) for each in values]


def _quantity(
    dimension: str, value: float, match: "re.Match[str]",
    noun: frozenset[str] = frozenset(), day: Day | None = None,
) -> Quantity:  # fmt: skip
    return Quantity(dimension, value, match.start(), match.end(), match.group(), noun, day)
