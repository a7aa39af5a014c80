"""Whose fact it is: identifiers with their meanings, and subjects with their own clauses or sentences."""

from collections.abc import Sequence
from itertools import pairwise

from rag_variants_embedded.judge.alignment import Match, align, segments_of
from rag_variants_embedded.judge.read_sentence import ReadSentence, Token, read

_FOUND = 0.6
# By how much of a statement another identifier's line must say more than the identifier's own.
_MARGIN = 0.25


def owner_veto(
    statement: ReadSentence, matches: Sequence[Match], at: int, passage: Sequence[ReadSentence]
) -> str | None:
    """The veto if the passage says this of another; `at` is the place of the evidence in it."""
    return (
        _identifier_veto(statement, passage)
        or _clause_veto(statement, matches, passage[at])
        or _sentence_veto(matches, at, passage)
    )


def _identifier_veto(statement: ReadSentence, passage: Sequence[ReadSentence]) -> str | None:
    """The veto if a line that belongs to another identifier says more of the statement than those of its own."""
    mine = {token.stem for token in statement.content if token.kind == "identifier"}
    if len(mine) != 1:
        return None
    total = sum(token.weight for token in statement.content if token.kind != "identifier")
    own, others = -1.0, dict[str, float]()
    owners: dict[str, str] = {}
    for line in (piece for reading in passage for piece in _pieces(reading)):
        owners = {token.stem: token.text for token in line.content if token.kind == "identifier"} or owners
        said = sum(m.token.weight * m.score for m in align(statement, line) if m.token.kind != "identifier")
        if mine & owners.keys():
            own = max(own, said)
        elif len(owners) == 1:
            text = next(iter(owners.values()))
            others[text] = max(others.get(text, 0.0), said)
    if own < 0 or not others or not total:
        return None
    rival = min(others, key=lambda text: (-others[text], text))
    if others[rival] < _FOUND * total or others[rival] - own < _MARGIN * total:
        return None
    name = next(token.text for token in statement.content if token.kind == "identifier")
    return f"name: the text says this of {rival}, not of {name}"


def _pieces(line: ReadSentence) -> list[ReadSentence]:
    """A line that explains one identifier after another, parted before each; any other line as it is."""
    starts: list[int] = []
    before = -1
    for place, token in enumerate(line.content):
        if token.kind != "identifier":
            continue
        alone = place == 0 or line.content[place - 1].segment != token.segment
        head = place if alone else place - 1  # `code ERR-12` begins a clause as `ERR-12` does
        begins = head == 0 or line.content[head - 1].segment != line.content[head].segment
        if begins and (before < 0 or head > before + 1):
            starts.append(line.content[head].start)
        before = place
    if len(starts) < 2:
        return [line]
    edges = [0, *starts[1:], len(line.text)]
    return [read(line.text[a:b], line.language) for a, b in pairwise(edges)]


def _clause_veto(statement: ReadSentence, matches: Sequence[Match], evidence: ReadSentence) -> str | None:
    """The veto if the subject of one clause gets what another clause says of its own subject."""
    if statement.segments or not evidence.segments:
        return None
    homes = [
        segments_of(match, evidence) if match.score >= _FOUND and match.other is not None else frozenset[int]()
        for match in matches
    ]
    if not homes or len(homes[0]) != 1:
        return None
    (home,) = homes[0]
    lead = next((at for at, held in enumerate(homes) if held != {home}), len(homes))
    rest = [held for held in homes[lead:] if len(held) == 1]
    if not rest or any(held != rest[0] for held in rest):
        return None
    (away,) = rest[0]
    here = [token for token in evidence.content if token.segment == home]
    there = [token for token in evidence.content if token.segment == away]
    if away == home or matches[0].other is not here[0] or _heard(there[0], matches):
        return None
    if all(_heard(token, matches) for token in here):
        return None
    return f"name: the text says this of {there[0].text}, not of {matches[0].token.text}"


def _sentence_veto(matches: Sequence[Match], at: int, passage: Sequence[ReadSentence]) -> str | None:
    """The veto if the sentence has a subject of its own, the statement's begins another such sentence."""
    evidence = passage[at]
    if len(matches) < 3 or not evidence.content or _heard(evidence.content[0], matches):
        return None
    first, rest = matches[0], matches[1:]
    if first.token.kind == "identifier" or (first.score >= _FOUND and not first.nearby):
        return None
    if any(match.score < _FOUND or match.nearby for match in rest):
        return None
    told = {key for match in rest for key in match.token.keys}
    for place, other in enumerate(passage):
        begins = place != at and other.content and other.content[0].keys & first.token.keys
        if begins and any(token.keys & told for token in other.content[1:]):
            return f"name: the text says this of {evidence.content[0].text}, not of {first.token.text}"
    return None


def _heard(token: Token, matches: Sequence[Match]) -> bool:
    """Whether the statement speaks of a word of the evidence."""
    return any(
        match.score >= _FOUND and match.other is not None and (match.other is token or match.other.stem == token.stem)
        for match in matches
    )
