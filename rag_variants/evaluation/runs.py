"""One side of a comparison: every question's record with its marks and scores."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any

from pydantic import Field

from rag_variants.evaluation.judging.repeats import Noise
from rag_variants.llm.calls import Calls
from rag_variants.metrics import all_metrics
from rag_variants.pipeline.variant import Variant
from rag_variants.questions.gold import Mark
from rag_variants.types import Record, Score

LEFT_OUT_IF_UNKNOWN = Field(exclude_if=lambda value: not value)


@dataclass(frozen=True, slots=True)
class ScoredRecord:
    """One question of one side. `marks` holds the mark of every chunk in the ranking by chunk id."""

    record: Record
    marks: Mapping[str, Mark]
    scores: Mapping[str, Score]


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where documents or questions came from: a name, how many there are, and their fingerprint."""

    name: str
    count: int
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Documents(Provenance):
    """Where documents came from. `current` is the fingerprint of those that were current on `day` (2026-01-31).

    Both "" where a run was saved before these were.
    """

    day: Annotated[str, LEFT_OUT_IF_UNKNOWN] = ""
    current: Annotated[str, LEFT_OUT_IF_UNKNOWN] = ""


@dataclass(frozen=True, slots=True)
class JudgeNote:
    """Who judged, with everything that can change a verdict, and how far it agrees with people's labels."""

    spec: str
    settings: Mapping[str, Any]
    agreement: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class RunCalls:
    """Calls to models elsewhere that one side made: for its answers, reranking among them, its judge, its expansions.

    What both sides of an experiment ask is issued once, by the side that came first, and reused by the other.
    """

    answers: Calls = field(default_factory=Calls)
    judge: Calls = field(default_factory=Calls)
    queries: Calls = field(default_factory=Calls)

    @property
    def all(self) -> Calls:
        """All together."""
        return self.queries + self.answers + self.judge


@dataclass(frozen=True)
class Run:
    """One variant over a question set. `complete` is False if it was stopped before the last question.

    `notes` are what a reader has to know before believing it, sentences. `noise` is the judge's own, by
    metric, where the records were judged again.
    """

    variant: Variant
    versions: Mapping[str, str]
    knowledge: Documents
    questions: Provenance
    judge: JudgeNote | None
    metrics: tuple[str, ...]
    rows: tuple[ScoredRecord, ...]
    seed: int
    complete: bool
    seconds: float
    created: str
    slice: str | None = None
    notes: tuple[str, ...] = ()
    calls: RunCalls = field(default_factory=RunCalls)
    noise: Mapping[str, Noise] = field(default_factory=dict)

    @cached_property
    def failure(self) -> str | None:
        """The sentence to read first where every answer or every judgement failed, with the commonest reason."""
        unanswered = Counter(row.record.error for row in self.rows if row.record.error is not None)
        if self.rows and unanswered.total() == len(self.rows):
            return _failure("answer", unanswered)
        known = all_metrics()
        judged = [name for name in self.metrics if name in known and "judge" in known[name].needs]
        scores = [row.scores[name] for row in self.rows for name in judged if name in row.scores]
        unjudged = Counter(score.error for score in scores if score.error is not None)
        if not unjudged or any(score.value is not None for score in scores):
            return None
        return _failure("judgement", unjudged)


def _failure(what: str, reasons: Counter[str]) -> str:
    reason, count = reasons.most_common(1)[0]
    return f"Every {what} failed, so there is nothing to compare. {count} of {reasons.total()} times: {reason}"
