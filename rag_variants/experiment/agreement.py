"""How far a judge agrees with people's labels."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rag_variants.errors import CallError, ModelError
from rag_variants.experiment.plan import Plan
from rag_variants.experiment.sides import open_plan_judge
from rag_variants.judges.base import Judge
from rag_variants.questions.labels import JudgeLabel
from rag_variants.types import Question, Record
from rag_variants.variants.stages import Bench


@dataclass(frozen=True, slots=True)
class Judged:
    """A label with the judge's verdict on it; `unsure` counts as not supported."""

    label: JudgeLabel
    supported: bool
    unsure: bool


def measure_agreement(labels: Sequence[JudgeLabel], plan: Plan, bench: Bench) -> dict[str, Any]:
    """{judge, n, accuracy, kappa, unsure, by: {language, kind}, disagreements} of the plan's judge.

    Accuracy is the share of equal verdicts; kappa is Cohen's (1960), None where both sides never vary. Labels whose
    call failed count nowhere but in `failed`: [{id, error}], there only if one did. Raises ModelError if the plan asks
    no judge, CallError if calls are useless or all failed.
    """
    judge = open_plan_judge(plan, bench)
    if judge is None:
        raise ModelError("No metric of the plan asks a judge. Choose faithfulness.")
    judged, failed = asyncio.run(_judge_all(judge, labels))
    return {
        "judge": judge.spec,
        **_agreement(judged),
        "unsure": sum(each.unsure for each in judged),
        "by": {
            "language": _by(judged, lambda label: label.language),
            "kind": _by(judged, lambda label: label.kind),
        },
        "disagreements": [
            {
                "id": each.label.id,
                "label": int(each.label.supported),
                "judge": int(each.supported),
                "kind": each.label.kind,
                "statement": each.label.statement,
            }
            for each in judged
            if each.supported != each.label.supported
        ],
        **({"failed": [{"id": label.id, "error": str(error)} for label, error in failed]} if failed else {}),
    }


async def _judge_all(
    judge: Judge, labels: Sequence[JudgeLabel]
) -> tuple[list[Judged], list[tuple[JudgeLabel, CallError]]]:
    """The verdicts, and the labels whose call failed. Raises one that stops, and the first if none came back."""
    from rag_variants.judges.prompting import judge_statement

    async def judged(label: JudgeLabel) -> Judged:
        record = Record(Question(label.id, label.question or label.statement, tags=_language_tag(label)))
        verdict = await judge_statement(judge.open(record), label.context, label.statement)
        return Judged(label, verdict.verdict == 1, getattr(verdict, "label", None) == "unsure")

    found = await asyncio.gather(*(judged(label) for label in labels), return_exceptions=True)
    failed: list[tuple[JudgeLabel, CallError]] = []
    for label, each in zip(labels, found, strict=True):
        if isinstance(each, CallError) and not each.stops:
            failed.append((label, each))
        elif isinstance(each, BaseException):
            raise each
    if failed and len(failed) == len(labels):
        raise failed[0][1]
    return [each for each in found if isinstance(each, Judged)], failed


def _language_tag(label: JudgeLabel) -> tuple[tuple[str, str], ...]:
    return (("language", label.language),) if label.language else ()


def _by(judged: Sequence[Judged], read: Callable[[JudgeLabel], str | None]) -> dict[str, dict[str, Any]]:
    values = sorted({value for each in judged if (value := read(each.label)) is not None})
    return {value: _agreement([each for each in judged if read(each.label) == value]) for value in values}


def _agreement(judged: Sequence[Judged]) -> dict[str, Any]:
    count = len(judged)
    equal = sum(each.supported == each.label.supported for each in judged) / count
    yes, labelled = (
        sum(each.supported for each in judged) / count,
        sum(each.label.supported for each in judged) / count,
    )
    by_chance = yes * labelled + (1 - yes) * (1 - labelled)
    kappa = (equal - by_chance) / (1 - by_chance) if by_chance < 1 else None
    return {"n": count, "accuracy": equal, "kappa": kappa}
