"""Questions that stand in a set more than once: equal ones, which are no evidence of their own, and near-copies."""

import unicodedata
from collections.abc import Iterable
from difflib import SequenceMatcher
from itertools import combinations
from typing import NamedTuple

from rag_variants.types import Question

NEAR = 0.9
"""From so much alike (difflib's ratio, 0…1) two questions about the same evidence are called near-copies."""


class Repeated(NamedTuple):
    """A question's id and that of the one before it which it repeats."""

    id: str
    of: str


def equal_questions(questions: Iterable[Question]) -> tuple[Repeated, ...]:
    """The questions whose text, reference and evidence stand before them already, each with the first of its kind."""
    first: dict[object, str] = {}
    repeated = []
    for each in questions:
        found = first.setdefault(_content(each), each.id)
        if found != each.id:
            repeated.append(Repeated(each.id, found))
    return tuple(repeated)


def repeated_ids(questions: Iterable[Question]) -> frozenset[str]:
    """The ids of the questions that do not count, as an equal one stands before them."""
    return frozenset(each.id for each in equal_questions(questions))


def near_copies(questions: Iterable[Question]) -> tuple[Repeated, ...]:
    """The questions that ask what one before them asks in nearly the same words, equal ones left out.

    The same words but for case, blanks and marks; or texts NEAR alike with the same reference and evidence.
    """
    asked = list(questions)
    equal = repeated_ids(asked)
    groups: dict[object, list[Question]] = {}
    for each in asked:
        if each.id not in equal:
            for shared in (_words(each.user_input), _known(each)):
                groups.setdefault(shared, []).append(each)
    found: dict[str, str] = {}
    for common, members in groups.items():
        for before, after in combinations(members, 2) if common else ():
            if isinstance(common, str) or _alike(before, after):
                found.setdefault(after.id, before.id)
    return tuple(Repeated(each.id, found[each.id]) for each in asked if each.id in found)


def _content(question: Question) -> object:
    text = " ".join(unicodedata.normalize("NFC", question.user_input).split())
    return text, question.reference, frozenset(question.evidence)


def _words(text: str) -> str:
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))


def _known(question: Question) -> tuple[object, ...] | None:
    """What is known of the answer; None where nothing is."""
    known = (question.reference, frozenset(question.evidence))
    return known if any(known) else None


def _alike(left: Question, right: Question) -> bool:
    matcher = SequenceMatcher(None, left.user_input.casefold(), right.user_input.casefold(), autojunk=False)
    return matcher.quick_ratio() >= NEAR and matcher.ratio() >= NEAR
