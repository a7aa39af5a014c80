"""One question on every side: retrieved, answered, scored."""

import asyncio
import math
from collections.abc import Sequence
from dataclasses import replace

from rag_variants.errors import UserError
from rag_variants.evaluation.flow import here
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.runs import ScoredRecord
from rag_variants.evaluation.sides import Side
from rag_variants.llm.flow import Aside, in_turn, together
from rag_variants.metrics.metric import Metric, Subject
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.chunks import chunks_of, whole_cut
from rag_variants.pipeline.pipeline import Pipeline
from rag_variants.pipeline.ranking import ranked_chunks
from rag_variants.pipeline.variant import Variant
from rag_variants.questions.gold import Gold, locate_evidence
from rag_variants.types import Question, Record, Score

JUDGED = frozenset({"judge", "embeddings"})  # what a metric needs that asks a judge


class RowMaker:
    """Makes the rows of a question. `aside` does what is computed, so that it can be kept off the event loop.

    Where nothing waits for a network, sides take turns to go first, question by question: whoever does reads texts
    that the others find read, and a side that always did would look slower than it is.

    Metrics that ask a judge and read no answer are scored while the question is being answered.
    """

    def __init__(self, sides: Sequence[Side], plan: Plan, bench: Bench, aside: Aside = here) -> None:
        self._sides, self._plan, self._bench = tuple(sides), plan, bench
        self._aside = aside
        self._all = in_turn if aside is here else together
        self._early = tuple(metric for metric in plan.metrics if metric.needs & {"judge", "answer"} == {"judge"})
        self._late = tuple(metric for metric in plan.metrics if metric not in self._early)
        self._places = {question.id: at for at, question in enumerate(plan.questions.questions)}
        self._located = located_questions(plan, bench)
        self._counts = {side.variant: gold_counts(side.variant, plan, bench) for side in self._sides}

    async def make_rows(self, question: Question) -> tuple[ScoredRecord, ...]:
        """The question's row of each side. Raises a UserError that stops the run."""
        at = self._places[question.id]
        first = 0 if any(side.waits for side in self._sides) else at
        turns = [(first + turn) % len(self._sides) for turn in range(len(self._sides))]
        made = await self._all(*(self._make_row(self._sides[turn], at) for turn in turns))
        rows = dict(zip(turns, made, strict=True))
        return tuple(rows[turn] for turn in range(len(turns)))

    async def _make_row(self, side: Side, at: int) -> ScoredRecord:
        question, gold = self._located[at]
        found = await side.recorder.retrieve(question, self._aside)
        subject = Subject(found, gold, self._counts[side.variant][at], side.judge)
        # The answer first: what follows from it is the longest chain of calls.
        (record, late), (_, early) = await self._all(
            self._answer_and_score(side, subject), self._score(subject, self._early)
        )
        scores = {**early, **late}
        marks = {chunk.id: gold.mark(chunk) for chunk in ranked_chunks(record.ranking)}
        for hit in record.hits:  # parents, or hits of a variant without a ranking, do not stand in it
            marks.setdefault(hit.chunk.id, gold.mark(hit.chunk))
        return ScoredRecord(record, marks, {metric.name: scores[metric.name] for metric in self._plan.metrics})

    async def _answer_and_score(self, side: Side, subject: Subject) -> tuple[Record, dict[str, Score]]:
        record = await side.recorder.answer(subject.record, self._aside) if self._plan.answers else subject.record
        return await self._score(replace(subject, record=record), self._late)

    async def _score(self, subject: Subject, metrics: Sequence[Metric]) -> tuple[Record, dict[str, Score]]:
        return subject.record, await score_beside(subject, metrics, self._aside)


def count_gold(gold: Gold, variant: Variant, bench: Bench) -> int | None:
    """How many gold chunks the whole base holds, cut as the variant cuts it: what an ideal search could find.

    None where it is not known how the variant cuts the documents.
    """
    if not isinstance(variant, Pipeline):
        return None
    return len(gold.gold_chunks(chunks_of(whole_cut(variant), bench)))


def located_questions(plan: Plan, bench: Bench) -> tuple[tuple[Question, Gold], ...]:
    """The plan's questions, each with the places of its evidence; kept by value."""
    return bench.cache.get(
        "gold",
        (plan.knowledge, plan.questions),
        lambda: tuple((each, locate_evidence(each, plan.knowledge)) for each in plan.questions.questions),
    )


def gold_counts(variant: Variant, plan: Plan, bench: Bench) -> tuple[int | None, ...]:
    """`count_gold` of each question, in the plan's order. Cached, as it depends on the cut alone."""
    if not isinstance(variant, Pipeline):
        return (None,) * len(plan.questions.questions)

    return bench.cached(
        "gold counts",
        whole_cut(variant),
        lambda _: tuple(count_gold(gold, variant, bench) for _, gold in located_questions(plan, bench)),
        plan.questions,
    )


async def score_beside(subject: Subject, metrics: Sequence[Metric], aside: Aside) -> dict[str, Score]:
    """As `score_subject`; what waits for no judge elsewhere is computed aside, so that calls can go on."""
    if aside is here:
        return await score_subject(subject, metrics)
    asks = getattr(subject.judge, "waits", False)
    waiting = [metric for metric in metrics if asks and metric.needs & JUDGED]
    rest = [metric for metric in metrics if metric not in waiting]
    scores: dict[str, Score] = {}
    if waiting:
        scores |= await score_subject(subject, waiting)
    if rest:
        scores |= await aside(lambda: asyncio.run(score_subject(subject, rest)))
    return scores


async def score_subject(subject: Subject, metrics: Sequence[Metric]) -> dict[str, Score]:
    """Every metric's score of one record. A metric that fails costs its own score and no other.

    Raises a UserError that stops the run.
    """
    waiting = [metric for metric in metrics if metric.needs & JUDGED]  # the others end at once
    gather = together if getattr(subject.judge, "waits", False) else in_turn
    judged = await gather(*(_score(metric, subject) for metric in waiting))
    scores = dict(zip((metric.name for metric in waiting), judged, strict=True))
    return {
        metric.name: scores[metric.name] if metric.name in scores else await _score(metric, subject)
        for metric in metrics
    }


async def _score(metric: Metric, subject: Subject) -> Score:
    try:
        score = await metric.score(subject)
        if not isinstance(score, Score):
            raise TypeError(f"it gave {str(score)[:60]!r}, which is no Score")
        finite = score.value is None or math.isfinite(score.value)
    except Exception as error:  # a metric may come from any package; it must not take other scores down
        if isinstance(error, UserError) and error.stops:
            raise
        return Score(None, error=f"{metric.name} failed: {type(error).__name__}: {error}")
    if not finite:  # one NaN would spoil every mean
        return Score(None, detail=score.detail, error=f"{metric.name} failed: its value is {score.value}")
    return score
