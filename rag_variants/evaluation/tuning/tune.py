"""One variant over all questions, retrieval alone: what a moved slider shows, and what it did against the pin."""

import asyncio
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rag_variants.errors import UserError
from rag_variants.evaluation.embedding import count_unembedded, embed_missing, embed_questions
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.reranking import rerank_ahead
from rag_variants.evaluation.rows import gold_counts, located_questions, score_subject
from rag_variants.evaluation.statistics.families import compare_families
from rag_variants.evaluation.statistics.paired import Delta
from rag_variants.evaluation.work import Progress
from rag_variants.metrics import all_metrics, choose_metrics
from rag_variants.metrics.metric import Metric, Subject
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.pipeline import Pipeline
from rag_variants.pipeline.ranking import ranked_chunks
from rag_variants.pipeline.records import retrieve_question
from rag_variants.questions.gold import Gold
from rag_variants.questions.repeated import repeated_ids
from rag_variants.types import Question, Record, Score

QUESTIONS_A_STEP = 20
# One a variant that was looked at: the rows of 100 questions are some 200 kB.
TUNED_CACHED = 100


@dataclass(frozen=True, slots=True)
class TunedRow:
    """A question's hits and retrieval scores. `gold_rank` is the first gold chunk's in the whole ranking, from 1.

    It is None if no gold chunk is in the ranking; `reaches` says whether a gold chunk is among the hits that the answer
    reads.
    """

    record: Record
    gold_rank: int | None
    reaches: bool
    scores: Mapping[str, Score]

    @property
    def question(self) -> Question:
        """The question asked."""
        return self.record.question


@dataclass(frozen=True)
class Tuned:
    """A variant's retrieval over the questions of a plan, in their order. Nothing was answered, no judge was asked."""

    variant: Pipeline
    rows: tuple[TunedRow, ...]

    @cached_property
    def values(self) -> dict[str, dict[str, float]]:
        """By metric and question id, what was scored; equal questions count once, by the first."""
        found: dict[str, dict[str, float]] = {name: {} for name in self.metrics}
        repeats = repeated_ids(row.question for row in self.rows)
        for row in self.rows:
            if row.question.id in repeats:
                continue
            for name, score in row.scores.items():
                if score.value is not None:
                    found[name][row.question.id] = score.value
        return found

    @property
    def metrics(self) -> tuple[str, ...]:
        """The names of what was measured: the retrieval metrics, then the text read."""
        return tuple(metric.name for metric in tuned_metrics())

    def mean(self, metric: str) -> float | None:
        """The mean over the questions that were scored; None if none was, which is not 0."""
        values = self.values[metric]
        return statistics.fmean(values.values()) if values else None

    @property
    def errors(self) -> tuple[str, ...]:
        """Why questions could not be asked, one sentence each."""
        return tuple(row.record.error for row in self.rows if row.record.error is not None)


@dataclass(frozen=True)
class Move:
    """What changing a variant from the pinned one to the one at hand did, question by question."""

    pin: Tuned
    now: Tuned
    seed: int = 0

    @cached_property
    def deltas(self) -> dict[str, Delta]:
        """By metric, now − pinned over questions scored in both, tested as a comparison of the two tests it.

        The text read is described and not tested: its delta has no verdict.
        """
        tested = (name for name in self.now.metrics if all_metrics()[name].tested)
        return compare_families([{name: self.paired(name) for name in tested}], seed=self.seed)[0]

    def paired(self, metric: str) -> dict[str, float]:
        """Now − pinned by question id, where both were scored."""
        before = self.pin.values[metric]
        return {key: value - before[key] for key, value in self.now.values[metric].items() if key in before}

    def mean_delta(self, metric: str) -> float | None:
        """The mean of now − pinned; None where no question was scored in both."""
        found = self.paired(metric)
        return statistics.fmean(found.values()) if found else None


class TuneWork:
    """`Work` whose result is the variant over the plan's questions; held-out ones have to be out of the plan already.

    Everything is kept on the bench by value, so that a visitor who moves to a setting of another one finds it made.
    """

    def __init__(self, variant: Pipeline, plan: Plan, bench: Bench) -> None:
        self._variant, self._plan, self._bench = variant, plan, bench
        self._done: Tuned | None = None

    def steps(self) -> Iterator[Progress]:
        """Embeds what has no vector yet, then ranks. Raises UserError if no question could be asked."""
        asked = self._plan.questions.questions
        missing = count_unembedded(self._variant, self._bench).passages
        if missing:
            yield Progress("embedding", 0, missing)
        yield from embed_missing([self._variant], self._bench)
        yield from embed_questions([self._variant], self._bench, [each.user_input for each in asked])
        yield from rerank_ahead(self._variant, self._bench, [each.user_input for each in asked])
        for begin in range(0, len(asked), QUESTIONS_A_STEP):
            for question in asked[begin : begin + QUESTIONS_A_STEP]:
                retrieve_question(self._variant, question, self._bench)
            yield Progress("questions", min(begin + QUESTIONS_A_STEP, len(asked)), len(asked))
        self._done = tune(self._variant, self._plan, self._bench)

    def result(self) -> Tuned | None:
        """The variant measured; None before every question was asked."""
        return self._done

    @property
    def complete(self) -> bool:
        """Whether every question was asked."""
        return self._done is not None


def tune(variant: Pipeline, plan: Plan, bench: Bench) -> Tuned:
    """A variant's retrieval over the plan's questions, kept by value. Raises UserError if no question could be asked.

    What has no vector yet is embedded in between, without progress: see `TuneWork`.
    """
    key = (bench.knowledge, bench.today, plan.questions, variant)
    return bench.cache.get("tuned", key, lambda: _tune(variant, plan, bench), TUNED_CACHED)


def tuned_metrics() -> tuple[Metric, ...]:
    """What is measured without an answer or a judge: the retrieval metrics and the text read."""
    read = (metric for metric in choose_metrics("effort") if metric.mechanical)
    return (*choose_metrics("retrieval"), *read)


def _tune(variant: Pipeline, plan: Plan, bench: Bench) -> Tuned:
    located = located_questions(plan, bench)
    counts = gold_counts(variant, plan, bench)
    rows = asyncio.run(_rows(variant, located, counts, bench))
    errors = [row.record.error for row in rows if row.record.error is not None]
    if errors and len(errors) == len(rows):
        raise UserError(errors[0])
    return Tuned(variant, rows)


async def _rows(
    variant: Pipeline, located: Sequence[tuple[Question, Gold]], counts: Sequence[int | None], bench: Bench
) -> tuple[TunedRow, ...]:
    return tuple([await _row(variant, *each, count, bench) for each, count in zip(located, counts, strict=True)])


async def _row(
    variant: Pipeline, question: Question, gold: Gold, gold_in_knowledge: int | None, bench: Bench
) -> TunedRow:
    record = retrieve_question(variant, question, bench)
    subject = Subject(record, gold, gold_in_knowledge)
    ranks = (rank for rank, chunk in enumerate(ranked_chunks(record.ranking), start=1) if gold.mark(chunk).gold)
    scores = await score_subject(subject, tuned_metrics())
    return TunedRow(record, next(ranks, None), bool(subject.marked.gold_ranks), scores)
