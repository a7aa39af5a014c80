"""The parts of a run's file, schema `rag-variants/run/1`, as pydantic reads and writes them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import Field

from rag_variants.evaluation.judging.repeats import Noise
from rag_variants.evaluation.runs import LEFT_OUT_IF_UNKNOWN, JudgeNote, RunCalls
from rag_variants.llm.calls import Calls
from rag_variants.types import Evidence, Fault, Part, Score, Trap, TrapReason

_LEFT_OUT_IF_NONE = Field(exclude_if=lambda value: value is None)


@dataclass(frozen=True, slots=True)
class KnowledgePart:
    """Where the documents came from."""

    name: str
    documents: int
    fingerprint: str
    day: Annotated[str, LEFT_OUT_IF_UNKNOWN] = ""
    current: Annotated[str, LEFT_OUT_IF_UNKNOWN] = ""


@dataclass(frozen=True, slots=True)
class QuestionsPart:
    """Where the questions came from, and which of them were asked."""

    name: str
    count: int
    fingerprint: str
    slice: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FramePart:
    """What a document says before its numbers: who made it, of what, and who judged."""

    version: str
    created: str
    seed: int
    knowledge: KnowledgePart
    questions: QuestionsPart
    judge: JudgeNote | None


@dataclass(frozen=True, slots=True)
class VariantPart:
    """A variant with every setting and version; runs saved before calls were counted had none to speak of."""

    variant: str
    settings: Mapping[str, Any]
    versions: Mapping[str, str]
    calls: RunCalls = field(default_factory=RunCalls)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacePart:
    """A chunk at its rank."""

    rank: int
    chunk_id: str
    document: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HitPart(PlacePart):
    """A chunk that was handed over, with its text and its whole mark."""

    text: str
    score: float
    parts: Mapping[str, Part]
    gold: tuple[int, ...]
    part: bool
    trap: TrapReason | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedPart(PlacePart):
    """A chunk of the ranking; `passed_over` is the setting that left it out in favour of lower ones."""

    score: float
    parts: Mapping[str, Part]
    gold: tuple[int, ...]
    passed_over: Annotated[str | None, _LEFT_OUT_IF_NONE] = None


@dataclass(frozen=True, slots=True)
class ExpansionPart:
    """What was searched besides the question."""

    kind: str
    texts: tuple[str, ...]
    terms: Mapping[str, float]
    chunks: tuple[str, ...]
    cost_usd: float | None
    prompt_tokens: int | None
    completion_tokens: int | None
    seconds: float | None
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SidePart:
    """One side of a row; runs saved before answers could be simulated, recorded or paid for say nothing of it."""

    answer: str | None
    declined: bool | None
    citations: tuple[int, ...]
    cost_usd: float | None = None
    simulated: bool = False
    faults: tuple[Fault, ...] = ()
    origin: Mapping[str, str] = field(default_factory=dict)
    usage: Mapping[str, int | float | None] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    hits: tuple[HitPart, ...]
    ranking: tuple[RankedPart, ...]
    scores: Mapping[str, Score]
    timing_ms: Mapping[str, float]
    error: str | None
    expansion: Annotated[ExpansionPart | None, _LEFT_OUT_IF_NONE] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionPart:
    """A question as a row begins."""

    id: str
    question: str
    reference: str | None
    answerable: bool | None = None
    evidence: tuple[Evidence, ...] = ()
    answer_keys: tuple[tuple[str, ...], ...] = ()
    avoid: tuple[str, ...] = ()
    traps: tuple[Trap, ...] = ()
    tags: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class RowPart(QuestionPart):
    """A question with what one side made of it."""

    a: SidePart


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPart(FramePart):
    """One variant over a question set. `calls` are those of all askers together, for reading."""

    complete: bool
    notes: tuple[str, ...] = ()
    noise: Mapping[str, Noise] = field(default_factory=dict)
    a: VariantPart
    metrics: tuple[str, ...]
    rows: tuple[RowPart, ...]
    calls: Calls = field(default_factory=Calls)
    seconds: float
