"""Verdicts beside labels → the figures of an agreement."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rag_variants.evaluation.judging.kappa import agree
from rag_variants.questions.labels import JudgeLabel


@dataclass(frozen=True, slots=True)
class Judged:
    """A label with the judge's verdict on it and its reason; `unsure` counts as not supported."""

    label: JudgeLabel
    supported: bool
    unsure: bool
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Failed:
    """A label without a verdict, and the sentence that says why."""

    label: JudgeLabel
    error: str


def agreement_figures(judge: str, judged: Sequence[Judged], failed: Sequence[Failed] = ()) -> dict[str, Any]:
    """{judge, n, accuracy, kappa, unsure, by: {metric, language, kind}, disagreements}, `failed` if there are any.

    Accuracy is the share of equal verdicts; kappa is Cohen's, None where both sides never vary. What failed counts
    nowhere but in `failed`: [{id, error}].
    """
    return {
        "judge": judge,
        **_figures(judged),
        "unsure": sum(each.unsure for each in judged),
        "by": {
            "metric": _by(judged, lambda label: label.metric),
            "language": _by(judged, lambda label: label.language),
            "kind": _by(judged, lambda label: label.kind),
        },
        "disagreements": [_disagreement(each) for each in judged if each.supported != each.label.supported],
        **({"failed": [{"id": each.label.id, "error": each.error} for each in failed]} if failed else {}),
    }


def _disagreement(each: Judged) -> dict[str, Any]:
    return {
        "id": each.label.id,
        "metric": each.label.metric,
        "label": int(each.label.supported),
        "judge": int(each.supported),
        "kind": each.label.kind,
        "statement": each.label.statement,
        "reason": each.reason,
    }


def _by(judged: Sequence[Judged], read: Callable[[JudgeLabel], str | None]) -> dict[str, dict[str, Any]]:
    values = sorted({value for each in judged if (value := read(each.label)) is not None})
    return {value: _figures([each for each in judged if read(each.label) == value]) for value in values}


def _figures(judged: Sequence[Judged]) -> dict[str, Any]:
    found = agree((each.supported, each.label.supported) for each in judged)
    return {"n": found.n, "accuracy": found.accuracy, "kappa": found.kappa}
