"""What a score is when there is little to measure: the design's case table, and the one place that rounds."""

import inspect
import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from rag_variants.errors import CallError, UserError
from rag_variants.metrics.metric import (
    DIGITS,
    Detail,
    Group,
    Metric,
    MetricSet,
    Need,
    Place,
    Subject,
    Verdicts,
    Words,
    Worked,
)
from rag_variants.metrics.verdicts import UnreadableReplyError
from rag_variants.text.language import Language
from rag_variants.types import Score

# What asking a judge or an encoder may raise. UserError: a judge that cannot answer or keep its reply (ModelError,
# StateError); judges turn their client's errors into it. ValueError: ragas' checks of its inputs, and pydantic's and
# json's of a reply. OSError: a connection or a timeout. RuntimeError: an encoder that fails. Anything else is a bug.
JUDGE_FAILURES = (UserError, ValueError, OSError, RuntimeError)

Rule = Literal["compute", "zero", "unscored"]
Compute = Callable[[Subject], Score | Awaitable[Score]]
Reads = Literal["hits", "answer", "both", "record"]
_NONE: Mapping[Language, tuple[str, ...]] = MappingProxyType({})


def scored(
    value: float,
    reason: str | None = None,
    detail: Mapping[str, Any] | None = None,
    *,
    low: float = 0.0,
    high: float = 1.0,
) -> Score:
    """A Score rounded to nine digits; one with an error if the value is no number or lies outside low…high."""
    if not math.isfinite(value):
        return failed("the metric gave no number; see the replies in the details", detail)
    rounded = round(float(value), DIGITS) + 0.0
    if not low <= rounded <= high:
        return failed(f"the metric gave {value:g}, outside {low:g}…{high:g}; its verdicts are not usable", detail)
    return Score(rounded, reason, detail)


def amount(value: float, reason: str | None = None) -> Score:
    """A Score without a bound above: a count, a time, money."""
    return scored(value, reason, high=math.inf)


def unscored(reason: str, detail: Mapping[str, Any] | None = None) -> Score:
    """A Score without a value, because there is nothing to measure."""
    return Score(None, reason, detail)


def failed(error: str, detail: Mapping[str, Any] | None = None, reason: str | None = None) -> Score:
    """A Score without a value, because measuring did not work. `error` is a sentence."""
    return Score(None, reason, detail, error)


@dataclass(frozen=True, slots=True)
class Cases:
    """A metric's row of the case table.

    `nothing_retrieved`, `declined`: what the score is then (an empty answer counts as declined). `unanswerable`:
    whether a question without an answer is scored.
    """

    needs: frozenset[Need] = frozenset()
    reads: Reads = "record"
    nothing_retrieved: Rule = "compute"
    declined: Rule = "compute"
    unanswerable: bool = False

    @property
    def asks(self) -> bool:
        """Whether a judge is asked, for verdicts or for its embeddings alone."""
        return not self.needs.isdisjoint({"judge", "embeddings"})


def early_score(subject: Subject, cases: Cases) -> Score | None:
    """The score that is known before anything is measured, or None."""
    question, record = subject.record.question, subject.record
    if question.answerable is False and not cases.unanswerable:
        return unscored("the question has no answer in the documents")
    missing = _missing(subject, cases.needs)
    if missing:
        return unscored(missing)
    if cases.asks and subject.judge is None:
        return unscored("no judge is chosen")
    if cases.reads in ("hits", "both") and not record.hits:
        if record.error is not None:
            return failed(record.error, reason="the question could not be put to the documents")
        if cases.nothing_retrieved != "compute":
            return _by_rule(cases.nothing_retrieved, "nothing was retrieved", "nothing was retrieved")
    return _early_by_answer(subject, cases) if cases.reads in ("answer", "both") else None


def _early_by_answer(subject: Subject, cases: Cases) -> Score | None:
    answer, error = subject.record.answer, subject.record.error
    if answer is None:
        return failed(error, reason="there is no answer") if error else unscored("there is no answer")
    if answer.declined and cases.declined != "compute":
        return _by_rule(cases.declined, "the answer declined", "no claims to check: the answer declined")
    if not answer.text.strip() and cases.declined != "compute":
        return _by_rule(cases.declined, "the answer is empty", "no claims to check: the answer is empty")
    return None


def _by_rule(rule: Rule, zero: str, without: str) -> Score:
    return scored(0.0, zero) if rule == "zero" else unscored(without)


def _missing(subject: Subject, needs: frozenset[Need]) -> str | None:
    """Why what the metric needs to know about the question is not known, or None."""
    question = subject.record.question
    if "evidence" in needs:
        if not subject.gold.groups:
            return "the question names no evidence"
        placed = {each.group for each in subject.gold.occurrences}
        if not placed.issuperset(subject.gold.groups):
            first = subject.gold.missing[0].reason if subject.gold.missing else "a quote stands in no document"
            return f"the evidence is not in the documents: {first}"
    if "reference" in needs and not (question.reference or "").strip():
        return "the question has no reference answer"
    if "keys" in needs and not any(question.answer_keys):
        return "the question names no key facts"
    if "avoid" in needs and not question.avoid:
        return "the question names nothing to avoid"
    if "answerable" in needs and question.answerable is None:
        return "it is not known whether the documents answer the question"
    return None


def guarded(name: str, compute: Compute, cases: Cases) -> Callable[[Subject], Awaitable[Score]]:
    """The metric's `score`: the case table and what a judge is unfit for, the measuring, a judge's failure in words.

    It raises a UserError that `stops`, and of a metric that asks no judge whatever its own bug raises: who makes rows
    names it there.
    """

    async def score(subject: Subject) -> Score:
        early = early_score(subject, cases)
        if early is not None:
            return early
        if cases.asks and (unfit := getattr(subject.judge, "unfit", {}).get(name)):
            return unscored(unfit)
        try:
            result = compute(subject)
            return await result if inspect.isawaitable(result) else result
        except JUDGE_FAILURES as error:
            if not cases.asks or getattr(error, "stops", False):  # a key that is refused is refused every time
                raise
            return _failure(error)
        except Exception as error:
            if not cases.asks:
                raise
            # A judge may come from any package: what it raises is the failure of this score, whatever it is.
            judge = subject.judge.spec if subject.judge else "none"
            return failed(f"{name} failed under the judge {judge}: {type(error).__name__}: {error}")

    return score


def _failure(error: Exception) -> Score:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    if isinstance(error, UnreadableReplyError):
        detail = {"replies": error.replies} if error.replies else None
        return failed(f"the judge's reply is not readable: {lines[0]}", detail)
    if isinstance(error, CallError) and error.kind == "unreadable":
        raw = {"replies": [{"text": error.reply}]} if error.reply else None
        return failed(f"the judge's reply is not readable: {lines[0]}", raw)
    if isinstance(error, ValueError) and hasattr(error, "errors"):  # pydantic: the first line names only the model
        return failed(f"the judge's reply is not readable: {' '.join(line.strip() for line in lines[:3])}")
    return failed(f"the judge failed: {lines[0]}")


def make_metric(
    name: str,
    where: tuple[MetricSet, Group],
    english: tuple[str, ...],
    compute: Compute,
    cases: Cases,
    *,
    translations: Mapping[Language, tuple[str, ...]] = _NONE,
    term: str = "",
    keyless: Mapping[Language, tuple[str, ...]] = _NONE,
    higher_is_better: bool = True,
    lowest: float = 0.0,
    unit: str = "",
    mechanical: bool = False,
    quick: bool = False,
    headline: Place | None = None,
    typical: Literal["mean", "median"] = "mean",
    verdicts: Verdicts | None = None,
    work_out: Callable[[Detail], Worked] | None = None,
) -> Metric:
    """A Metric: `where` is its set and group, words are its label, what it measures and what it does not see."""
    return Metric(
        name=name,
        set=where[0],
        group=where[1],
        words={"en": Words(*english), **{language: Words(*each) for language, each in translations.items()}},
        score=guarded(name, compute, cases),
        higher_is_better=higher_is_better,
        lowest=lowest,
        needs=cases.needs,
        unit=unit,
        term=term,
        keyless={language: Words(*each) for language, each in keyless.items()},
        mechanical=mechanical,
        quick=quick,
        headline=headline,
        typical=typical,
        verdicts=verdicts,
        work_out=work_out,
    )
