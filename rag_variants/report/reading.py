"""A file of a run or a comparison → what it holds, with the numbers that stand in it."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rag_variants.evaluation.comparison import (
    Comparison,
    EffortComparison,
    Means,
    MetricComparison,
    SliceDelta,
    Spread,
    Unscored,
)
from rag_variants.evaluation.gates.gates import Finding
from rag_variants.evaluation.gates.requirements import read_requirement
from rag_variants.evaluation.judging.band import Band, Ends
from rag_variants.evaluation.judging.judge_error import JudgeError
from rag_variants.evaluation.runs import Run
from rag_variants.evaluation.statistics.paired import Delta
from rag_variants.report.document import COMPARISON_SCHEMA
from rag_variants.storage.run_files import RUN_SCHEMA, RunFileError, read_document, read_run


@dataclass(frozen=True, slots=True)
class ReadComparison:
    """A comparison, and what a gate found in it when it was made."""

    comparison: Comparison
    findings: tuple[Finding, ...]


def load_result(path: Path) -> Run | ReadComparison:
    """The run or comparison of a file. Nothing is computed again: a comparison keeps the numbers it was written with.

    Raises RunFileError, one sentence, if the file is missing, broken, newer or not ours.
    """
    document = read_document(path)
    schema = document["schema"]
    if schema == RUN_SCHEMA:
        return read_run(document, path)
    if schema != COMPARISON_SCHEMA:
        raise RunFileError(f"{path} holds {schema}, which cannot be shown. Give the file of a run or a comparison.")
    try:
        return _read_comparison(document, path)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RunFileError(f"{path} is broken ({type(error).__name__}: {error}). Make the comparison again.") from error


def _read_comparison(document: Mapping[str, Any], path: Path) -> ReadComparison:
    metrics = [*document["metrics"], *document["effort"]]
    a, b = (read_run(_side(document, side, metrics), path) for side in ("a", "b"))
    comparison = Comparison(
        a=a,
        b=b,
        metrics={name: _metric(each) for name, each in document["metrics"].items()},
        effort={
            name: EffortComparison(Spread(**each["a"]), Spread(**each["b"]), each["ratio"])
            for name, each in document["effort"].items()
        },
        slices={
            label: {name: SliceDelta(**each) for name, each in deltas.items()}
            for label, deltas in document["slices"].items()
        },
        warnings=tuple(document["warnings"]),
        critical=(document.get("critical") or {}).get("chosen", ""),
    )
    return ReadComparison(comparison, tuple(_finding(each) for each in document.get("requirements", ())))


def _side(document: Mapping[str, Any], side: str, metrics: list[str]) -> dict[str, Any]:
    """One side of a comparison as the document of a run; B may name documents, questions or a judge of its own."""
    about = document[side]
    own = {name: about[name] for name in ("knowledge", "questions", "judge") if name in about}
    rows = [{**row, "a": row[side]} for row in document["rows"]]
    return {**document, **own, "a": about, "metrics": metrics, "rows": rows, "seconds": document["seconds"] / 2}


def _metric(document: Mapping[str, Any]) -> MetricComparison:
    delta = dict(document["delta"])
    unscored = Unscored(**delta.pop("unscored"))
    band, error = document.get("band"), document.get("judge_error")
    return MetricComparison(
        _means(document["a"]),
        _means(document["b"]),
        _delta(delta),
        unscored,
        Band(**{**band, **{side: Ends(**band[side]) for side in ("a", "b", "delta")}}) if band else None,
        JudgeError(**error) if error else None,
        document.get("noise_floor"),
    )


def _means(document: Mapping[str, Any]) -> Means:
    return Means(document["mean"], document["n"], document["all"]["mean"], document["all"]["n"])


def _delta(document: Mapping[str, Any]) -> Delta:
    interval = document["ci95"]
    ends = (interval[0], interval[1]) if interval else None
    return Delta(**{**document, "ci95": ends, "carried_by": tuple(document["carried_by"])})


def _finding(document: Mapping[str, Any]) -> Finding:
    return Finding(
        requirement=read_requirement(document["requirement"]),
        outcome=document["outcome"],
        reason=document["reason"],
        mean=document["mean"],
        n=document["n"],
        of=document["questions"],
        failed=document["failed"],
        delta=_delta(document["delta"]) if document["delta"] else None,
    )
