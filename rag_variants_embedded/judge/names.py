"""Names, identifiers and members of exclusive classes: whether the text speaks of the same thing."""

from collections.abc import Sequence
from difflib import SequenceMatcher

from rag_variants_embedded.judge.alignment import Match, exclusive, segments_of
from rag_variants_embedded.judge.read_sentence import ReadSentence, Token

_FOUND = 0.6


def name_veto(
    matches: Sequence[Match], evidence: ReadSentence, before: Sequence[ReadSentence]
) -> tuple[str | None, bool]:
    """The veto for a name that the sentence lacks, and whether the text names another in its place."""
    for match in matches:
        token = match.token
        if match.other is not None and match.score >= _FOUND:
            continue
        rivals = _rivals(token, matches, evidence)
        if token.kind in ("name", "identifier"):
            if match.nearby and not rivals and not _interrupted(token, before):
                continue
            return _sentence(token, rivals), bool(rivals)
        if token.classes and (rivals := [rival for rival in rivals if exclusive(token, rival)]):
            return _sentence(token, rivals), True
    return None, False


def _rivals(token: Token, matches: Sequence[Match], evidence: ReadSentence) -> list[Token]:
    """Tokens of the text that stand where the statement has another name: not said, and of the same kind."""
    said = {id(match.other) for match in matches if match.other is not None and match.score >= _FOUND}
    free = [other for other in evidence.content if id(other) not in said and other.stem not in _stems(matches)]
    if token.kind == "identifier":
        return [other for other in free if other.kind == "identifier"] or [
            other for other in free if other.kind == "name"
        ]
    if token.kind == "name":
        return [other for other in free if other.kind in ("name", "identifier") or exclusive(token, other)]
    return [other for other in free if exclusive(token, other)]


def _stems(matches: Sequence[Match]) -> set[str]:
    return {match.token.stem for match in matches}


def _interrupted(token: Token, before: Sequence[ReadSentence]) -> bool:
    """Whether, going back from the sentence, another identifier comes before the one that is looked for."""
    for reading in before:
        kinds = [other for other in reading.content if other.kind == token.kind]
        if any(other.stem == token.stem for other in kinds):
            return False
        if kinds and token.kind == "identifier":
            return True
    return False


def _sentence(token: Token, rivals: Sequence[Token]) -> str:
    if rivals:
        return f"name: the statement says {token.text}, the text says {rivals[0].text}"
    return f"name: the text does not mention {token.text}"


def binding_veto(statement: ReadSentence, matches: Sequence[Match], evidence: ReadSentence) -> str | None:
    """The veto if the statement joins a thing of one clause with what another clause says of its rival.

    In `B stores frozen goods, C stores dry goods` each of B and C belongs to its own clause.
    """
    if not evidence.segments or statement.segments:
        return None
    weights: dict[int, float] = {}
    for match in matches:
        if match.other is not None and match.score >= _FOUND:
            for segment in segments_of(match, evidence):
                weights[segment] = weights.get(segment, 0.0) + match.token.weight
    if len(weights) < 2:
        return None
    main = min(weights, key=lambda segment: (-weights[segment], segment))
    for match in matches:
        token, other = match.token, match.other
        if other is None or match.score < _FOUND or main in segments_of(match, evidence) or not _naming(token):
            continue
        rivals = [r for r in _rivals(token, matches, evidence) if r.segment == main and _alike(other, r)]
        if rivals:
            return f"name: the text says this of {rivals[0].text}, not of {token.text}"
    return _crossed(matches, evidence, main)


def _crossed(matches: Sequence[Match], evidence: ReadSentence, main: int) -> str | None:
    """The veto if a word of another clause belongs to a name there, while the statement gives it the main clause's."""
    named = [
        m.other
        for m in matches
        if m.other is not None and m.score >= _FOUND and m.other.segment == main and _naming(m.other)
    ]
    for match in matches:
        other = match.other
        if (
            other is None
            or match.score < _FOUND
            or other.kind in ("name", "identifier")
            or main in segments_of(match, evidence)
        ):
            continue
        for name in named:
            rivals = [r for r in _rivals(name, matches, evidence) if r.segment == other.segment and _alike(name, r)]
            if rivals:
                return f"name: the text gives {match.token.text} to {rivals[0].text}, not to {name.text}"
    return None


def _naming(token: Token) -> bool:
    return token.kind in ("name", "identifier") or bool(token.classes)


def _alike(token: Token, other: Token) -> bool:
    return exclusive(token, other) or (token.kind != "plain" and token.kind == other.kind)


def slot_veto(statement: ReadSentence, matches: Sequence[Match], evidence: ReadSentence) -> str | None:
    """The veto if the statement repeats the sentence but for one word that stands in the place of another."""
    if statement.language == "zh":
        return _character_slot(statement, matches, evidence)
    places = {id(token): place for place, token in enumerate(evidence.content)}
    found = [places.get(id(match.other), -9) if match.score >= _FOUND else -9 for match in matches]
    for at, match in enumerate(matches):
        if match.score >= 0.5 or found.count(-9) > 1 or len(matches) < 3:
            continue
        middle = _middle(at, found, evidence.content)
        if (
            middle >= 0
            and middle not in found
            and _same_form(match.token, evidence.content[middle], statement.language)
        ):
            return f"name: the statement says {match.token.text}, the text says {evidence.content[middle].text}"
    return None


def _character_slot(statement: ReadSentence, matches: Sequence[Match], evidence: ReadSentence) -> str | None:
    """Chinese: other characters between the same ones, where no known word explains them."""
    missing = {
        place
        for match in matches
        if match.score < _FOUND and not match.nearby and not match.token.axes and match.token.weight >= 0.5
        for place in range(match.token.start, match.token.end)
    }
    found = {place for match in matches if match.score >= _FOUND for place in range(match.token.start, match.token.end)}
    said, read = statement.text, evidence.text
    for kind, a, b, c, d in SequenceMatcher(None, said, read, autojunk=False).get_opcodes():
        if kind != "replace" or max(b - a, d - c) > 6 or not set(range(a, b)) & (missing - found):
            continue
        start = a == 0 and b - a == d - c and (c == 0 or not read[c - 1].isalnum())
        sizes = (size for size in (2, 1) if a >= size and said[a - size : a] == read[max(c - size, 0) : c])
        before = 2 if start else next(sizes, 0)
        after = 2 if b >= len(said) - 1 or said[b : b + 2] == read[d : d + 2] else 0
        if before and before + after >= 3:
            return f"name: the statement says {said[a:b]}, the text says {read[c:d]}"
    return None


_FORMS = {"en": ("ed", "ing", "ly"), "pl": ("ć", "ie", "o"), "zh": ()}


def _same_form(token: Token, other: Token, language: str) -> bool:
    """Whether two words can fill one slot: a verb form does not take a noun's place."""
    if token.kind != other.kind:
        return False
    return all(token.text.endswith(form) == other.text.endswith(form) for form in _FORMS[language])


def _middle(at: int, found: Sequence[int], content: Sequence[Token]) -> int:
    """The place in the evidence that lies between the counterparts of the neighbours or a clause's edge, or -1."""
    left = found[at - 1] if at else None
    right = found[at + 1] if at + 1 < len(found) else None
    place = left + 1 if left is not None else (right or 0) - 1
    if not 0 <= place < len(content) or (left is not None and left < 0) or (right is not None and right < 0):
        return -1
    if left is None and place and content[place - 1].segment == content[place].segment:
        return -1
    if right is None and place + 1 < len(content) and content[place + 1].segment == content[place].segment:
        return -1
    return place if right is None or right == place + 1 else -1
