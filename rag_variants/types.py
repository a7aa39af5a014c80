"""The values that flow through a comparison; all frozen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal

TrapReason = Literal["stale", "contradicts", "injection", "twin"]
FaultKind = Literal["number", "date", "negation", "elsewhere"]

# What a text does to a statement; `unsure` where the judge cannot tell.
SupportLabel = Literal["supported", "contradicted", "missing", "unsure"]


@dataclass(frozen=True, slots=True)
class Document:
    """A text with its path below the knowledge base's folder; spans count characters of `text`."""

    path: str
    text: str
    title: str
    language: str
    version: str | None = None
    valid_from: date | None = None
    valid_until: date | None = None
    supersedes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chunk:
    """The piece `[start, end)` of a document. Its identity is its id, never its text."""

    document: str
    start: int
    end: int
    text: str
    language: str

    @property
    def id(self) -> str:
        """`path:start-end`."""
        return f"{self.document}:{self.start}-{self.end}"

    @property
    def order(self) -> tuple[str, int, int]:
        """The rule for ties: by document, then start."""
        return (self.document, self.start, self.end)


@dataclass(frozen=True, slots=True)
class Evidence:
    """A quote that answers (part of) a question. Entries of one group are alternatives; all groups are needed."""

    document: str
    quote: str
    group: int
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Trap:
    """A passage that misleads, and why."""

    document: str
    quote: str
    why: TrapReason


@dataclass(frozen=True, slots=True)
class Question:
    """A question with what is known about its right answer. Only `user_input` has to be known."""

    id: str
    user_input: str
    reference: str | None = None
    answerable: bool | None = None
    evidence: tuple[Evidence, ...] = ()
    answer_keys: tuple[tuple[str, ...], ...] = ()
    avoid: tuple[str, ...] = ()
    traps: tuple[Trap, ...] = ()
    tags: tuple[tuple[str, str], ...] = ()

    def tag(self, name: str) -> str | None:
        """The value of a tag, or None."""
        return dict(self.tags).get(name)


@dataclass(frozen=True, slots=True)
class Part:
    """What one list gave to a hit: its rank there (from 1), the score there, and the share of the final score."""

    rank: int
    score: float
    share: float


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk at its rank (from 1). Scores of different retrievers cannot be compared."""

    rank: int
    chunk: Chunk
    score: float
    parts: tuple[tuple[str, Part], ...] = ()


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault planted in a simulated answer: the sentence as it is said, and as it stands in the source.

    `source` is None where the hits hold no such sentence (kind `elsewhere`).
    """

    kind: FaultKind
    said: str
    source: str | None


@dataclass(frozen=True, slots=True)
class Answer:
    """What was answered. `citations` are ranks of the hits used; `declined` is the answerer's own word.

    `cost_usd` is 0 for embedded answerers and None where no price is known. `simulated`: the answerer was set to plant
    faults, and `faults` is the key to them. `origin` says where a recorded answer came from (model, created, …).
    Tokens and `seconds` on the wire are those of a chat model's call, None where there was none or it was not said.
    `notes` are what a reader of this answer has to know.
    """

    text: str
    declined: bool = False
    citations: tuple[int, ...] = ()
    cost_usd: float | None = None
    simulated: bool = False
    faults: tuple[Fault, ...] = ()
    origin: tuple[tuple[str, str], ...] = ()
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    seconds: float | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Expansion:
    """What was searched besides the question.

    `texts` are a chat model's: other wordings, or a passage. `terms` are (term, weight) of those that the question does
    not have, `chunks` the ids of the chunks that terms and meaning were taken from. `cost_usd` is 0 where nobody was
    asked and None where no price is known; the rest of a call is as in Answer.
    """

    kind: str
    texts: tuple[str, ...] = ()
    terms: tuple[tuple[str, float], ...] = ()
    chunks: tuple[str, ...] = ()
    cost_usd: float | None = 0.0
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    seconds: float | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """One question through one variant: the ranking to the depth kept, the hits selected, the answer.

    `error` is the sentence that says why there is no answer; `timing_ms` is by stage; `expansion` is None where the
    question alone was searched. `passed_over` are ranks in the ranking that were left out in favour of lower ones, each
    with the setting that did it.
    """

    question: Question
    ranking: Sequence[Hit] = ()
    hits: tuple[Hit, ...] = ()
    answer: Answer | None = None
    timing_ms: Mapping[str, float] = field(default_factory=dict)
    error: str | None = None
    expansion: Expansion | None = None
    passed_over: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Score:
    """A value with its reason. `value` None is "not scored", which is not zero; `error` is set if judging failed."""

    value: float | None
    reason: str | None = None
    detail: Mapping[str, Any] | None = None
    error: str | None = None
