"""Variants × questions → runs, step by step."""

import time
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property

from rag_variants.corpus.background import center_sample
from rag_variants.errors import UserError
from rag_variants.evaluation import flow
from rag_variants.evaluation.embedding import embed_missing, embed_questions
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.preparing import (
    asks_elsewhere,
    embed_centre,
    prepare_indexes,
    prepare_plan,
    rows_at_once,
    set_libraries_aside,
)
from rag_variants.evaluation.reranking import rerank_ahead
from rag_variants.evaluation.rows import RowMaker
from rag_variants.evaluation.runs import Documents, JudgeNote, Provenance, Run, RunCalls, ScoredRecord
from rag_variants.evaluation.sides import Side, open_side
from rag_variants.evaluation.work import Progress
from rag_variants.judges import known_agreement
from rag_variants.llm.calls import Calls, total
from rag_variants.llm.waiting import begin
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.chunks import reads_current
from rag_variants.pipeline.variant import Variant
from rag_variants.version import __version__


class Experiment:
    """Variants over the questions of a plan. What was finished is kept, whenever it is stopped."""

    def __init__(self, variants: Sequence[Variant], plan: Plan, bench: Bench) -> None:
        self.variants = tuple(variants)
        self.plan = plan
        self._bench = bench
        self._sides: tuple[Side, ...] = ()
        self._rows: dict[int, tuple[ScoredRecord, ...]] = {}
        self._ended: str | None = None
        self._seconds = 0.0

    def steps(self) -> Iterator[Progress]:
        """Embeds what has no vector yet, then answers and scores the questions on all variants.

        Where a model is asked over a network, many questions are in the making at once, and steps come without a new
        question done. A caller that stops reading stops the experiment. Raises UserError if it cannot start or go on;
        `runs` has what was finished.
        """
        begun = time.perf_counter()
        plan, bench = self.plan, self._bench
        waits = asks_elsewhere(self.variants, plan)
        if waits:
            prepare_plan(self.variants, plan, bench)
        yield from embed_missing(self.variants, bench, center_sample(plan.knowledge))
        yield from embed_questions(self.variants, bench, [each.user_input for each in plan.questions.questions])
        if waits:
            prepare_indexes(self.variants, plan, bench)
        self._sides = self._sides or tuple(open_side(variant, plan, bench) for variant in self.variants)
        try:
            yield from self._rerank()
            yield from self._make_rows(begun)
        except UserError as error:
            self._ended = str(error)
            yield self._progress()  # the calls that were paid for until then
            raise

    def _rerank(self) -> Iterator[Progress]:
        """Calls to rerankers of all questions, many at once, before the rows are made one by one."""
        questions = [each.user_input for each in self.plan.questions.questions]
        for side in self._sides:
            for progress in rerank_ahead(side.variant, side.bench, questions):
                yield replace(progress, calls=self._calls())

    def _make_rows(self, begun: float) -> Iterator[Progress]:
        """The rows of the questions not done yet, side by side; one by one where nothing waits for a network."""
        asked = self.plan.questions.questions
        missing = [at for at in range(len(asked)) if at not in self._rows]
        waits = any(side.waits for side in self._sides)
        done: dict[int, tuple[ScoredRecord, ...]] = {}
        at_once = rows_at_once(self.variants, self.plan, self._bench.settings)
        with flow.beside() if waits else nullcontext(flow.here) as aside:
            maker = RowMaker(self._sides, self.plan, self._bench, aside)

            async def make(at: int) -> tuple[ScoredRecord, ...]:
                if at:
                    return await maker.make_rows(asked[missing[at]])
                centre = begin(embed_centre(self.plan, self._bench))
                try:
                    rows = await maker.make_rows(asked[missing[0]])
                    await centre
                finally:
                    centre.cancel()
                return rows

            try:
                for _ in flow.make_pieces(make, len(missing), done, waits=waits, at_once=at_once):
                    self._rows |= {missing[at]: rows for at, rows in done.items()}
                    self._seconds = time.perf_counter() - begun
                    set_libraries_aside()
                    yield self._progress()
            finally:  # what ended beside an error is kept too
                self._rows |= {missing[at]: rows for at, rows in done.items()}

    def _progress(self) -> Progress:
        return Progress("questions", len(self._rows), len(self.plan.questions.questions), self._calls())

    def _calls(self) -> Calls | None:
        return total([side.calls.all for side in self._sides]) or None

    def runs(self) -> tuple[Run, ...]:
        """One run per variant from the questions done so far, in their order; complete if none is missing."""
        return tuple(self._run(at, variant) for at, variant in enumerate(self.variants))

    def _dated(self, variant: Variant) -> Iterator[str]:
        if reads_current(variant):
            every, day = self.plan.knowledge, self.plan.today
            yield f"{len(every.current(day).documents)} of {len(every.documents)} documents were current on {day}."

    @cached_property
    def _documents(self) -> Documents:
        found, day = self.plan.knowledge, self.plan.today
        current = found.current(day).fingerprint
        return Documents(found.name, len(found.documents), found.fingerprint, day.isoformat(), current)

    def _run(self, at: int, variant: Variant) -> Run:
        plan, side = self.plan, self._sides[at] if self._sides else None
        judge, recorder = (side.judge, side.recorder) if side else (None, None)
        questions = plan.questions
        return Run(
            variant=variant,
            versions={"rag-variants": __version__, **(recorder.versions if recorder else {})},
            knowledge=self._documents,
            questions=Provenance(questions.name, len(questions.questions), questions.fingerprint),
            judge=JudgeNote(judge.spec, judge.settings, known_agreement(judge.spec, self._bench.settings.home))
            if judge
            else None,
            metrics=tuple(metric.name for metric in plan.metrics),
            rows=tuple(rows[at] for _, rows in sorted(self._rows.items())),
            seed=plan.seed,
            complete=len(self._rows) == len(questions.questions),
            seconds=self._seconds / len(self.variants),
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            slice=plan.slice,
            notes=(
                *([f"{plan.left_out}."] if plan.left_out else ()),
                *plan.notes,
                *self._dated(variant),
                *(recorder.notes if recorder else ()),
                *getattr(judge, "notes", ()),
                *filter(None, (self._ended,)),
            ),
            calls=side.calls if side else RunCalls(),
        )


def run_variant(variant: Variant, plan: Plan, bench: Bench) -> Run:
    """The whole run of one variant, for callers that want no progress."""
    experiment = Experiment([variant], plan, bench)
    for _ in experiment.steps():
        pass
    return experiment.runs()[0]
