"""One side of a comparison: every question's record with its marks and scores."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rag_variants.evaluation.judging.repeats import Noise
from rag_variants.llm.calls import Calls
from rag_variants.pipeline.variant import Variant
from rag_variants.questions.gold import Mark
from rag_variants.types import Record, Score


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
    knowledge: Provenance
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
