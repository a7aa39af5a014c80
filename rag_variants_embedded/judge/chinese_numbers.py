"""Numbers, dates, durations, times and frequencies of a Chinese text, in base units."""

import re
from dataclasses import replace
from functools import cache, lru_cache
from typing import cast

from rag_variants_embedded.judge.lexicon import lexicon
from rag_variants_embedded.judge.quantities import Bound, Quantity

_DAY = 86_400.0
_DIGITS = {character: value for value, character in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000}
_NUMBER = (
    r"(?:\d+(?:[,，]\d{3})*(?:\.\d+)?[百千万亿]*|[零〇一二两三四五六七八九十百千万亿]+(?:点[零一二三四五六七八九]+)?)"
)
_ONLY_BEFORE = ("超过", "满", "自", "从", "近", "至少", "最多")
_NOT = re.compile("(?:不|不能|不得|不可|不会|不应)$")
_TURNED: dict[str, Bound] = {"min": "max", "max": "min"}
_LATE = ("下午", "晚上", "傍晚", "夜里", "晚间")
# Words in which a numeral counts nothing.
_IDIOM = re.compile(r"一般|一起|一样|一致|一律|统一|一直|一旦|一定|唯一|万一|一些|第一时间|十分(?!钟|之)")


def chinese_number(text: str) -> float | None:
    """The value of a numeral such as 三十五, 一万二千, 3.5万 or 二〇一二, or None."""
    text = re.sub("[,，]", "", text)
    plain = re.fullmatch(r"(\d+(?:\.\d+)?)([百千万亿]*)", text)
    if plain:
        value = float(plain[1])
        for scale in plain[2]:
            value *= _SCALES[scale]
        return value
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
    return {"".join(phrase): meanings[0] for phrase, meanings in lexicon("zh").table("units").items()}


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    units = "|".join(sorted(map(re.escape, _units()), key=lambda unit: (-len(unit), unit)))
    times = "|".join(re.escape(unit) for unit, (kind, _) in sorted(_units().items()) if kind == "time")
    n = _NUMBER
    return tuple(
        (name, re.compile(pattern))
        for name, pattern in (
            (
                "date",
                rf"(?P<y>\d{{4}}|[零〇一二三四五六七八九]{{4}})年(?:(?P<m>{n})月)?(?:份|(?P<d>{n})[日号])?"
                rf"|(?P<m2>{n})月(?:份|(?P<d2>{n})[日号])?(?!.?个月)",
            ),
            ("iso", r"(?P<y>\d{4})-(?P<m>\d{2})-(?P<d>\d{2})"),
            (
                "clock",
                rf"(?P<h>{n})[点时](?!间)(?:(?P<half>半)|(?P<min>{n})分?(?!之))?钟?"
                r"|(?P<h2>\d{1,2})[:：](?P<min2>\d\d)",
            ),
            (
                "share",
                rf"百分之(?P<n>{n})|(?P<p>{n})%|(?P<q>{n})分之(?P<r>{n})"
                r"|(?P<half>一半|半数|半价|五折)|(?P<twice>翻倍|加倍|一倍|两倍|翻一番)",
            ),
            (
                "rate",
                rf"每(?P<n>{n}|半)?个?(?P<u>{times})(?:[^，。；、]{{0,6}}?(?P<t>{n})[次回遍])?"
                rf"|(?P<n2>一)个?(?P<u2>天|日|周|星期|个月|年|小时|分钟)(?=[^，。；、的]{{0,6}}(?:{n})[次回遍片粒])"
                rf"(?:[^，。；、的]{{0,6}}?(?P<t2>{n})[次回遍])?|(?P<named>季度|月度|年度)",
            ),
            ("label", rf"(?P<n>{n})号(?!码)"),
            ("ordinal", rf"第(?P<n>{n})(?P<u>{units})?"),
            ("half", rf"(?P<n>{n})?个?半个?(?P<u>小时|钟头|天|年|月|个月)|(?P<n2>{n})(?P<u2>年|天|个月)半"),
            ("amount", rf"(?P<n>{n})(?:(?:到|至|-|~|—|–)(?P<to>{n}))?\s*(?P<u>{units})?"),
        )
    )  # fmt: skip


@lru_cache(maxsize=32_768)
def read_chinese_numbers(text: str) -> tuple[Quantity, ...]:
    """The quantities of a Chinese text, in order; labels such as 三号 are left to the names."""
    found: list[Quantity] = []
    at = 0
    while at < len(text):
        idiom = _IDIOM.match(text, at)
        if idiom:
            at = idiom.end()
            continue
        for name, pattern in _patterns():
            match = pattern.match(text, at)
            if match and match.end() > at:
                made = _made(name, match, text)
                found.extend(made)
                if made or name == "label":
                    at = match.end()
                    break
        else:
            at += 1
    return tuple(found)


def _value(text: str | None) -> float | None:
    return 0.5 if text == "半" else chinese_number(text) if text else None


def _made(name: str, match: "re.Match[str]", text: str) -> list[Quantity]:
    """The quantities that a match of a pattern stands for."""
    group = match.groupdict()
    if name in ("date", "iso"):
        parts = (_value(group["y"]), _value(group["m"] or group.get("m2")), _value(group["d"] or group.get("d2")))
        if (parts[0] is None and (parts[1] or 0) > 12) or (parts[0] is not None and parts[0] < 1500):
            return []
        year, month, day = (None if part is None else int(part) for part in parts)
        return [_quantity("date", 0, match, text, day=(year, month, day))]
    if name == "clock":
        hour = _value(group["h"] or group["h2"]) or 0.0
        minute = 30 if group["half"] else _value(group["min"] or group["min2"]) or 0.0
        late = text[max(match.start() - 2, 0) : match.start()] in _LATE
        return (
            [_quantity("clock", (hour + (12 if late and hour < 12 else 0)) * 60 + minute, match, text)]
            if hour <= 24
            else []
        )
    if name == "share":
        if group["twice"]:
            return [_quantity("factor", 2, match, text)]
        below = _value(group["q"])
        share = (
            0.5
            if group["half"]
            else (_value(group["r"]) or 0) / below
            if below
            else (_value(group["n"] or group["p"]) or 0) / 100
        )
        return [_quantity("share", share, match, text)]
    if name == "rate":
        return [_rate(group, match, text)]
    if name == "label":
        return []
    return _amount(name, group, match, text)


def _rate(group: dict[str, str | None], match: "re.Match[str]", text: str) -> Quantity:
    if group["named"]:
        period = {"季度": 7_889_400.0, "月度": 2_629_800.0, "年度": 31_557_600.0}[group["named"]]
    else:
        period = _units()[group["u"] or group["u2"] or ""][1] * (_value(group["n"]) or 1)
    times = _value(group["t"] or group["t2"]) or 1
    # What is done each time stays readable: the span ends with the unit of time.
    head = match.end("u") if group["u"] else match.end("u2") if group["u2"] else match.end()
    return replace(_quantity("rate", times * _DAY / period, match, text), end=head)


def _amount(name: str, group: dict[str, str | None], match: "re.Match[str]", text: str) -> list[Quantity]:
    if name == "half":
        unit = (group["u"] or group["u2"] or "").removeprefix("个")
        unit = "个月" if unit == "月" else unit
        return [_quantity("time", ((_value(group["n"] or group["n2"]) or 0) + 0.5) * _units()[unit][1], match, text)]
    value = _value(group["n"])
    measure = group.get("u")
    if value is None:
        return []
    if name == "ordinal":
        return [_quantity("ordinal", value, match, text)]
    if measure is None and (group["n"] or "") in "一两零千万百":
        return []
    dimension, factor = _units()[measure] if measure else ("count", 1.0)
    noun = frozenset({f"unit:{measure}"} if measure and dimension == "count" else ())
    values = [value, *([_value(group["to"]) or 0.0] if group["to"] else [])]
    return [_quantity(dimension, each * factor, match, text, noun=noun) for each in values]


def _quantity(
    dimension: str, value: float, match: "re.Match[str]", text: str,
    noun: frozenset[str] = frozenset(), day: tuple[int | None, int | None, int | None] | None = None,
) -> Quantity:  # fmt: skip
    bound, start = _bound(match, text)
    return Quantity(dimension, value, start, match.end(), match.group(), bound, noun, day)


@cache
def _bound_words() -> tuple[tuple[str, Bound], ...]:
    words = {"".join(phrase): meanings[0][0] for phrase, meanings in lexicon("zh").bounds.items()}
    return tuple((word, cast(Bound, words[word])) for word in sorted(words, key=lambda word: (-len(word), word)))


def _bound(match: "re.Match[str]", text: str) -> tuple[Bound, int]:
    """The bound beside a number, and where the number begins with a negation that turns the bound."""
    before, after = text[max(match.start() - 8, 0) : match.start()], text[match.end() : match.end() + 4]
    for word, bound in _bound_words():
        if before.endswith(word):
            negation = _NOT.search(before.removesuffix(word))
            if bound in _TURNED and negation:
                return _TURNED[bound], match.start() - len(before) + negation.start()
            return bound, match.start()
        if after.startswith(word) and word not in _ONLY_BEFORE:
            return bound, match.start()
    return "", match.start()
