"""Words of a question that say nothing about its topic, beside the function words, in three languages."""

import re
from functools import cache

from rag_variants.text.function_words import CHINESE_FUNCTION_WORDS, function_terms
from rag_variants.text.language import Language
from rag_variants.text.quantities.tables import tables
from rag_variants.text.terms import CJK, extract_terms

_ENGLISH = """
cannot kind let much many need often one please take type use used want yes long say mean get got give name
named called tell know hi hello pls thanks see go goes going went back soon far happen happens happened find
make makes made takes took put come comes came become became another now still ever one's sort currently
"""
_POLISH = """
chcę iść jeszcze każdy każda mamy mieć może mogę można musi muszę oznacza proszę znaczy nazywa nazwa czyli
chyba trzeba należy powinien powinna został została zostały zostało miał miała miały dzieje znajduje znajdują
występuje występują wynosi chodzi razem raz kilka ponownie obecnie sposób dostanę dostać wie stało trwa
"""
# Chinese has no blanks: these are cut out before the rest is read in pairs.
_CHINESE = """
多少钱 多长时间 多远 多高 多重 几天 几年 几月 几次 几点 几 哪一年 哪儿 哪位 哪家 哪种 哪支 哪两个
可不可以 要不要 可以 能否 以 以后 之后 以前 需要 应该 应当 叫做 称为 又叫 叫
"""
# Words that name a kind of quantity or date: the fact itself says them in its own way (`day`, `price`); so do months.
_MEASURES = {
    "en": """
day days week weeks month months year years hour hours minute minutes second seconds time times number amount
percent percentage cost costs price prices pay date
""",
    "pl": """
dzień dni tydzień tygodni miesiąc miesięcy miesiące rok roku lat lata godzin godziny minut minuty sekund czas czasu
czasie termin terminie procent liczba kosztuje koszt cena ceny zapłacę płaci data
""",
    "zh": """
时间 小时 分钟 价格 单价 费用 日期 数量 个月 多少
""",
}


@cache
def measure_terms(language: Language) -> frozenset[str]:
    """The terms that name a kind of quantity, rather than a topic."""
    months = " ".join(word for phrase in tables(language).months for word in phrase)
    return frozenset(extract_terms(f"{_MEASURES[language]} {months}", language))


@cache
def empty_terms(language: Language) -> frozenset[str]:
    """The terms that carry no topic in a language (for Chinese: of the English words in it)."""
    words = _POLISH if language == "pl" else _ENGLISH
    return function_terms(language) | frozenset(extract_terms(words, "pl" if language == "pl" else "en"))


@cache
def _chinese_empty() -> re.Pattern[str]:
    words = sorted({*CHINESE_FUNCTION_WORDS, *_CHINESE.split()}, key=lambda word: (-len(word), word))
    return re.compile("|".join(map(re.escape, words)))


_SINGLE = re.compile(f"[{CJK}a-z·]")


def topic_terms(text: str, language: Language) -> tuple[str, ...]:
    """The terms of a question that say what it is about, each once, in order."""
    if language == "zh":
        text = _chinese_empty().sub(" ", text)
    empty = empty_terms(language)
    terms = dict.fromkeys(extract_terms(text, language))
    return tuple(term for term in terms if term not in empty and not _SINGLE.fullmatch(term))
