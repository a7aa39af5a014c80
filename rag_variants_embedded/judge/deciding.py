"""The verdict for a statement on one line: what speaks for it, what vetoes it."""

from collections.abc import Sequence
from typing import Literal

from rag_variants.text.quantities.quantity import agree
from rag_variants_embedded.judge.alignment import Match
from rag_variants_embedded.judge.coverage import ABOUT
from rag_variants_embedded.judge.days import days_differ
from rag_variants_embedded.judge.figures import number_veto
from rag_variants_embedded.judge.names import binding_veto, name_veto, slot_veto
from rag_variants_embedded.judge.owners import owner_veto
from rag_variants_embedded.judge.polarity import contradiction, relevant_segments
from rag_variants_embedded.judge.read_passage import Line, ReadPassage
from rag_variants_embedded.judge.read_sentence import ReadSentence, Token
from rag_variants_embedded.judge.terms_of_use import terms_veto

SupportLabel = Literal["supported", "contradicted", "missing", "unsure"]

# How much of a statement's content a sentence must hold; less will do for sentences that are close in meaning.
_COVERED, _ENOUGH, _CLOSE = 0.7, 0.6, 0.5


def decide(
    said: ReadSentence, matches: Sequence[Match], passage: ReadPassage, line: Line, covered: float, near: float
) -> tuple[SupportLabel, str | None]:
    """The label for a statement on one line, of which that share is `covered`, `near` in meaning (0…1); the veto."""
    if covered < ABOUT:
        return "missing", None
    veto, rival = _veto(said, line, matches)
    if not veto:
        if not _is_borne_out(said, line, matches, covered, near):
            return "unsure", None
        veto, rival = _guard(said, passage, line, matches)
    if not veto:
        return "supported", None
    return "contradicted" if rival else "unsure", veto


def _is_borne_out(said: ReadSentence, line: Line, matches: Sequence[Match], covered: float, near: float) -> bool:
    """Whether enough of what is said stands there, and what decides it."""
    crux = not _denies(line.reading) and any(_crucial(match.token) and match.score < 0.5 for match in matches)
    exact = any(agree(mine, other) for mine in said.quantities for other in line.reading.quantities)
    short = not exact and len(matches) <= 2 and any(match.score < 0.6 for match in matches)
    if short or not (exact or _predicate_found(matches)) or (crux and covered < 0.8):
        return False
    return covered >= _COVERED or (covered >= _ENOUGH and near >= _CLOSE)


def _guard(said: ReadSentence, passage: ReadPassage, line: Line, matches: Sequence[Match]) -> tuple[str | None, bool]:
    """The veto if the passage says it of another or the claim is one that words do not carry."""
    veto, rival = terms_veto(said, line.reading)
    if veto:
        return veto, rival
    lines = passage.lines
    return owner_veto(said, matches, lines.index(line), [other.reading for other in lines]), True


def _veto(said: ReadSentence, line: Line, matches: Sequence[Match]) -> tuple[str | None, bool]:
    """What speaks against the statement on a line, and whether it is said rather than only missing."""
    evidence = line.reading
    nearby = [quantity for reading in line.before for quantity in reading.quantities]
    veto, rival = number_veto(said, matches, evidence, nearby)
    if veto:
        return veto, rival
    days, outside = days_differ(said, evidence)
    if days:
        return days, True
    if not outside:
        veto, rival = name_veto(matches, evidence, line.before)
        if veto:
            return veto, rival
    found = binding_veto(said, matches, evidence)
    if found:
        return found, True
    equals = [other for other in evidence.quantities if any(agree(mine, other) for mine in said.quantities)]
    homes = [evidence.segment_at(other.start) for other in equals]
    segments = relevant_segments(matches, evidence, homes)
    found = contradiction(said, evidence, matches, segments, outside) or slot_veto(said, matches, evidence)
    return (found, True) if found else _overstated(said, evidence)


def _overstated(said: ReadSentence, evidence: ReadSentence) -> tuple[str | None, bool]:
    """The veto if the statement says `always` or `only` where the text does not."""
    strong = [token for token in said.signs if "strong" in token.flags and "universal" in token.flags]
    if strong and not any("universal" in token.flags for token in evidence.signs):
        return f"reach: the statement says {strong[0].text}, the text does not", False
    return None, False


def _denies(reading: ReadSentence) -> bool:
    return any("negators" in token.flags for token in reading.signs)


def _crucial(token: Token) -> bool:
    """Whether a word decides what a statement claims: allowed, included, free of charge, …"""
    return any(axis.startswith(("deny:", "cost:")) for axis in token.axes)


def _predicate_found(matches: Sequence[Match]) -> bool:
    """Whether what is said of the names is found too, not the names alone."""
    plain = [match for match in matches if match.token.kind in ("plain", "pair")]
    total = sum(match.token.weight for match in plain)
    return not plain or sum(match.token.weight * match.score for match in plain) >= 0.4 * total
