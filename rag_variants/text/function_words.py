"""Words that bind or ask and carry no topic: articles, pronouns, prepositions, auxiliaries, question words."""

import re
from functools import cache

from rag_variants.text.language import Language
from rag_variants.text.terms import extract_terms

_ENGLISH = """
a about after again all also am an and any are as at be been before being between both but by can could did do
does doing during each else for from had has have having he her here hers him his how i if in into is it its
itself just may me might mine more most must my no nor not of off on once only or other our ours out over own
per same shall she should so some such than that the their theirs them then there these they this those through
to too under until up upon us very was we were what when where which while who whom whose why will with within
would you your yours
"""
_POLISH = """
a aby albo ale ani będą będzie bez bo był była było były być by bym ci co coś czego czemu czy czym czyj czyja
czyje dla do dlaczego gdy gdzie go i ich ile ilu im inne inny ja jak jaka jaką jakie jakiego jakiej jakiemu
jakich jakim jakimi jaki jako jacy jakieś je jego jej jemu jest jestem jeśli już kiedy kim kogo komu kto która
które którego której którą który którym których którzy lub ma mają mam mi mnie moja moje mój mu my na nad nam
nas nasz nasza nie niego niej nich nim nimi o od oraz po pod podczas poza ponad przed przez przy są się skąd
swoje swój ta tak taki taka takie tam te tego tej tę temu ten to tu ty tych tylko tym u w we wam was wasz wy z
za ze że
"""
# Chinese has no blanks: these are cut out before the rest is read in pairs, the longest first.
_CHINESE = """
请问 什么时候 什么样 什么 多少 多长 多久 多大 几个 哪一个 哪一 哪个 哪些 哪里 哪 怎么样 怎么办
怎么 怎样 如何 为什么 为何 是否 能不能 会不会 有没有 是不是 谁 吗 呢 呀 啊 吧 的 了 着 是
有 在 和 与 及 或 还 也 都 就 被 把 由 从 到 对 给 让 于 我们 我 你们 你 他们 他 她
它 这个 这 那个 那
"""

CHINESE_FUNCTION_WORDS = tuple(_CHINESE.split())


@cache
def function_terms(language: Language) -> frozenset[str]:
    """The terms of function words in English or Polish; for Chinese those of the English words in it."""
    return frozenset(extract_terms(_POLISH if language == "pl" else _ENGLISH, "pl" if language == "pl" else "en"))


@cache
def _chinese() -> re.Pattern[str]:
    return re.compile("|".join(sorted(CHINESE_FUNCTION_WORDS, key=lambda word: (-len(word), word))))


def without_chinese_function_words(text: str) -> str:
    """A Chinese text with blanks for its function words."""
    return _chinese().sub(" ", text)
