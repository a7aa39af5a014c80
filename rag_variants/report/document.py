"""A comparison as a JSON document, schema `rag-variants/comparison/1`."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rag_variants.evaluation.comparison import Comparison, EffortComparison, Means, MetricComparison
from rag_variants.evaluation.gates.gates import JudgedRequirement
from rag_variants.evaluation.reasons.critical import critical_questions
from rag_variants.evaluation.reasons.signals import count_signals, find_signals
from rag_variants.evaluation.runs import ScoredRecord
from rag_variants.metrics import all_metrics
from rag_variants.report.critical import critical_document
from rag_variants.report.requirements import requirements_document
from rag_variants.report.signals import row_document, signals_document
from rag_variants.storage.run_documents import (
    calls_document,
    frame_document,
    question_document,
    side_document,
    variant_document,
)

COMPARISON_SCHEMA = "rag-variants/comparison/1"


def comparison_document(comparison: Comparison, findings: Sequence[JudgedRequirement] = ()) -> dict[str, Any]:
    """A comparison as plain data, with what a gate found. `b` names its own documents, questions or judge if unlike."""
    a, b = comparison.a, comparison.b
    frame, other = frame_document(a), frame_document(b)
    unlike = {name: other[name] for name in ("knowledge", "questions", "judge") if other[name] != frame[name]}
    critical = critical_questions(comparison)
    return {
        "schema": COMPARISON_SCHEMA,
        **frame,
        "complete": a.complete and b.complete,
        "a": variant_document(a),
        "b": {**variant_document(b), **unlike},
        "differing": [{"setting": name, "a": left, "b": right} for name, left, right in comparison.differing],
        "warnings": list(comparison.warnings),
        "requirements": requirements_document(findings),
        "metrics": {name: metric_document(name, each) for name, each in comparison.metrics.items()},
        "effort": {name: _effort(each) for name, each in comparison.effort.items()},
        "slices": {
            label: {name: asdict(delta) for name, delta in deltas.items()}
            for label, deltas in comparison.slices.items()
        },
        "critical": critical_document(critical) if critical else None,
        "signals": signals_document(count_signals(comparison)),
        "rows": [
            {**question_document(left), "a": _side(left, comparison.judge), "b": _side(right, comparison.judge)}
            for left, right in comparison.pairs
        ],
        "calls": calls_document(a, b),
        "seconds": a.seconds + b.seconds,
    }


def metric_document(name: str, compared: MetricComparison) -> dict[str, Any]:
    """One metric of a comparison as plain data."""
    delta = asdict(compared.delta)
    return {
        "set": all_metrics()[name].set,
        "higher_is_better": all_metrics()[name].higher_is_better,
        "a": _means(compared.a),
        "b": _means(compared.b),
        "delta": {**delta, "unscored": asdict(compared.unscored)},
        "band": asdict(compared.band) if compared.band else None,
        "judge_error": asdict(compared.judge_error) if compared.judge_error else None,
        "noise_floor": compared.noise_floor,
        "inside_noise": compared.inside_noise,
    }


def _side(row: ScoredRecord, judge: str) -> dict[str, Any]:
    return {**side_document(row), "signals": row_document(find_signals(row), judge)}


def _means(side: Means) -> dict[str, Any]:
    return {"mean": side.mean, "n": side.n, "all": {"mean": side.all_mean, "n": side.all_n}}


def _effort(compared: EffortComparison) -> dict[str, Any]:
    return asdict(compared)
