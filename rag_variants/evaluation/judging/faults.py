"""Which planted faults of a run the judge caught, by kind, and what it refused although nothing was planted there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rag_variants.evaluation.runs import Run, ScoredRecord
from rag_variants.text.statements import split_statements
from rag_variants.text.terms import extract_terms
from rag_variants.types import Fault, FaultKind

Detection = Literal["caught", "missed", "not judged"]
Claim = Mapping[str, Any]
# A judge that words statements anew: one is of a sentence if this share of its terms stands there.
_SHARED = 0.6


@dataclass(frozen=True, slots=True)
class JudgedFault:
    """A planted fault, the question it stands under, and what the judge made of it."""

    question: str
    fault: Fault
    outcome: Detection


@dataclass(frozen=True, slots=True)
class FaultCount:
    """How many faults of a kind were planted, caught, missed, and not judged; the last three add up to the first."""

    kind: FaultKind
    planted: int
    caught: int
    missed: int
    not_judged: int


@dataclass(frozen=True, slots=True)
class FalseAlarm:
    """A statement of a simulated answer that holds no fault, and that the judge did not find supported."""

    question: str
    statement: str
    label: str | None


@dataclass(frozen=True, slots=True)
class FaultReview:
    """What a judge made of the simulated answers of a run. `honest` counts the judged statements without a fault."""

    answers: int
    faults: tuple[JudgedFault, ...]
    honest: int
    false_alarms: tuple[FalseAlarm, ...]

    @property
    def counts(self) -> tuple[FaultCount, ...]:
        """The counts of each kind that was planted, in the order of their names."""
        kinds = sorted({each.fault.kind for each in self.faults})
        return tuple(_count(kind, [each.outcome for each in self.faults if each.fault.kind == kind]) for kind in kinds)

    @property
    def missed(self) -> tuple[JudgedFault, ...]:
        """The faults that the judge found supported."""
        return tuple(each for each in self.faults if each.outcome == "missed")


def review_faults(run: Run) -> FaultReview | None:
    """The judge's hits and misses over the simulated answers of a run; None if it has none."""
    rows = [row for row in run.rows if row.record.answer is not None and row.record.answer.simulated]
    if not rows:
        return None
    honest = [(row, claim) for row in rows for claim in _honest(row)]
    alarms = (FalseAlarm(row.record.question.id, claim["statement"], claim.get("label"))
              for row, claim in honest if not claim["verdict"])  # fmt: skip
    faults = (JudgedFault(row.record.question.id, fault, outcome) for row in rows for fault, outcome in judge_row(row))
    return FaultReview(len(rows), tuple(faults), len(honest), tuple(alarms))


def judge_row(row: ScoredRecord) -> tuple[tuple[Fault, Detection], ...]:
    """Each fault planted in a row's answer with its outcome.

    Caught: a statement that carries the fault was not found supported (unsure counts as not). Missed: all that carry
    it were. Not judged: there is no faithfulness score, or the judge made no statement of the sentence.
    """
    faults = row.record.answer.faults if row.record.answer else ()
    claims = _claims(row)
    return tuple((fault, _outcome(_carrying(fault, claims))) for fault in faults)


def _outcome(carrying: Sequence[Claim]) -> Detection:
    if not carrying:
        return "not judged"
    return "missed" if all(claim["verdict"] for claim in carrying) else "caught"


def _count(kind: FaultKind, outcomes: Sequence[Detection]) -> FaultCount:
    caught, missed = outcomes.count("caught"), outcomes.count("missed")
    return FaultCount(kind, len(outcomes), caught, missed, outcomes.count("not judged"))


def _claims(row: ScoredRecord) -> list[Claim]:
    """The judged statements of the answer; none where faithfulness was not scored."""
    score = row.scores.get("faithfulness")
    if score is None or score.value is None or not score.detail:
        return []
    return [claim for claim in score.detail.get("claims", ()) if claim.get("statement")]


def _honest(row: ScoredRecord) -> list[Claim]:
    """The judged statements that carry no fault."""
    claims = _claims(row)
    faults = row.record.answer.faults if row.record.answer else ()
    carrying = [id(claim) for fault in faults for claim in _carrying(fault, claims)]
    return [claim for claim in claims if id(claim) not in carrying]


def _carrying(fault: Fault, claims: Sequence[Claim]) -> list[Claim]:
    """The statements that hold what is wrong: word for word, else the near ones with words that were changed."""
    honest = {_level(piece) for piece in split_statements(fault.source or "")}
    pieces = [_level(piece) for piece in split_statements(fault.said)]
    wrong = [piece for piece in pieces if piece not in honest] or pieces
    found = [claim for claim in claims if any(piece in _level(claim["statement"]) for piece in wrong)]
    return found or _carrying_terms(fault, claims)


def _carrying_terms(fault: Fault, claims: Sequence[Claim]) -> list[Claim]:
    said = set(extract_terms(fault.said))
    changed = said - set(extract_terms(fault.source or ""))
    near = [claim for claim in claims if _share(extract_terms(claim["statement"]), said) >= _SHARED]
    return [claim for claim in near if changed.intersection(extract_terms(claim["statement"]))] or near


def _share(terms: Sequence[str], of: set[str]) -> float:
    return sum(term in of for term in terms) / len(terms) if terms else 0.0


def _level(text: str) -> str:
    """A text without what differs between a sentence and the statement made of it: case, blanks, the full stop."""
    return " ".join(text.casefold().split()).strip(" .。!！;；")
