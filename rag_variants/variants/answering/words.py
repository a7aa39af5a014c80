"""Words that ask or bind and say nothing about the topic, in three languages."""

import re
from functools import cache

from rag_variants.knowledge.language import Language
from rag_variants.knowledge.terms import CJK, extract_terms

_ENGLISH = """
a about after again all also am an and any are as at be been before being between both but by can cannot could did
do does doing during each else for from had has have having he her here hers him his how i if in into is it its
itself just kind let may me might mine more most much many must my need no nor not of off often on once one only or
other our ours out over own please per same shall she should so some such take than that the their theirs them then
there these they this those through to too type under until up upon us use used very want was we were what when
where which while who whom whose why will with within would yes you your yours many long say does mean get got give
name named called tell know hi hello pls thanks see go goes going went back soon far happen happens happened find
make makes made take takes took put come comes came become became another now still ever one's kind sort currently
"""
_POLISH = """
a aby albo ale ani bez być był była było były będzie będą bo by bym chcę ci co coś czego czemu czy czym czyj czyja
czyje dla do dlaczego gdy gdzie go i ich ile ilu im inne inny iść ja jak jaka jaką jakie jakiego jakiej jakim jakimi
jakich jakiemu jako jacy jaki jakieś je jego jej jemu jest jestem jeszcze jeśli już każdy każda kiedy kim kogo komu
kto która które którego której którą który którym których którzy lub ma mają mam mamy mi mieć mnie moja moje mój
może mogę można mu musi muszę my na nad nam nas nasz nasza nie niego niej nich nim nimi o od oraz oznacza po pod
podczas poza ponad przed przez przy proszę są się skąd swoje swój ta tak taki taka takie tam te tego tej tę temu ten
to tu ty tych tylko tym u w we wam was wasz wy z za ze że znaczy nazywa nazwa czyli chyba trzeba należy powinien
powinna został została zostały zostało miał miała miały dzieje znajduje znajdują występuje występują wynosi chodzi
razem raz kilka ponownie obecnie sposób dostanę dostać wie stało trwa
"""
# Chinese has no blanks: these are cut out before the rest is read in pairs.
_CHINESE = """
请问 什么时候 什么样 什么 多少钱 多少 多长时间 多长 多久 多大 多远 多高 多重 几个 几天 几年 几月 几次 几点 几 哪一个
哪一年 哪一 哪个 哪些 哪里 哪儿 哪位 哪家 哪种 哪支 哪两个 哪 怎么样 怎么办 怎么 怎样 如何 为什么 为何 是否 能不能
会不会 可不可以 有没有 是不是 要不要 可以 能否 谁 吗 呢 呀 啊 吧 的 了 着 是 有 在 和 与 及 或 还 也 都 就 被 把 由
从 到 对 给 让 于 以 以后 之后 以前 我们 我 你们 你 他们 他 她 它 这个 这 那个 那 需要 应该 应当 叫做 称为 又叫 叫
"""
# Words that name a kind of quantity or date: the fact itself says them in its own way (`day`, `price`, `March`).
_MEASURES = {
    "en": """
day days week weeks month months year years hour hours minute minutes second seconds time times number amount
percent percentage cost costs price prices pay date january february march april may june july august september
october november december
""",
    "pl": """
dzień dni tydzień tygodni miesiąc miesięcy miesiące rok roku lat lata godzin godziny minut minuty sekund czas czasu
czasie termin terminie procent liczba kosztuje koszt cena ceny zapłacę płaci data styczniu lutym marcu kwietniu maju
czerwcu lipcu sierpniu wrześniu październiku listopadzie grudniu stycznia lutego marca kwietnia maja czerwca lipca
sierpnia września października listopada grudnia
""",
    "zh": """
时间 小时 分钟 价格 单价 费用 日期 数量 个月 多少
""",
}


@cache
def measure_terms(language: Language) -> frozenset[str]:
    """The terms that name a kind of quantity, rather than a topic."""
    return frozenset(extract_terms(_MEASURES[language], language))


@cache
def empty_terms(language: Language) -> frozenset[str]:
    """The terms that carry no topic in a language (for Chinese: of the English words in it)."""
    words = _POLISH if language == "pl" else _ENGLISH
    return frozenset(extract_terms(words, "pl" if language == "pl" else "en"))


@cache
def _chinese_empty() -> re.Pattern[str]:
    words = sorted(set(_CHINESE.split()), key=lambda word: (-len(word), word))
    return re.compile("|".join(map(re.escape, words)))


_SINGLE = re.compile(f"[{CJK}a-z·]")


def topic_terms(text: str, language: Language) -> tuple[str, ...]:
    """The terms of a question that say what it is about, each once, in order."""
    if language == "zh":
        text = _chinese_empty().sub(" ", text)
    empty = empty_terms(language)
    terms = dict.fromkeys(extract_terms(text, language))
    return tuple(term for term in terms if term not in empty and not _SINGLE.fullmatch(term))
