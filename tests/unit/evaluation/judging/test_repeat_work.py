"""Records judged again: what is asked anew, what stays, and the noise that is measured."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from rag_variants.evaluation.compare import compare_runs
from rag_variants.evaluation.judging.repeat_work import ComparedAgain, Repetition
from rag_variants.evaluation.judging.repeats import Noise
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.run import Experiment
from rag_variants.evaluation.runs import Run
from rag_variants.judges.ragas_llm import StatementGeneratorOutput
from rag_variants.llm.chat import CallError
from rag_variants.metrics import choose_metrics
from rag_variants.pipeline import read_variant
from rag_variants.pipeline.bench import Bench
from rag_variants.questions.sets import QuestionSet
from rag_variants.storage.run_documents import run_document, to_json
from rag_variants.storage.run_files import load_run
from rag_variants.types import Question
from tests.making import bench
from tests.scripted_chat import Asked, ScriptedChat

QUESTIONS = tuple(Question(each, f"Question {each}: deposit") for each in ("q1", "q2"))
# Supported claims of ten by question and repeat.
SUPPORTED = {"q1": (10, 8, 10), "q2": (4, 6, 2)}


def answering(call: Asked) -> str:
    return f"{call.text.split('Question: Question ')[1][:2]} answers [1]."


def judging(failing_repeat: int | None = None):
    def script(call: Asked) -> Mapping[str, Any]:
        if call.repeat == failing_repeat:
            raise CallError("HTTP 500 from http://stub/v1.", kind="server")
        data = json.loads(call.text.rpartition("\ninput: ")[2].removesuffix("\nOutput: "))
        if call.schema is StatementGeneratorOutput:
            return {"statements": [f"{data['answer'][:2]} claim {number}" for number in range(10)]}
        made = [(each, int(int(each[-1]) < SUPPORTED[each[:2]][call.repeat])) for each in data["statements"]]
        return {"statements": [{"statement": each, "reason": "seen", "verdict": verdict} for each, verdict in made]}

    return script


def make(judge: ScriptedChat, *variants: str) -> tuple[tuple[Run, ...], Plan, Bench]:
    chats = {"openai:judge": judge, "openai:answerer": ScriptedChat(answering, "openai:answerer")}
    place = replace(bench({"deposit.md": "The deposit is 450 EUR."}), open_chat=lambda spec, temperature: chats[spec])
    metrics = choose_metrics("faithfulness,key_facts")
    plan = Plan(place.knowledge, QuestionSet("qs", QUESTIONS), metrics, "openai:judge", today=place.today)
    experiment = Experiment([read_variant(f"{each}answerer=openai:answerer") for each in variants], plan, place)
    for _ in experiment.steps():
        pass
    return experiment.runs(), plan, place


def test_every_record_is_judged_again_with_fresh_calls_and_stays_as_it_is():
    judge = ScriptedChat(judging(), "openai:judge")
    (run,), plan, place = make(judge, "keyword:")
    before = len(judge.calls)
    work = Repetition([run], plan, place, 3)
    steps = list(work.steps())
    done = [(each.step, each.done, each.of) for each in steps]
    assert steps[-1].calls is not None and steps[-1].calls.issued == 2 * before

    assert done[-1] == ("repeats", 2 * 2, 2 * 2) and work.complete
    assert sorted({call.repeat for call in judge.calls}) == [0, 1, 2]
    assert len(judge.calls) == 3 * before
    (again,) = work.result()
    # q1: 1, .8, 1 and q2: .4, .6, .2: sample variances (2·(.2/3)² + (.4/3)²) ÷ 2 and (0 + .2² + .2²) ÷ 2; over 2².
    q1, q2 = (2 * (0.2 / 3) ** 2 + (0.4 / 3) ** 2) / 2, (0.2**2 + 0.2**2) / 2
    assert again.noise == {"faithfulness": Noise(3, 2, pytest.approx((q1 + q2) / 4))}
    # The first judging took `judge_calls` calls; the two repeats took twice as many, counted with them.
    judge_calls = run.calls.judge.issued
    assert before == judge_calls
    assert again.calls.judge.issued == judge_calls + 2 * judge_calls
    assert again.calls.answers == run.calls.answers
    assert replace(again, noise={}, calls=run.calls) == run


def test_the_noise_of_both_sides_makes_the_floor_and_is_read_back(tmp_path):
    judge = ScriptedChat(judging(), "openai:judge")
    (a, b), plan, place = make(judge, "keyword:", "keyword:top_k=1,")
    work = ComparedAgain(compare_runs(a, b), plan, place, 2)
    for _ in work.steps():
        pass
    result = work.result()
    assert result is not None and work.complete
    # Two values d apart have the variance d² ÷ 2: (.2² + .2²) ÷ 2 over 2² on each side.
    side = (0.2**2 / 2 + 0.2**2 / 2) / 4
    assert result.metrics["faithfulness"].noise_floor == pytest.approx(1.96 * (2 * side) ** 0.5, rel=1e-4)
    assert result.metrics["key_facts"].noise_floor is None
    kept = tmp_path / "run.json"
    kept.write_text(to_json(run_document(result.a)), encoding="utf-8")
    assert load_run(kept).noise == result.a.noise


def test_a_repeat_that_fails_is_not_taken_for_noise():
    (run,), plan, place = make(ScriptedChat(judging(failing_repeat=1), "openai:judge"), "keyword:")
    work = Repetition([run], plan, place, 2)
    for _ in work.steps():
        pass
    assert work.result()[0].noise == {}


def test_a_deterministic_judge_is_not_asked_again():
    place = bench({"deposit.md": "The deposit is 450 EUR."})
    asked = QuestionSet("qs", (Question("q1", "What is the deposit?"), Question("q2", "How much is the deposit?")))
    plan = Plan(place.knowledge, asked, choose_metrics("faithfulness"), today=place.today)
    experiment = Experiment([read_variant("keyword")], plan, place)
    for _ in experiment.steps():
        pass
    (run,) = experiment.runs()
    work = Repetition([run], plan, place, 2)
    assert list(work.steps()) == [] and work.complete
    assert work.result()[0].noise == {"faithfulness": Noise(2, 2, 0.0)}


def test_once_more_is_the_least():
    with pytest.raises(ValueError, match="2 at least"):
        Repetition([], None, None, 1)  # type: ignore[arg-type]
