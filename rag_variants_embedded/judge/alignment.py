"""Which content of a statement is found in a sentence, and how well."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from rag_variants.text.language import Language
from rag_variants_embedded.judge.lexicon import common_beginning
from rag_variants_embedded.judge.read_passage import LINES_BEFORE, ReadPassage
from rag_variants_embedded.judge.read_sentence import ReadSentence, Token
from rag_variants_embedded.judge.sought import Sought

# A match outside the sentence itself, in the lines that lead to it, counts for less.
NEARBY = 0.5
_SAME, _MEANING, _KIND, _FORM = 1.0, 0.95, 0.85, 0.85
# Days of the week are compared as days, elsewhere.
_DAY = 0.6
_LEAST_PREFIX = {"en": (5, 0.7), "pl": (4, 0.6), "zh": (9, 1.0)}


@dataclass(frozen=True, slots=True)
class Match:
    """A statement's token with its counterpart in the evidence, or None; `score` 0…1."""

    token: Token
    other: Token | None
    score: float
    nearby: bool = False


# One token's counterparts by line; none where a line holds none.
Column = dict[int, Match]


@lru_cache(maxsize=32_768)
def _close(left: str, right: str, language: Language) -> bool:
    """Whether two stems are forms of one word: they share most of their beginning."""
    least, share = _LEAST_PREFIX[language]
    return common_beginning(left, right) >= max(least, share * max(len(left), len(right)) - 1e-9)


def token_score(token: Token, other: Token, language: Language) -> float:
    """How surely two tokens mean the same, 0…1."""
    if token.stem == other.stem:
        return _SAME
    if token.kind == "identifier" or other.kind == "identifier":
        return 0.0
    shared = token.keys & other.keys
    if shared == {"weekday"}:
        return _DAY
    if any(not key.startswith(("is:", "kind:")) for key in shared):
        return _MEANING
    for key in token.keys:
        if key.startswith("is:") and f"kind:{key[3:]}" in other.keys:
            return _KIND
        if key.startswith("kind:") and f"is:{key[5:]}" in other.keys:
            return _KIND
    if exclusive(token, other):
        return 0.0
    if token.kind == "name" and other.kind == "name":
        return _SAME if _name_form(token.stem, other.stem) else 0.0
    return _FORM if _close(token.stem, other.stem, language) else 0.0


def _name_form(left: str, right: str) -> bool:
    """Whether two names differ in their ending only: Kraków, Krakowie; not Whitlock, Whitmore."""
    short, long = sorted((left, right), key=len)
    shared = common_beginning(short, long)
    return len(short) >= 3 and shared >= len(short) - (2 if len(short) > 5 else 1) and len(long) - shared <= 3


def opposed(token: Token, other: Token) -> bool:
    """Whether two tokens stand on the two sides of one opposite."""
    turned = {axis[:-1] + ("-" if axis[-1] == "+" else "+") for axis in token.axes}
    return bool(turned & other.axes) and not token.axes & other.axes


def exclusive(token: Token, other: Token) -> bool:
    """Whether two tokens are different members of one class, such as red and blue."""
    left, right = token.classes, other.classes
    if not left or not right or left & right:
        return False
    return bool({key.partition("=")[0] for key in left} & {key.partition("=")[0] for key in right})


def align(statement: ReadSentence, evidence: ReadSentence) -> tuple[Match, ...]:
    """The best counterpart of each content token in a sentence."""
    return tuple(_in(token, evidence, statement.language) for token in statement.content)


def find_columns(sought: Sought, passage: ReadPassage) -> list[Column]:
    """For each content token its counterparts by line, in the line or else in those before it."""
    pairs = zip(sought.said.content, sought.signs, strict=True)
    return [_column(token, signs, passage, sought.said.language) for token, signs in pairs]


def matches_at(at: int, statement: ReadSentence, columns: Sequence[Column]) -> tuple[Match, ...]:
    """The counterpart in one line of each content token."""
    pairs = zip(statement.content, columns, strict=True)
    return tuple(column.get(at) or Match(token, None, 0.0) for token, column in pairs)


def _column(token: Token, signs: frozenset[str], passage: ReadPassage, language: Language) -> Column:
    lines = passage.lines
    here: dict[int, Match] = {}
    for at in passage.lines_with(signs):
        match = _in(token, lines[at].reading, language)
        if match.score:
            here[at] = match
    column = dict(here)
    for before, match in here.items():
        near = match.score * NEARBY
        for at in range(before + 1, min(before + 1 + LINES_BEFORE, len(lines))):
            known = column.get(at)
            if known is None or known.score < near:
                column[at] = Match(token, None, near, nearby=True)
    return column


@lru_cache(maxsize=65_536)
def _in(token: Token, evidence: ReadSentence, language: Language) -> Match:
    best, score = None, 0.0
    for other in evidence.tokens if token.may_match(evidence) else ():
        value = token_score(token, other, language)
        if value > score or (value == score and best is None and value):
            best, score = other, value
        if score == _SAME:
            break
    if score < _SAME and language == "zh":
        score = max(score, _in_characters(token, evidence.text))
    return Match(token, best, score)


def _in_characters(token: Token, text: str) -> float:
    """Chinese: the characters themselves, together or apart."""
    if token.stem in text:
        return _SAME
    if token.kind == "pair" and len(token.stem) == 2:
        return 0.4 * sum(character in text for character in token.stem) / 2
    return 0.0


def segments_of(match: Match, evidence: ReadSentence) -> frozenset[int]:
    """All clauses of the evidence in which a counterpart of the token stands."""
    return frozenset() if match.other is None else _segments(match.token, match.other, evidence)


@lru_cache(maxsize=8_192)
def _segments(token: Token, counterpart: Token, evidence: ReadSentence) -> frozenset[int]:
    return frozenset(
        other.segment for other in evidence.tokens
        if other.stem == counterpart.stem
        or (not opposed(token, other) and token_score(token, other, evidence.language) >= _DAY)
    )  # fmt: skip
