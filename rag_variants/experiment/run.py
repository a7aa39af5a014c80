"""Variants × questions → runs, step by step."""

import asyncio
import math
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from rag_variants import __version__
from rag_variants.experiment.plan import Plan
from rag_variants.experiment.runs import JudgeNote, Row, Run, Source
from rag_variants.experiment.work import Progress
from rag_variants.judges import known_agreement, open_judge
from rag_variants.judges.base import Judge
from rag_variants.knowledge.background import center_sample
from rag_variants.metrics.base import Metric, Subject
from rag_variants.questions.gold import locate_evidence
from rag_variants.types import Score
from rag_variants.variants.answering import Answerer, open_answerer
from rag_variants.variants.base import Variant
from rag_variants.variants.pipeline import answer_question
from rag_variants.variants.stages import Bench


class Experiment:
    """Variants over the questions of a plan. What was finished is kept, whenever it is stopped."""

    def __init__(self, variants: Sequence[Variant], plan: Plan, bench: Bench) -> None:
        self.variants = tuple(variants)
        self.plan = plan
        self._bench = bench
        self._judge: Judge | None = None
        self._answerers: list[Answerer] = []
        self._rows: list[tuple[Row, ...]] = []
        self._seconds = 0.0

    def steps(self) -> Iterator[Progress]:
        """Embeds what has no vector yet, then answers and scores question by question, all variants in turn.

        A caller that stops reading stops the experiment. Raises UserError if it cannot start.
        """
        begin = time.perf_counter()
        plan, bench = self.plan, self._bench
        yield from embed_missing(self.variants, bench, center_sample(plan.knowledge))
        self._judge = open_plan_judge(plan, bench)
        self._answerers = [open_answerer(variant, bench) for variant in self.variants]
        total = len(plan.questions.questions)
        with asyncio.Runner() as runner:
            for question in plan.questions.questions:
                gold = locate_evidence(question, plan.knowledge)
                rows = []
                for variant, answerer in zip(self.variants, self._answerers, strict=True):
                    record = answer_question(variant, question, bench, answerer)
                    subject = Subject(record, gold, len(gold.gold_chunks(bench.all_chunks(variant))), self._judge)
                    scores = runner.run(score_subject(subject, plan.metrics))
                    rows.append(Row(record, {hit.chunk.id: gold.mark(hit.chunk) for hit in record.ranking}, scores))
                self._rows.append(tuple(rows))
                self._seconds = time.perf_counter() - begin
                yield Progress("questions", len(self._rows), total)

    def runs(self) -> tuple[Run, ...]:
        """One run per variant from the questions done so far; complete if none is missing."""
        return tuple(self._run(side, variant) for side, variant in enumerate(self.variants))

    def _run(self, side: int, variant: Variant) -> Run:
        plan, judge = self.plan, self._judge
        knowledge, questions = plan.knowledge, plan.questions
        answerer = self._answerers[side] if self._answerers else None
        return Run(
            variant=variant,
            versions=_versions(variant, self._bench, getattr(answerer, "version", None)),
            knowledge=Source(knowledge.name, len(knowledge.documents), knowledge.fingerprint),
            questions=Source(questions.name, len(questions.questions), questions.fingerprint),
            judge=JudgeNote(judge.spec, judge.settings, known_agreement(judge.spec)) if judge else None,
            metrics=tuple(metric.name for metric in plan.metrics),
            rows=tuple(rows[side] for rows in self._rows),
            seed=plan.seed,
            complete=len(self._rows) == len(questions.questions),
            seconds=self._seconds / len(self.variants),
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            slice=plan.slice,
            notes=tuple(getattr(answerer, "notes", ())),
        )


def embed_missing(variants: Sequence[Variant], bench: Bench, more: Sequence[str] = ()) -> Iterator[Progress]:
    """Embeds the passages of variants that have no vector yet, batch by batch; `more` by the default encoder first."""
    wanted: dict[str, list[str]] = {"embedded": list(more)} if more else {}
    for variant in variants:
        texts = variant.embedded_texts(bench)
        if texts:
            wanted.setdefault(getattr(variant, "embeddings", "embedded"), []).extend(texts)
    for spec, texts in wanted.items():
        for done, of in bench.embeddings(spec).fill("passage", texts):
            yield Progress("embedding", done, of)


async def score_subject(subject: Subject, metrics: Sequence[Metric]) -> dict[str, Score]:
    """Every metric's score of one record. A metric that fails costs its own score and no other."""
    scores = await asyncio.gather(*(_score(metric, subject) for metric in metrics))
    return {metric.name: score for metric, score in zip(metrics, scores, strict=True)}


def run_variant(variant: Variant, plan: Plan, bench: Bench) -> Run:
    """The whole run of one variant, for callers that want no progress."""
    experiment = Experiment([variant], plan, bench)
    for _ in experiment.steps():
        pass
    return experiment.runs()[0]


def open_plan_judge(plan: Plan, bench: Bench) -> Judge | None:
    """The kept judge of a plan, or None if no metric asks one. Raises ModelError for an unknown one."""
    if not any(metric.needs & {"judge", "embeddings"} for metric in plan.metrics):
        return None
    key = (plan.knowledge, plan.judge, plan.judge_embeddings)
    embeddings = bench.embeddings(plan.judge_embeddings)
    return bench.stages.keep(
        "judge", key, lambda: open_judge(plan.judge, embeddings, bench.background(plan.judge_embeddings))
    )


def _versions(variant: Variant, bench: Bench, answerer: str | None) -> dict[str, str]:
    versions = {"rag-variants": __version__, "answerer": " ".join(filter(None, (variant.answerer, answerer)))}
    if hasattr(variant, "embeddings"):
        model = bench.embeddings(variant.embeddings).model
        versions["embeddings"] = f"{model.name} {model.version}"
    return versions


async def _score(metric: Metric, subject: Subject) -> Score:
    try:
        score = await metric.score(subject)
    except Exception as error:  # a metric may come from any package; it must not take other scores down
        return Score(None, error=f"{metric.name} failed: {type(error).__name__}: {error}")
    if score.value is not None and not math.isfinite(score.value):  # one NaN would spoil every mean
        return Score(None, detail=score.detail, error=f"{metric.name} failed: its value is {score.value}")
    return score
