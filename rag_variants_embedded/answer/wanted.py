"""What a question wants: its parts, the weight of its terms, and the names and identifiers it insists on."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from rag_variants.text.frequencies import TermFrequencies
from rag_variants.text.language import Language, detect_language
from rag_variants.text.terms import extract_terms
from rag_variants_embedded.answer.asked_for import facts_asked
from rag_variants_embedded.answer.fact_patterns import Fact
from rag_variants_embedded.answer.focus import focus_terms
from rag_variants_embedded.answer.parts import question_parts
from rag_variants_embedded.answer.question_words import measure_terms, topic_terms

_OTHER_PARTS = 0.5
_IDENTIFIER_WEIGHT = 1.5
_MEASURE_WEIGHT = 0.3
_UNKNOWN_PAIR_WEIGHT = 0.5
_IDENTIFIER = re.compile(r"(?=.*\d)(?:§.*|.*[a-z\u00df-\u024f].*)")
# Quantities such as `24h` or `40l` at the start of a term are no identifiers.
_QUANTITY = re.compile(r"\d+(?:[.,]\d+)?(?:[a-z°%]{1,3}|-?[a-z]{4,})")
_CAPITALISED = re.compile(r"(?<![.?!:\s])\s+[„“\"'(]?([A-ZĄĆĘŁŃÓŚŹŻ][\w'’-]*)|\b([A-Z]{2,}[A-Z0-9-]*)\b")
_QUOTED = re.compile(r"[《「“„\"]([^》」”\"]{2,40})[》」”\"]")
_LATIN = re.compile(r"[A-Za-z][A-Za-z-]+")


@dataclass(frozen=True, slots=True)
class Part:
    """One thing asked: its words, the kinds of fact, and the weight of each term (terms of other parts count less)."""

    text: str
    facts: tuple[Fact, ...]
    focus: frozenset[str]
    identifiers: frozenset[str]
    weights: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A question taken apart."""

    text: str
    language: Language
    parts: tuple[Part, ...]
    weights: Mapping[str, float]
    identifiers: tuple[str, ...]
    names: frozenset[str]


def squeeze(identifier: str) -> str:
    """An identifier without its joints: `W2-X` and `w2x` are one."""
    return re.sub(r"[-./_:+\s]", "", identifier)


def is_identifier(term: str) -> bool:
    """Whether a term is a code such as `err-4031`, `w2-x` or `§12.4`, rather than a word, number or quantity."""
    return bool(_IDENTIFIER.fullmatch(term)) and not _QUANTITY.fullmatch(term)


def understand(question: str, frequencies: TermFrequencies) -> Wanted:
    """The question taken apart; terms weigh by their rarity in the whole knowledge base."""
    language = detect_language(question)
    weights = {term: _weight(term, language, frequencies) for term in topic_terms(question, language)}
    identifiers = tuple(term for term in weights if is_identifier(term))
    weights |= dict.fromkeys(identifiers, _IDENTIFIER_WEIGHT * max(weights.values(), default=0.0))
    texts = question_parts(question)
    parts = tuple(_part(text, language, weights, len(texts)) for text in texts)
    return Wanted(
        question,
        language,
        parts,
        weights,
        identifiers,
        _names(question, language) & weights.keys() - measure_terms(language),
    )


def _weight(term: str, language: Language, frequencies: TermFrequencies) -> float:
    """The rarity of a term; less for words of measure, and for a Chinese pair that is likely no word."""
    weight = frequencies.idf(term)
    if term in measure_terms(language):
        return _MEASURE_WEIGHT * weight
    unknown_pair = len(term) == 2 and term[0] > "\u2fff" and term not in frequencies.holding
    return _UNKNOWN_PAIR_WEIGHT * weight if unknown_pair else weight


def _part(text: str, language: Language, weights: Mapping[str, float], parts: int) -> Part:
    """One part; where there are others, their terms count less in it."""
    own = set(topic_terms(text, language))
    if parts > 1:
        weights = {term: weight * (1 if term in own else _OTHER_PARTS) for term, weight in weights.items()}
    codes = frozenset(filter(is_identifier, own))
    return Part(text, facts_asked(text), focus_terms(text, language) & weights.keys(), codes, weights)


def _names(question: str, language: Language) -> frozenset[str]:
    """The terms of words written like names: capitalised inside a sentence, in quotes, Latin letters in Chinese."""
    found = [match.group(1) or match.group(2) for match in _CAPITALISED.finditer(question)]
    found += _QUOTED.findall(question)
    if language == "zh":
        found += _LATIN.findall(question)
    return frozenset(term for name in found for term in extract_terms(name, language))
