"""A judge's reply held to what it was asked: every statement once, none added, none left out.

ragas (0.4.3) takes what comes: a judge that leaves out the statements it dislikes would raise the score.
"""

import re
from collections import Counter
from collections.abc import Sequence

from pydantic import BaseModel

from rag_variants.text.function_words import function_terms, without_chinese_function_words
from rag_variants.text.language import Language, detect_language
from rag_variants.text.sentences import split_sentences
from rag_variants.text.terms import extract_terms, normalize

# Share of the terms of a sentence of the reference that its statements must hold, each term counted once. Judges copy,
# or reword a little: with a name in place of "it" two terms in three are left. In the sample's references 381 of 382
# sentences are missed when they are left out (not "Yes."), and none of the 387 is refused when it is cut by sentence.
COVERED = 0.6
# Share of a statement's terms that must stand in the reference or the question. Less than half is another text, such as
# a sentence of the chunks.
TAKEN_FROM = 0.5
_TERMS = 2  # a sentence of one term ("Yes.") says nothing that could be missed
_SAME = 0.8  # of the terms of both, of an echo with a slip of the pen; numbers and negations are no slips
_DENYING = frozenset({"not", "no", "never", "cannot", "nie", "bez", "nigdy", "brak"})
_DENYING_CJK = re.compile("[不没無无未非否]")
_LIST_MARK = re.compile(r"^\s*(?:[-*•]|\(?\d{1,2}[.)])\s+")
_NUMBER = re.compile(r"\d+")
_JOINED = re.compile(r"(?<=\d)[ .,\u00a0](?=\d{3}(?!\d))")


def find_fault(asked: BaseModel | None, reply: BaseModel) -> str | None:
    """What a reply leaves out, adds or repeats of what was asked, in words that quote nothing; None if it fits.

    `asked` is the input of one of ragas' prompts: statements to be judged, a reference to be taken apart, an answer to
    read a question out of. None if it is not known, and then nothing can be missed.
    """
    statements = getattr(asked, "statements", None)
    if statements is not None and hasattr(reply, "statements"):
        return _fault_of_verdicts(statements, [each.statement for each in reply.statements])
    if asked is not None and hasattr(reply, "classifications"):
        parts = [each.statement for each in reply.classifications]
        return _fault_of_parts(getattr(asked, "answer", ""), getattr(asked, "question", ""), parts)
    if asked is not None and hasattr(reply, "question") and not reply.question.strip():
        return "no question was read out of the answer"
    if asked is not None and hasattr(reply, "claims") and not reply.claims:
        return "no claim was read out of the text"  # ragas would count it as 0, or the reference as covered
    for name in ("statements", "claims"):
        if any(isinstance(each, str) and not each.strip() for each in getattr(reply, name, ())):
            return f"one of the {name} is empty"
    return None


def _fault_of_verdicts(asked: Sequence[str], given: Sequence[str]) -> str | None:
    if len(asked) != len(given):
        return f"{len(given)} verdicts for {len(asked)} statements"
    if len(asked) == 1:
        return None  # one verdict on one statement, however it is echoed, is about nothing else
    missing = Counter(map(_level, asked))
    beside = Counter(map(_level, given))
    missing, beside = missing - beside, beside - missing
    known = {_level(text) for text in asked}
    if repeated := [text for text in beside if text in known]:
        return f"{len(repeated)} of {len(asked)} statements judged more than once, others not at all"
    for text in beside.elements():
        near = max(missing.elements(), key=lambda other: (_likeness(text, other), other), default="")
        if _likeness(text, near) < _SAME:
            return f"verdicts on {beside.total()} statements that were not asked for, of {len(asked)}"
        missing -= Counter([near])
    return None


def _fault_of_parts(reference: str, question: str, parts: Sequence[str]) -> str | None:
    """What is wrong with the statements into which a judge took a reference apart."""
    if not parts:
        return "the reference was not taken apart" if reference.strip() else None
    if len({_level(part) for part in parts}) < len(parts):
        return "a statement of the reference stands there twice"
    language = detect_language(reference)
    given = Counter(term for part in parts for term in extract_terms(part, language))
    sentences = [_topic_terms(each.text, language) for each in split_sentences(reference, language)]
    if left_out := sum(not _take(terms, given) for terms in sentences):
        return f"{left_out} of {len(sentences)} sentences of the reference left out"
    if lost := _numbers(reference) - _numbers(" \n".join(parts)):
        return f"{len(lost)} of the numbers in the reference left out"
    known = set(extract_terms(f"{reference}\n{question}", language))
    for part in parts:
        terms = set(_topic_terms(part, language))
        if len(terms) >= _TERMS and len(terms & known) < TAKEN_FROM * len(terms):
            return "a statement that does not stand in the reference"
    return None


def _topic_terms(text: str, language: Language) -> tuple[str, ...]:
    """The terms of a text but for function words; all of them if there are no others."""
    kept = without_chinese_function_words(text) if language == "zh" else text
    empty = function_terms(language)
    topic = tuple(term for term in extract_terms(kept, language) if term not in empty)
    return topic or extract_terms(text, language)


def _take(terms: Sequence[str], given: Counter[str]) -> bool:
    """Whether enough of a sentence's terms are among those given; takes them, for two sentences need them twice."""
    wanted = Counter(set(terms))
    taken = wanted & given
    given.subtract(taken)
    return wanted.total() < _TERMS or taken.total() >= COVERED * wanted.total()


def _numbers(text: str) -> set[str]:
    """Runs of digits, thousands joined; zeros alone (9:00, 24.00) are nothing that a rewording has to keep."""
    runs = (run.lstrip("0") for run in _NUMBER.findall(_JOINED.sub("", normalize(text))))
    return {run for run in runs if run}


def _level(text: str) -> str:
    """A statement without what an echo may change: case, blanks, its list mark, quotation marks and the last stop."""
    return " ".join(normalize(_LIST_MARK.sub("", text)).split()).strip(" .。!！\"'*„”“«»「」`")


def _likeness(one: str, other: str) -> float:
    """Share 0…1 of the words that two levelled statements have in common; 0 where a number or a negation differs."""
    language = detect_language(other)
    left, right = Counter(extract_terms(one, language)), Counter(extract_terms(other, language))
    apart = (left - right) + (right - left)
    if any(term in _DENYING or _DENYING_CJK.search(term) or any(map(str.isdigit, term)) for term in apart):
        return 0.0
    return 1 - apart.total() / max((left + right).total(), 1)
