"""A judge is asked about labelled statements: how far does it agree with people?"""

from collections.abc import Iterator, Sequence
from typing import Any

from rag_variants.errors import ModelError, UserError
from rag_variants.evaluation.flow import make_pieces
from rag_variants.evaluation.judging.agreement_figures import Failed, Judged, agreement_figures
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.sides import open_plan_judge
from rag_variants.evaluation.work import Progress
from rag_variants.judges.base import Judge
from rag_variants.metrics import choose_metrics
from rag_variants.pipeline.bench import Bench
from rag_variants.questions.labels import JudgeLabel
from rag_variants.types import Question, Record


class AgreementWork:
    """The plan's judge over labels, one call each: `Work` whose result is `agreement_figures` of those done so far.

    A label is judged as its metric asks: about a chunk's use (context precision, utilization), a reference's statement
    (context recall), else whether the text supports the statement, as in faithfulness.
    """

    def __init__(self, labels: Sequence[JudgeLabel], plan: Plan, bench: Bench) -> None:
        # The judge is that of the plan, whatever its metrics ask.
        self._labels, self._bench = tuple(labels), bench
        self._plan = plan.measuring(choose_metrics("faithfulness"))
        self._done: dict[int, Judged | Failed] = {}
        self._judge = plan.judge

    def steps(self) -> Iterator[Progress]:
        """Label by label, many at once where the judge waits for its replies.

        Raises ModelError if there is no such judge, and the error of a call if calls are useless or all failed.
        """
        judge = open_plan_judge(self._plan, self._bench)
        if judge is None:
            raise ModelError("No metric asks a judge. Choose faithfulness.")
        count, waits = len(self._labels), getattr(judge, "waits", False)
        errors: list[Exception] = []
        self._judge = judge.spec
        done = self._done
        done.clear()
        for _ in make_pieces(lambda at: _judge_or_fail(judge, self._labels[at], errors), count, done, waits=waits):
            yield Progress("labels", len(done), count)
        if errors and len(errors) == count:
            raise errors[0]

    def result(self) -> dict[str, Any] | None:
        """The figures, in the order of the labels; None without a verdict."""
        done = [each for _, each in sorted(self._done.items())]
        judged = [each for each in done if isinstance(each, Judged)]
        failed = [each for each in done if isinstance(each, Failed)]
        return agreement_figures(self._judge, judged, failed) if judged else None

    @property
    def complete(self) -> bool:
        """Whether every label was judged or has failed."""
        return len(self._done) == len(self._labels)


def measure_agreement(labels: Sequence[JudgeLabel], plan: Plan, bench: Bench) -> dict[str, Any]:
    """The figures of the plan's judge over all labels (see `agreement_figures`), for callers that want no progress.

    Raises ModelError without labels, and as `AgreementWork.steps` does.
    """
    work = AgreementWork(labels, plan, bench)
    for _ in work.steps():
        pass
    found = work.result()
    if found is None:
        raise ModelError("There are no labels to judge. Name a file that holds some.")
    return found


async def _judge_or_fail(judge: Judge, label: JudgeLabel, errors: list[Exception]) -> Judged | Failed:
    """The verdict, or what went wrong with this label alone. Raises a UserError that stops."""
    try:
        return await judge_label(judge, label)
    except (UserError, ValueError) as error:
        if isinstance(error, UserError) and error.stops:
            raise
        errors.append(error)
        return Failed(label, str(error))


async def judge_label(judge: Judge, label: JudgeLabel) -> Judged:
    """A judge's verdict on what a label is about, asked as its metric asks. Loads ragas.

    A statement that the judge takes apart is supported if all its parts are. Raises UserError or ValueError for a reply
    that is none.
    """
    from rag_variants.judges.prompting import judge_attribution, judge_statement, judge_usefulness

    llm = judge.open(Record(Question(label.id, label.question or label.statement, tags=_language_tag(label))))
    question = label.question or ""
    if label.metric in ("context_precision", "context_utilization"):
        useful = await judge_usefulness(llm, question, label.context, label.statement)
        return _judged(label, [(useful.verdict, useful)])
    if label.metric == "context_recall":
        parts = (await judge_attribution(llm, question, label.context, label.statement)).classifications
        if not parts:
            raise ValueError("the judge found no statement in it")
        return _judged(label, [(part.attributed, part) for part in parts])
    verdict = await judge_statement(llm, label.context, label.statement)
    return _judged(label, [(verdict.verdict, verdict)])


def _judged(label: JudgeLabel, parts: Sequence[tuple[int, Any]]) -> Judged:
    """The parts' verdicts as one, with the reasons of what decided."""
    if any(mark not in (0, 1) for mark, _ in parts):
        raise ValueError(f"a verdict is neither 0 nor 1: {[mark for mark, _ in parts]}")
    refused = [part for mark, part in parts if not mark]
    deciding = refused or [part for _, part in parts]
    unsure = bool(refused) and all(getattr(part, "label", None) == "unsure" for part in refused)
    reasons = " ".join(filter(None, (getattr(part, "reason", None) for part in deciding)))
    return Judged(label, not refused, unsure, reasons or None)


def _language_tag(label: JudgeLabel) -> tuple[tuple[str, str], ...]:
    return (("language", label.language),) if label.language else ()
