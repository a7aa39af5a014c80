"""What a person says of a judge's verdicts, kept apart from them, and what the scores would then be."""

import asyncio
import statistics as means
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.runs import ScoredRecord
from rag_variants.judges.entered import GeneratedQuestion
from rag_variants.metrics import METRICS
from rag_variants.metrics.answer_relevancy import readings_of
from rag_variants.metrics.laboratory import score_entered
from rag_variants.metrics.metric import Verdicts
from rag_variants.types import Record, Score

# What gives the score of a metric for verdicts, or for answer relevancy for readings, in place of the judge's.
Scorer = Callable[[str, tuple[bool, ...], tuple[GeneratedQuestion, ...]], Score]


@dataclass(frozen=True, slots=True)
class Case:
    """What a verdict is about, by value: the same statement against the same text is one case on both sides.

    `context` is what was judged against: all chunks handed over, or the one chunk. `statement` is the claim, for
    context precision the reference, for answer relevancy the answer.
    """

    metric: str
    question_id: str
    question: str
    context: str
    statement: str


@dataclass(frozen=True, slots=True)
class JudgedCase:
    """A judge's verdict on a case. For answer relevancy it is True if the answer is evasive."""

    case: Case
    judged: bool


@dataclass(frozen=True, slots=True)
class Label:
    """A person's verdict on a case beside the judge's own; `judge` is the judge's spec."""

    case: Case
    verdict: bool
    judged: bool
    judge: str

    @property
    def agrees(self) -> bool:
        """Whether the judge said the same."""
        return self.verdict == self.judged


@dataclass(frozen=True)
class Labels:
    """A person's labels by case. A value: adding or removing one gives another."""

    given: Mapping[Case, Label] = field(default_factory=lambda: MappingProxyType({}))

    def add(self, labels: Iterable[Label]) -> "Labels":
        """These labels too; a case labelled before takes the new one."""
        return Labels(MappingProxyType({**self.given, **{label.case: label for label in labels}}))

    def remove(self, cases: Iterable[Case]) -> "Labels":
        """Without the labels of these cases."""
        gone = set(cases)
        return Labels(MappingProxyType({case: label for case, label in self.given.items() if case not in gone}))

    def verdict(self, verdict: JudgedCase) -> bool:
        """The person's verdict, else the judge's."""
        label = self.given.get(verdict.case)
        return verdict.judged if label is None else label.verdict

    def agreement(self, judge: str) -> tuple[int, int]:
        """With how many labels a judge agrees, of how many that were given beside its verdicts."""
        own = [label for label in self.given.values() if label.judge == judge]
        return sum(label.agrees for label in own), len(own)


@dataclass(frozen=True, slots=True)
class LabelledDelta:
    """A metric's means and their difference B − A over the pairs scored on both sides, with a person's labels.

    No test is made of it: a choice on a page changes no verdict about a run. `changed` counts the scores of
    these pairs that the labels move.
    """

    a: float | None
    b: float | None
    mean: float | None
    n: int
    changed: int


_NONE = Score(None)


def labelled(metric: str) -> Verdicts | None:
    """Where the verdicts of a metric stand that a person can label: those of a judge, scored from them alone; or None.

    A metric that is not installed has none.
    """
    verdicts = METRICS[metric].verdicts if metric in METRICS else None
    return verdicts if verdicts is not None and verdicts.moves else None


def verdicts_on(metric: str, row: ScoredRecord) -> tuple[JudgedCase, ...]:
    """The judge's verdicts behind a score, in their order; empty where there are none to label."""
    score, where = row.scores.get(metric), labelled(metric)
    if where is None or score is None or score.value is None or not score.detail:
        return ()
    return tuple(_verdict(metric, where, row.record, entry) for entry in score.detail.get(where.key, ()))


def score_labelled(metric: str, row: ScoredRecord, labels: Labels, scorer: Scorer | None = None) -> Score | None:
    """The score with a person's verdicts in place of the judge's, by ragas' own code; None if no label changes one."""
    verdicts, where = verdicts_on(metric, row), labelled(metric)
    said = tuple(labels.verdict(each) for each in verdicts)
    if where is None or said == tuple(each.judged for each in verdicts):
        return None
    scorer = scorer or _score
    if where.about != "reading":
        return scorer(metric, said, ())
    # A cosine of two equal vectors can be a hair above 1.
    similarities = [max(-1.0, min(1.0, each.similarity)) for each in readings_of(row.scores[metric].detail or {})]
    return scorer(metric, (), tuple(GeneratedQuestion(*each) for each in zip(similarities, said, strict=True)))


def delta_labelled(comparison: Comparison, metric: str, labels: Labels, scorer: Scorer | None = None) -> LabelledDelta:
    """The run's means of a metric as a person's labels make them."""
    touched = {case.question_id for case in labels.given if case.metric == metric}
    pairs, changed = [], 0
    for pair in comparison.pairs:
        again = [
            score_labelled(metric, row, labels, scorer) if row.record.question.id in touched else None for row in pair
        ]
        a, b = ((new or row.scores.get(metric) or _NONE).value for new, row in zip(again, pair, strict=True))
        if a is not None and b is not None:
            pairs.append((a, b))
            changed += sum(new is not None for new in again)
    if not pairs:
        return LabelledDelta(None, None, None, 0, changed)
    before, after = (means.fmean(pair[side] for pair in pairs) for side in (0, 1))
    return LabelledDelta(before, after, after - before, len(pairs), changed)


def _verdict(metric: str, where: Verdicts, record: Record, entry: Mapping[str, Any]) -> JudgedCase:
    question = record.question
    match where.about:
        case "chunk":
            context = next((hit.chunk.text for hit in record.hits if hit.chunk.id == entry["chunk_id"]), "")
            statement = question.reference or "" if where.useful_for == "reference" else _answer(record)
        case "reading":
            context, statement = str(entry["question"]), _answer(record)
        case _:
            context, statement = "\n\n".join(hit.chunk.text for hit in record.hits), str(entry.get("statement") or "")
    return JudgedCase(Case(metric, question.id, question.user_input, context, statement), bool(entry[where.mark]))


def _answer(record: Record) -> str:
    return record.answer.text if record.answer else ""


def _score(metric: str, verdicts: tuple[bool, ...], readings: tuple[GeneratedQuestion, ...]) -> Score:
    return asyncio.run(score_entered(metric, verdicts, readings))
