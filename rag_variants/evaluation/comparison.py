"""What a comparison is: two runs, question by question and metric by metric."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

from rag_variants.evaluation.differences import count_once, pair_rows
from rag_variants.evaluation.judging.band import Band
from rag_variants.evaluation.judging.judge_error import JudgeError
from rag_variants.evaluation.runs import Run, ScoredRecord
from rag_variants.evaluation.statistics.paired import Delta
from rag_variants.metrics import METRICS, leading_metrics
from rag_variants.pipeline.idle import differ_in_effect

# The one metric that the summary leads with is fixed before the run, never the largest delta.
HEADLINE_RETRIEVAL = leading_metrics("retrieval")
HEADLINE_ANSWERS = leading_metrics("answers")


@dataclass(frozen=True, slots=True)
class Headline:
    """The metrics that a summary leads with: of retrieval, of the answers, or the one that was asked for instead."""

    retrieval: str | None
    answers: str | None

    @property
    def metrics(self) -> tuple[str, ...]:
        """Both, retrieval first, as far as there are any."""
        return tuple(name for name in (self.retrieval, self.answers) if name)


def headline_of(names: Collection[str]) -> Headline:
    """The headline of a run with these metrics, which is fixed before it, whatever comes out.

    The first there is of HEADLINE_RETRIEVAL, and of HEADLINE_ANSWERS; without either the first of the tested metrics
    in the order of the registry, in the place of what it looks at. Neither where no metric is tested.
    """
    retrieval = next((name for name in HEADLINE_RETRIEVAL if name in names), None)
    answers = next((name for name in HEADLINE_ANSWERS if name in names), None)
    if not retrieval and not answers:
        asked = next((metric for metric in METRICS.values() if metric.tested and metric.name in names), None)
        if asked is not None:
            of_answer = asked.group == "Answered it?"
            return Headline(None, asked.name) if of_answer else Headline(asked.name, None)
    return Headline(retrieval, answers)


@dataclass(frozen=True, slots=True)
class Means:
    """One side's mean over the pairs, and over everything that was scored on it."""

    mean: float | None
    n: int
    all_mean: float | None
    all_n: int


@dataclass(frozen=True, slots=True)
class Unscored:
    """Questions without a score: on A alone, on B alone, on both."""

    a: int
    b: int
    both: int


@dataclass(frozen=True, slots=True)
class MetricComparison:
    """One metric on both sides; the delta is B − A over questions scored on both.

    `band` is there if the judge was unsure, `judge_error` if its agreement with labels is known, and `noise_floor` if
    it judged the same records again: the 95 % point of |delta| from judging alone.
    """

    a: Means
    b: Means
    delta: Delta
    unscored: Unscored
    band: Band | None = None
    judge_error: JudgeError | None = None
    noise_floor: float | None = None

    @property
    def inside_noise(self) -> bool:
        """Whether the judge's own noise alone gives a delta as large as this one, or larger."""
        return self.noise_floor is not None and 0 < abs(self.delta.mean or 0.0) <= self.noise_floor


@dataclass(frozen=True, slots=True)
class Spread:
    """A described quantity: mean, median and 95th percentile over the questions that have it; None if none has."""

    mean: float | None
    median: float | None
    p95: float | None
    n: int


@dataclass(frozen=True, slots=True)
class EffortComparison:
    """An effort metric on both sides and B's mean ÷ A's mean (None if A's is 0 or missing). Never tested."""

    a: Spread
    b: Spread
    ratio: float | None


@dataclass(frozen=True, slots=True)
class SliceDelta:
    """A metric's delta inside a slice: no verdict, because slices are looked at after the fact."""

    mean: float | None
    n: int
    wins: int
    ties: int
    losses: int


@dataclass(frozen=True)
class Comparison:
    """Two runs over the same questions, question by question and metric by metric.

    `critical` is a slice such as `risk=high`: its questions are reported apart. It changes no number.
    """

    a: Run
    b: Run
    metrics: Mapping[str, MetricComparison]
    effort: Mapping[str, EffortComparison]
    slices: Mapping[str, Mapping[str, SliceDelta]]
    warnings: tuple[str, ...]
    critical: str = ""

    @cached_property
    def pairs(self) -> tuple[tuple[ScoredRecord, ScoredRecord], ...]:
        """The rows of both sides by question, in file order."""
        return tuple(pair_rows(self.a, self.b))

    @cached_property
    def counted(self) -> tuple[tuple[ScoredRecord, ScoredRecord], ...]:
        """The pairs that count: of questions that are equal in text, reference and evidence the first alone."""
        return count_once(self.pairs)

    @property
    def differing(self) -> tuple[tuple[str, str | None, str | None], ...]:
        """The settings that differ and do something: (name, A's value, B's value). `warnings` name the others."""
        return differ_in_effect(self.a.variant, self.b.variant)

    @property
    def judge(self) -> str:
        """The spec of the judge of both sides; "" if none was needed."""
        return self.a.judge.spec if self.a.judge else ""

    @cached_property
    def headline(self) -> Headline:
        """The metrics that the summary leads with."""
        return headline_of(self.metrics)

    @property
    def more_text(self) -> float | None:
        """How many times as much text B hands to the answer as A; None if unknown."""
        effort = self.effort.get("context_characters")
        return effort.ratio if effort else None
