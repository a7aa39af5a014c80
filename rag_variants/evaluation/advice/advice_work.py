"""Tries the single changes of a variant, one after the other: retrieval only, over all questions."""

import asyncio
import statistics
from collections.abc import Iterator, Mapping

from rag_variants.errors import QuestionsError, UserError
from rag_variants.evaluation.advice.advice import Attempt, Attempts
from rag_variants.evaluation.advice.changes import LeftOut, SingleChange, single_changes
from rag_variants.evaluation.advice.findings import EvidenceFound, find_evidence, headline_without_judge
from rag_variants.evaluation.embedding import count_unembedded, embed_missing
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.runs import Run
from rag_variants.evaluation.work import Progress
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.pipeline import Pipeline, as_pipeline
from rag_variants.pipeline.records import retrieve_question
from rag_variants.pipeline.rerank import is_endpoint_reranker
from rag_variants.pipeline.select.select import select_hits
from rag_variants.pipeline.setting import settings_of
from rag_variants.pipeline.stage_key import stage_key
from rag_variants.pipeline.variant import Variant
from rag_variants.questions.gold import Gold, locate_evidence
from rag_variants.types import Question, Record

# So many new passages are embedded without asking: about three seconds.
FEW_PASSAGES = 32
ONLY_CUTS = "It only takes chunks away from what is handed over, so it cannot find more."

Records = Mapping[str, Record]


class AdviceWork:
    """`Work` whose result is every single change of a variant tried so far, beside the variant as it is.

    Left out, with the reason, is a change that needs many new vectors, and one that only takes chunks away. Raises
    VariantError for a variant that is no pipeline of ours.
    """

    def __init__(self, variant: Variant, plan: Plan, bench: Bench) -> None:
        self._variant, self._plan, self._bench = as_pipeline(variant, "path"), plan, bench
        self._asked: tuple[tuple[Question, Gold], ...] = ()
        self._present: Mapping[str, EvidenceFound] | None = None
        self._waiting: list[SingleChange] = []
        self._tried: list[Attempt] = []
        self._left_out: list[LeftOut] = []

    def steps(self) -> Iterator[Progress]:
        """Runs the variant as it is, then one change a step. Raises UserError if it cannot start."""
        self._asked = self._with_evidence()
        yield from embed_missing([self._variant], self._bench)
        records = self._retrieve(self._variant)
        self._present = self._find(self._variant, records)
        changes, impossible = single_changes(self._variant)
        self._left_out = list(impossible)
        self._waiting = [change for change in changes if self._is_worth_a_try(change, records)]
        total = len(self._waiting)
        yield Progress("settings", 0, total)
        while self._waiting:
            yield from embed_missing([self._waiting[0].variant], self._bench)
            self._try(self._waiting[0])
            self._waiting.pop(0)
            yield Progress("settings", total - len(self._waiting), total)

    def result(self) -> Attempts | None:
        """The changes tried so far; None before the variant as it is has run."""
        if self._present is None:
            return None
        found = Attempts(
            variant=self._variant,
            metric=headline_without_judge().name,
            present=self._present,
            tried=tuple(self._tried),
            left_out=tuple(self._left_out),
            waiting=len(self._waiting),
            seed=self._plan.seed,
        )
        _ = found.deltas  # tested here, so that no page waits for it
        return found

    @property
    def complete(self) -> bool:
        """Whether every change has had its turn."""
        return self._present is not None and not self._waiting

    def _with_evidence(self) -> tuple[tuple[Question, Gold], ...]:
        located = [(each, locate_evidence(each, self._plan.knowledge)) for each in self._plan.questions.questions]
        asked = tuple((question, gold) for question, gold in located if gold.groups)
        if not asked:
            raise QuestionsError(
                "No question names evidence, so nothing tells a better setting from a worse one. "
                "Add evidence to the questions: the quote that answers, and its document."
            )
        return asked

    def _retrieve(self, variant: Pipeline) -> Records:
        return {question.id: retrieve_question(variant, question, self._bench) for question, _ in self._asked}

    def _find(self, variant: Pipeline, records: Records) -> Mapping[str, EvidenceFound]:
        async def find() -> Mapping[str, EvidenceFound]:
            return {
                question.id: await find_evidence(records[question.id], gold, variant, self._bench)
                for question, gold in self._asked
            }

        return asyncio.run(find())

    def _try(self, change: SingleChange) -> None:
        """One change over all questions; one that could not be asked a single one is left out with its error."""
        records = self._retrieve(change.variant)
        errors = [record.error for record in records.values() if record.error is not None]
        if len(errors) == len(records):
            self._leave_out(change, errors[0])
        else:
            self._tried.append(Attempt(change, self._find(change.variant, records)))

    def _is_worth_a_try(self, change: SingleChange, records: Records) -> bool:
        try:
            reason = self._too_costly(change.variant)
        except UserError as error:  # an encoder that is not installed costs its own change and no other
            reason = str(error)
        if reason:
            return self._leave_out(change, reason)
        stage = settings_of(change.variant)[change.setting][1].stage
        if stage == "select" and _only_cuts(change.variant, records, self._bench):
            return self._leave_out(change, ONLY_CUTS)
        return True

    def _too_costly(self, variant: Pipeline) -> str | None:
        """Why a variant's vectors stand in the way, or None."""
        spec, present = variant.encoder, self._variant.encoder
        if spec and present and spec != present and self._bench.embeddings(spec) is self._bench.embeddings(present):
            return "It is the encoder in use, by another name."
        if is_endpoint_reranker(variant.reranker) and stage_key(variant, "rerank") != stage_key(
            self._variant, "rerank"
        ):
            return f"Each question would be a new call to {variant.reranker}. Run it as A or B to see what it does."
        missing = count_unembedded(variant, self._bench)
        if missing.passages <= FEW_PASSAGES:
            return None
        return (
            f"{missing.passages} passages have no vector for it yet, about {missing.seconds} s to embed. "
            f"Run it once as A or B; after that it is tried here too."
        )

    def _leave_out(self, change: SingleChange, reason: str) -> bool:
        self._left_out.append(LeftOut(change.setting, change.before, change.after, reason))
        return False


def estimate_seconds(run: Run) -> float:
    """About how long all changes of a run's variant take: as long as its questions did, and a new index for some.

    The slowest question of a run is the one that built an index; what it took beyond a second was loading libraries.
    """
    changes, _ = single_changes(as_pipeline(run.variant, "path"))
    waits = [row.record.timing_ms.get("rank", 0.0) / 1000 for row in run.rows]
    if not waits:
        return 0.0
    rebuilt = sum(settings_of(run.variant)[each.setting][1].stage in ("chunks", "index") for each in changes)
    return len(changes) * len(waits) * statistics.median(waits) + rebuilt * min(max(waits), 1.0)


def _only_cuts(variant: Pipeline, records: Records, bench: Bench) -> bool:
    """Whether a variant that ranks as before hands over nothing but the beginning of what is handed over now."""
    for record in records.values():
        hits = select_hits(record.ranking, variant, bench)
        if hits != record.hits[: len(hits)]:
            return False
    return True
