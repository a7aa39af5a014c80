"""Why context recall differs between A and B on one question: the chunks that hold what the other side lacks."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rag_variants.evaluation.reasons.chunk_flow import ChunkFlow, Place, SideName
from rag_variants.evaluation.runs import ScoredRecord
from rag_variants.text.terms import extract_terms
from rag_variants.types import Score

METRIC = "context_recall"
KnownBy = Literal["sentence", "evidence", "words"]


@dataclass(frozen=True, slots=True)
class RecallReason:
    """A chunk that one side alone handed to the answer, and the statement of the reference that it brings.

    `known_by`: the judge's own `sentence` stands in it, it holds `evidence`, or, of the chunks that only this side
    has, it shares the most `words` with the statement. `statement` is "" where the judge split the reference in
    another way on each side. `other` is the same text on the other side, below its cut; None if it is not there.
    """

    statement: str
    place: Place
    other: Place | None
    known_by: KnownBy


def explain_recall(left: ScoredRecord, right: ScoredRecord, flow: ChunkFlow) -> tuple[RecallReason, ...]:
    """One reason per statement that is found on one side alone, in the order of the reference.

    Empty if context recall does not differ, or differs although both sides handed over the same text: then the
    difference is the judge's.
    """
    before, after = left.scores.get(METRIC), right.scores.get(METRIC)
    if before is None or after is None or before.value is None or after.value is None or before.value == after.value:
        return ()
    found = list(_by_statement(_statements(before), _statements(after), flow))
    if not found:
        side: SideName = "a" if before.value > after.value else "b"
        reason = _reason("", None, _handed_alone(flow, side), flow)
        found = [reason] if reason else []
    return tuple(found)


def _statements(score: Score) -> Mapping[str, Mapping[str, Any]]:
    entries = (score.detail or {}).get("statements", ())
    return {str(each["statement"]): each for each in entries if each.get("statement")}


def _by_statement(
    before: Mapping[str, Mapping[str, Any]], after: Mapping[str, Mapping[str, Any]], flow: ChunkFlow
) -> Iterator[RecallReason]:
    alone: dict[SideName, tuple[Place, ...]] = {"a": _handed_alone(flow, "a"), "b": _handed_alone(flow, "b")}
    for statement in dict.fromkeys((*before, *after)):
        a, b = before.get(statement), after.get(statement)
        if (a is None and before) or (b is None and after):  # the other side split the reference in another way
            continue
        in_a, in_b = bool(a and a["verdict"]), bool(b and b["verdict"])
        if in_a == in_b:
            continue
        side: SideName = "a" if in_a else "b"
        sentence = ((a if in_a else b) or {}).get("sentence")
        reason = _reason(statement, sentence, alone[side], flow)
        if reason:
            yield reason


def _handed_alone(flow: ChunkFlow, side: SideName) -> tuple[Place, ...]:
    """The chunks for the answer whose text the other side did not hand over."""
    found = []
    for place in flow.places(side):
        other = flow.counterpart(place)
        if place.handed and not (other and other.handed and other.hit.chunk.id == place.hit.chunk.id):
            found.append(place)
    return tuple(found)


def _reason(statement: str, sentence: str | None, alone: Sequence[Place], flow: ChunkFlow) -> RecallReason | None:
    if not alone:
        return None
    place, known_by = _holder(statement, sentence, alone)
    other = flow.counterpart(place)
    return RecallReason(statement, place, other, known_by)


def _holder(statement: str, sentence: str | None, alone: Sequence[Place]) -> tuple[Place, KnownBy]:
    wanted = " ".join((sentence or "").split())
    for place in alone:
        if wanted and wanted in " ".join(place.hit.chunk.text.split()):
            return place, "sentence"
    gold = next((place for place in alone if place.mark.gold), None)
    if gold:
        return gold, "evidence"
    terms = set(extract_terms(statement))
    best = max(alone, key=lambda place: (len(terms & set(extract_terms(place.hit.chunk.text))), -place.hit.rank))
    return best, "words"
