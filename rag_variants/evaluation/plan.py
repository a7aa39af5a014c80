"""What an experiment is about: the same for both sides, so that only the variants differ."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from pathlib import Path

from rag_variants.corpus.folder import load_knowledge
from rag_variants.corpus.knowledge import KnowledgeBase
from rag_variants.errors import QuestionsError
from rag_variants.judges import check_judge
from rag_variants.llm import resolve_model
from rag_variants.metrics import DEFAULT_METRICS, choose_metrics
from rag_variants.metrics.metric import Metric
from rag_variants.questions.holdout import HOLDOUT_PART, asks_for_holdout, tune_questions
from rag_variants.questions.reader import load_questions
from rag_variants.questions.sets import QuestionSet
from rag_variants.questions.slices import Slice
from rag_variants.sample import SAMPLE_NAME, SAMPLE_PART, sample_folder, sample_questions_file

EVERY_QUESTION = "all"


@dataclass(frozen=True)
class Plan:
    """Documents, questions, metrics and judge of an experiment. `today` decides which documents are current.

    `slice` is the restriction made beforehand (`language=pl`), for the record; `questions` is restricted already.
    `usual` is the slice that a comparison runs over unless another one is asked for. `whole` holds the file's questions
    where `questions` is a part of them, and `notes` are sentences for whoever reads the result. `spares_answers`:
    nothing is answered unless a metric reads answers.
    """

    knowledge: KnowledgeBase
    questions: QuestionSet
    metrics: tuple[Metric, ...]
    judge: str = "embedded"
    judge_embeddings: str = "embedded"
    seed: int = 0
    today: date = field(default_factory=lambda: datetime.now(UTC).date())
    slice: str | None = None
    usual: str | None = None
    whole: QuestionSet | None = None
    notes: tuple[str, ...] = ()
    spares_answers: bool = False

    @property
    def answers(self) -> bool:
        """Whether questions are answered."""
        read = any("answer" in metric.needs for metric in self.metrics if metric.set != "effort")
        return read or not self.spares_answers

    @property
    def left_out(self) -> str:
        """What could not be read, counted: `1 of 3 documents, 6 of 12 question lines left out`; "" if all was read."""
        whole = self.whole or self.questions
        read = {"document": len(self.knowledge.documents), "question line": len(whole.questions)}
        lost = {"document": len(self.knowledge.skipped), "question line": len(whole.skipped)}
        parts = [f"{lost[noun]} of {read[noun] + lost[noun]} {noun}s" for noun in read if lost[noun]]
        return f"{', '.join(parts)} left out" if parts else ""

    def restricted(self, slice_: str | Slice | None, limit: int | None = None) -> "Plan":
        """The plan for the questions of a slice (`language=pl`), or the first `limit` ones of it.

        None or "" means the usual slice, `all` every question. Questions tagged `split=holdout` stay out unless the
        slice is `all`, or names a split or ids; a note says how many. Raises QuestionsError for a slice that no
        question is in, or none but held-out ones.
        """
        wanted = slice_ or self.usual
        part = None if wanted == EVERY_QUESTION else wanted
        questions = self.questions.restricted(part) if part else self.questions
        notes = self.notes
        if wanted != EVERY_QUESTION and not (part and asks_for_holdout(part, self.questions.questions)):
            questions, left_out = _without_holdout(questions)
            notes = (*notes, *left_out)
        if limit is not None:
            questions = questions.first(limit)
        return replace(
            self,
            questions=questions,
            slice=str(part) if part else self.slice,
            usual=None,
            whole=self.whole or self.questions,
            notes=notes,
        )

    def measuring(self, metrics: Iterable[Metric]) -> "Plan":
        """The plan with these metrics besides its own."""
        return replace(self, metrics=tuple(dict.fromkeys((*self.metrics, *metrics))))


def _without_holdout(questions: QuestionSet) -> tuple[QuestionSet, tuple[str, ...]]:
    kept = tune_questions(questions)
    held = len(questions.questions) - len(kept.questions)
    if not held:
        return questions, ()
    if not kept.questions:
        raise QuestionsError(
            f"These questions are all held out (tag {HOLDOUT_PART}). Ask for them with the slice "
            f"{HOLDOUT_PART}, or for every question with `{EVERY_QUESTION}`."
        )
    return kept, (
        f"{held} held-out question{'' if held == 1 else 's'} (tag {HOLDOUT_PART}) left out; "
        f"the slice {HOLDOUT_PART} asks for {'it' if held == 1 else 'them'}.",
    )


def tuning_plan(plan: Plan) -> Plan:
    """The plan without its held-out questions, and a note that says so: settings are chosen on the others.

    Nobody looks at single answers while settings are tried, so none are made where no metric reads them. Raises
    QuestionsError if all of its questions are held out.
    """
    kept = tune_questions(plan.questions)
    held = len(plan.questions.questions) - len(kept.questions)
    if held and not kept.questions:
        raise QuestionsError(
            f"Tuning and sweeps choose among settings, so held-out questions (tag {HOLDOUT_PART}) stay out, and there "
            f"are no others here. Choose on other questions; a final check then opens the hold-out for the setting "
            f"found."
        )
    note = f"{held} held-out questions (tag {HOLDOUT_PART}) left out: settings are not chosen on them."
    notes = (*plan.notes, note) if held else plan.notes
    return replace(plan, questions=kept, notes=notes, spares_answers=True)


def make_plan(
    documents: Path | None = None,
    questions: Path | None = None,
    metrics: str = DEFAULT_METRICS,
    *,
    judge: str = "embedded",
    judge_embeddings: str = "embedded",
    seed: int = 0,
    today: date | None = None,
) -> Plan:
    """A plan for a folder and a question file, or for the sample where both are None. Effort is always described.

    It holds every question; `restricted` gives the usual or another part of them. `today` is the day in UTC unless it
    is given.

    Raises UserError for what cannot be read and for an unknown metric, judge or encoder, sentences for a person.
    """
    if documents is not None and questions is None:
        raise QuestionsError(
            f"Documents come from {documents}, but no questions for them were given. Name a question file "
            f"(.jsonl or .csv with a column user_input; on the command line --questions FILE)."
        )
    check_judge(judge)
    resolve_model(judge_embeddings)
    knowledge = load_knowledge(documents or sample_folder(), None if documents else SAMPLE_NAME)
    asked = load_questions(questions or sample_questions_file(), None if questions else SAMPLE_NAME)
    chosen = choose_metrics(metrics)
    described = tuple(metric for metric in choose_metrics("effort") if metric not in chosen)
    usual = None if questions else SAMPLE_PART
    day = today or datetime.now(UTC).date()
    return Plan(knowledge, asked, (*chosen, *described), judge, judge_embeddings, seed, day, usual=usual)
