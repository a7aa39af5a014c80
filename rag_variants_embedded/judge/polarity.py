"""Whether a sentence says the opposite: negation, antonyms, obligation and exceptions."""

from collections import Counter
from collections.abc import Iterable, Sequence

from rag_variants_embedded.judge.alignment import Match, segments_of
from rag_variants_embedded.judge.read_sentence import ReadSentence, Token

_FOUND = 0.6
_DENYING = frozenset({"negators", "exceptions"})


def relevant_segments(matches: Sequence[Match], evidence: ReadSentence, numbers: Iterable[int] = ()) -> frozenset[int]:
    """The clauses that the statement is about: the one with most of what it speaks of, and those with the rest.

    Words that stand on opposites do not choose the clause, since they are what is to be compared in it.
    """
    found = [match for match in matches if match.other is not None and match.score >= _FOUND]
    deciding = [match for match in found if not match.token.axes] or found
    homes = [(match.token.weight, segments_of(match, evidence)) for match in deciding]
    homes += [(1.0, frozenset({segment})) for segment in numbers]
    weights = {
        segment: sum(weight for weight, held in homes if segment in held) for _, held in homes for segment in held
    }
    if not weights:
        return frozenset(token.segment for token in evidence.tokens)
    main = min(weights, key=lambda segment: (-weights[segment], segment))
    return frozenset({main}).union(*(held for _, held in homes if main not in held))


def contradiction(
    statement: ReadSentence,
    evidence: ReadSentence,
    matches: Sequence[Match],
    segments: frozenset[int],
    flipped: bool = False,
) -> str | None:
    """The veto if statement and evidence differ in polarity, else None. `flipped`: days outside those named."""
    spoken = {id(match.token) for match in matches if match.score >= _FOUND}
    heard = {id(match.other) for match in matches if match.score >= _FOUND}
    said = [token for token in statement.signs if _holds(token, statement, spoken)]
    read = [token for token in evidence.signs if token.segment in segments and _holds(token, evidence, heard)]
    negations, opposites, lone = _differences(said, read)
    odd = (negations + len(opposites) + flipped) % 2 == 1
    if odd and negations and lone and not opposites:
        return None
    if odd:
        words = _words(said, read, opposites)
        return f"negation: {words}" if negations and not opposites else f"opposite: {words}"
    if all(match.score >= _FOUND for match in matches) and _stronger(said, read):
        return "obligation: the statement says must, the text says may"
    return None


def _holds(token: Token, reading: ReadSentence, found: set[int]) -> bool:
    """Whether a sign bears on what is compared: `without X` only if X is spoken of, others always."""
    if "exceptions" not in token.flags:
        return True
    following = [other for other in reading.content if other.start >= token.end]
    # Days of the week are compared as days, elsewhere.
    return bool(following) and id(following[0]) in found and "weekday" not in following[0].keys


def _axes(tokens: Iterable[Token]) -> Counter[str]:
    """How often each side of each opposite stands; a word on both sides of one (`last`) says nothing."""
    found: Counter[str] = Counter()
    for token in tokens:
        found.update(axis for axis in sorted(token.axes) if _other(axis) not in token.axes)
    return found


def _other(axis: str) -> str:
    return axis[:-1] + ("-" if axis[-1] == "+" else "+")


def _differences(said: list[Token], read: list[Token]) -> tuple[int, list[str], list[str]]:
    """Negations without counterpart, opposites that face each other, and negative words that stand alone."""
    left, right = _axes(said), _axes(read)
    facing = sorted(axis for axis in left if _other(axis) in right and axis not in right and _other(axis) not in left)
    # A word may stand on several axes at once: one word is one opposite.
    opposites: list[str] = []
    used: set[Token] = set()
    for axis in facing:
        holders = {token for token in said if axis in token.axes} | {
            token for token in read if _other(axis) in token.axes
        }
        if not holders & used:
            opposites.append(axis)
            used |= holders
    excess = _negators(said) - _negators(read)
    # "Cannot be used" and "disabled": the negative word must stand on the side without the negation.
    lone = [
        axis
        for axis in left
        if excess < 0
        and axis[-1] == "-"
        and axis.startswith("deny")
        and axis not in right
        and _other(axis) not in right
    ]
    lone += [
        axis
        for axis in right
        if excess > 0 and axis[-1] == "-" and axis.startswith("deny") and axis not in left and _other(axis) not in left
    ]
    return abs(excess) % 2, opposites, lone


def _negators(tokens: Iterable[Token]) -> int:
    """Negative words; several in one clause (`nie … nigdy`, `nie … ani`) are one."""
    return len({token.segment for token in tokens if _DENYING & token.flags and not _negative(token)})


def _negative(token: Token) -> bool:
    """Whether a word is itself the denying side of an opposite (`refuse`), and so already counted there."""
    return any(axis[-1] == "-" for axis in token.axes)


def _stronger(said: list[Token], read: list[Token]) -> bool:
    """Whether the statement obliges where the text allows."""
    must, may = (any(flag in token.flags for token in said) for flag in ("must", "may"))
    obliged, allowed = (any(flag in token.flags for token in read) for flag in ("must", "may"))
    negated = any("negators" in token.flags for token in (*said, *read))
    return must and not may and allowed and not obliged and not negated


def _words(said: list[Token], read: list[Token], opposites: list[str]) -> str:
    """The words that differ, for a person."""
    axes = set(opposites)
    mine = [t.text for t in said if t.axes & axes or (not axes and "negators" in t.flags)]
    theirs = [t.text for t in read if {_other(axis) for axis in t.axes} & axes or (not axes and "negators" in t.flags)]
    return f"the statement says “{mine[0] if mine else 'so'}”, the text says “{theirs[0] if theirs else 'otherwise'}”"
