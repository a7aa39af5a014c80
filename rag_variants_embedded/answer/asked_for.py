"""The kind of fact a question asks for, and whether a sentence holds one."""

import re
from collections.abc import Mapping
from functools import cache, lru_cache

from rag_variants.text.language import detect_language
from rag_variants.text.quantities.quantity import Quantity
from rag_variants.text.quantities.read import read_quantities
from rag_variants.text.terms import normalize
from rag_variants_embedded.answer.fact_patterns import ASKS, EXCLUSIVE, MEASURED, Fact, holding

_ASK = {fact: re.compile(pattern) for fact, pattern in ASKS.items()}
# Facts that cannot be told without their mark: a sentence without it does not answer.
_STRICT: frozenset[Fact] = frozenset(
    {
        "money",
        "percent",
        "duration",
        "time",
        "weight",
        "length",
        "temperature",
        "measure",
        "contact",
        "number",
        "code",
        "frequency",
    }
)
_NAMED: frozenset[Fact] = frozenset({"person", "place"})
# The digits of `W2` or `LK-3301` are no quantity.
_CODE = re.compile(r"(?<![\w-])(?!eur|usd|pln|gbp|cny)(?:[a-z]+[-./]?|§ ?)\d[\w-]*")
_CODE_FACTS: frozenset[Fact] = _STRICT - frozenset({"contact", "code"})
# A name: a capital inside the sentence, or two capitalised words at its start.
_NAME = re.compile(
    r"(?<=[\w,;)»”\"–-]\s)[„“\"'(]?[A-ZĄĆĘŁŃÓŚŹŻ][\w’'.-]+|^[A-ZĄĆĘŁŃÓŚŹŻ][\w’'-]+ [A-ZĄĆĘŁŃÓŚŹŻ][\w’'-]+"
)
_WORD = re.compile(r"\w+")
_HAN = re.compile(r"[\u3400-\u9fff]")


@lru_cache(maxsize=4_096)
def facts_asked(question: str) -> tuple[Fact, ...]:
    """The kinds of fact a question asks for; of the kinds of quantity only the most specific one."""
    text = normalize(question)
    exclusive = next((fact for fact in EXCLUSIVE if _ASK[fact].search(text)), None)
    return tuple(fact for fact in ASKS if _ASK[fact].search(text) and (fact not in EXCLUSIVE or fact == exclusive))


@lru_cache(maxsize=65_536)
def holds(fact: Fact, sentence: str, question: str = "") -> bool:
    """Whether a sentence holds a fact of the kind; a name has to be one that the question does not say."""
    if fact in _NAMED:
        return _names_someone(sentence, question)
    if fact in MEASURED and any(q.dimension in MEASURED[fact] for q in _quantities(sentence)):
        return True
    pattern = _holding().get(fact)
    text = normalize(sentence)
    return pattern is not None and bool(pattern.search(_CODE.sub(" ", text) if fact in _CODE_FACTS else text))


@cache
def _holding() -> Mapping[Fact, re.Pattern[str]]:
    return {fact: re.compile(pattern) for fact, pattern in holding().items()}


def _quantities(sentence: str) -> tuple[Quantity, ...]:
    return read_quantities(sentence, detect_language(sentence))


def is_strict(fact: Fact) -> bool:
    """Whether the fact shows on the surface, so that its absence tells."""
    return fact in _STRICT


def _names_someone(sentence: str, question: str) -> bool:
    """Whether there is a name that is new; always in Chinese, which has no capitals."""
    if _HAN.search(sentence):
        return True
    said = set(_WORD.findall(normalize(question)))
    return any(set(_WORD.findall(normalize(match.group()))) - said for match in _NAME.finditer(sentence))
