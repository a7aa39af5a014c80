"""A file of a run or a comparison → what it holds, with the numbers that stand in it."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal

from rag_variants.evaluation.comparison import (
    Comparison,
    EffortComparison,
    Means,
    MetricComparison,
    SliceDelta,
    Unscored,
)
from rag_variants.evaluation.gates.gates import JudgedRequirement, Outcome
from rag_variants.evaluation.gates.requirements import read_requirement
from rag_variants.evaluation.judging.band import Band
from rag_variants.evaluation.judging.judge_error import JudgeError
from rag_variants.evaluation.runs import JudgeNote, Run
from rag_variants.evaluation.statistics.paired import Delta
from rag_variants.report.document import COMPARISON_SCHEMA
from rag_variants.storage.run_documents import RUN_SCHEMA
from rag_variants.storage.run_files import RunFileError, load_run, read_part, read_row, read_run, read_text
from rag_variants.storage.run_parts import FramePart, KnowledgePart, QuestionPart, QuestionsPart, SidePart, VariantPart


@dataclass(frozen=True, slots=True)
class ReadComparison:
    """A comparison, and what a gate found in it when it was made."""

    comparison: Comparison
    findings: tuple[JudgedRequirement, ...]


@dataclass(frozen=True, slots=True)
class AllPart:
    """A mean over everything that was scored."""

    mean: float | None
    n: int


@dataclass(frozen=True, slots=True)
class MeansPart(AllPart):
    """A mean over the pairs, beside the one over all."""

    all: AllPart


@dataclass(frozen=True, slots=True, kw_only=True)
class DeltaPart(Delta):
    """A delta with how many questions were not scored."""

    unscored: Unscored


@dataclass(frozen=True, slots=True)
class MetricPart:
    """One metric of a comparison."""

    a: MeansPart
    b: MeansPart
    delta: DeltaPart
    band: Band | None = None
    judge_error: JudgeError | None = None
    noise_floor: float | None = None


@dataclass(frozen=True, slots=True)
class FindingPart:
    """What a gate found."""

    requirement: str
    outcome: Outcome
    reason: str
    mean: float | None
    n: int
    questions: int
    failed: int
    delta: Delta | None


@dataclass(frozen=True, slots=True)
class CriticalPart:
    """Which questions are reported apart."""

    chosen: str


@dataclass(frozen=True, slots=True)
class OtherPart(VariantPart):
    """B, with what it does not share with A."""

    knowledge: KnowledgePart | None = None
    questions: QuestionsPart | None = None
    judge: JudgeNote | Literal["as A"] | None = "as A"


@dataclass(frozen=True, slots=True, kw_only=True)
class PairPart(QuestionPart):
    """A question with what both sides made of it."""

    a: SidePart
    b: SidePart


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonPart(FramePart):
    """The file of a comparison, but for what is made of the rest."""

    complete: bool
    a: VariantPart
    b: OtherPart
    warnings: tuple[str, ...]
    requirements: tuple[FindingPart, ...] = ()
    metrics: Mapping[str, MetricPart]
    effort: Mapping[str, EffortComparison]
    slices: Mapping[str, Mapping[str, SliceDelta]]
    critical: CriticalPart | None = None
    rows: tuple[PairPart, ...]
    seconds: float


def load_result(path: Path) -> Run | ReadComparison:
    """The run or comparison of a file. Nothing is computed again: a comparison keeps the numbers it was written with.

    Raises RunFileError, one sentence, if the file is missing, broken, newer or not ours.
    """
    schema, text = read_text(path)
    if schema == RUN_SCHEMA:
        return load_run(path)
    if schema != COMPARISON_SCHEMA:
        raise RunFileError(f"{path} holds {schema}, which cannot be shown. Give the file of a run or a comparison.")
    return _read_comparison(path, read_part(ComparisonPart, text, path, "Make the comparison again."))


def _read_comparison(path: Path, part: ComparisonPart) -> ReadComparison:
    b = part.b
    own: dict[str, Any] = {name: found for name in ("knowledge", "questions") if (found := getattr(b, name))}
    own |= {} if b.judge == "as A" else {"judge": b.judge}
    more = {"metrics": (*part.metrics, *part.effort), "complete": part.complete, "seconds": part.seconds / 2}
    comparison = Comparison(
        a=read_run(path, part, part.a, rows=tuple(read_row(row, row.a) for row in part.rows), **more),
        b=read_run(path, replace(part, **own), b, rows=tuple(read_row(row, row.b) for row in part.rows), **more),
        metrics={name: _metric(each) for name, each in part.metrics.items()},
        effort=part.effort,
        slices=part.slices,
        warnings=part.warnings,
        critical=part.critical.chosen if part.critical else "",
    )
    return ReadComparison(comparison, tuple(map(_finding, part.requirements)))


def _metric(part: MetricPart) -> MetricComparison:
    a, b = (Means(each.mean, each.n, each.all.mean, each.all.n) for each in (part.a, part.b))
    delta = Delta(**{each.name: getattr(part.delta, each.name) for each in fields(Delta)})
    return MetricComparison(a, b, delta, part.delta.unscored, part.band, part.judge_error, part.noise_floor)


def _finding(part: FindingPart) -> JudgedRequirement:
    same = {name: getattr(part, name) for name in ("outcome", "reason", "mean", "n", "failed", "delta")}
    return JudgedRequirement(requirement=read_requirement(part.requirement), of=part.questions, **same)
