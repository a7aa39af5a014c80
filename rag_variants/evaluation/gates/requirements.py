"""The written form of a requirement: `context_recall not worse by 0.02 in area=billing`, `B.faithfulness>=0.9`."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from rag_variants.errors import UserError, unknown
from rag_variants.metrics import all_metrics
from rag_variants.questions.sets import QuestionSet
from rag_variants.types import Question

Operator = Literal[">=", "<=", ">", "<"]

_FORM = re.compile(
    r"\s*(?:(?P<side>[AB])\s*\.\s*)?(?P<metric>[^\s.<>=≥≤]+)\s*"
    r"(?:(?P<operator>>=|<=|≥|≤|>|<)\s*(?P<bound>\S+)|not\s+worse(?:\s+by\s+(?P<margin>\S+))?)"
    r"(?:\s+in\s+(?P<part>\S.*?))?\s*"
)
_OPERATORS: Mapping[str, Operator] = {">=": ">=", "≥": ">=", "<=": "<=", "≤": "<=", ">": ">", "<": "<"}
_EXAMPLES = "'context_recall not worse', 'context_recall not worse by 0.02 in area=billing' or 'B.faithfulness>=0.9'"


class RequirementError(UserError):
    """A requirement that cannot be read, or that this comparison cannot decide."""


@dataclass(frozen=True, slots=True)
class Level:
    """A bound on the mean of one side, in the metric's unit."""

    side: Literal["A", "B"]
    operator: Operator
    bound: float


@dataclass(frozen=True, slots=True)
class NotWorse:
    """B may not be worse than A; with a margin (≥ 0, in the metric's unit) it has to be shown that it is not."""

    margin: float | None


@dataclass(frozen=True, slots=True)
class Requirement:
    """What one metric has to do, on every question or in the slice `part` ("": every question)."""

    text: str
    metric: str
    wanted: Level | NotWorse
    part: str


def read_requirement(text: str) -> Requirement:
    """The requirement that a text writes; a level without a side is B's.

    Metric names count whole, never by their beginning. Raises RequirementError for a text that is none, an unknown
    metric, a number that is none or that no quality metric can reach, and "not worse" of an effort metric, which is
    never tested.
    """
    found = _FORM.fullmatch(text)
    if found is None:
        raise RequirementError(f"{text[:80]!r} is no requirement. Write for example {_EXAMPLES}.")
    metric = found["metric"]
    if metric not in all_metrics():
        raise RequirementError(unknown("metric", metric, all_metrics()))
    part = found["part"] or ""
    if found["operator"]:
        side: Literal["A", "B"] = "A" if found["side"] == "A" else "B"
        wanted = Level(side, _OPERATORS[found["operator"]], _number(found["bound"], metric))
        return Requirement(text.strip(), metric, wanted, part)
    if found["side"]:
        raise RequirementError(f'{text.strip()!r}: "not worse" compares B with A. Leave out {found["side"]}.')
    if all_metrics()[metric].set == "effort":
        raise RequirementError(f"{metric} is described, never tested. Write a bound, such as 'B.{metric}<=100'.")
    margin = None if found["margin"] is None else _number(found["margin"], metric)
    if margin is not None and margin < 0:
        raise RequirementError(f"{text.strip()!r}: the margin is below 0. Write how much worse B may be, such as 0.02.")
    return Requirement(text.strip(), metric, NotWorse(margin), part)


def check_requirements(
    requirements: Sequence[Requirement], measured: Iterable[str], questions: Iterable[Question]
) -> None:
    """Nothing, if every requirement can be decided: its metric is measured, its slice holds a question.

    Raises RequirementError or QuestionsError, before any work is done.
    """
    names = set(measured)
    asked = QuestionSet("the run", tuple(questions))
    for each in requirements:
        if each.metric not in names:
            raise RequirementError(
                f"{each.text!r}: {each.metric} is not measured in this run. Add it with --metrics, or drop it."
            )
        if each.part:
            asked.restricted(each.part)


def _number(text: str, metric: str) -> float:
    """A number in the metric's unit; quality metrics lie in 0…1, and answer relevancy in −1…1."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise RequirementError(f"{text[:40]!r} is no number. Write for example 0.9.")
    if all_metrics()[metric].set != "effort" and abs(value) > 1:
        raise RequirementError(f"{text[:40]!r}: {metric} cannot go beyond 1. Write a share, such as 0.9 for 90 %.")
    return value
