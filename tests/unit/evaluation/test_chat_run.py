"""Runs whose judge and answerer are chat models, with scripted replies."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from rag_variants.errors import ModelError
from rag_variants.evaluation.compare import ComparisonError, compare_runs
from rag_variants.evaluation.plan import Plan, make_plan
from rag_variants.evaluation.run import Experiment
from rag_variants.evaluation.runs import Run
from rag_variants.judges import known_agreement
from rag_variants.judges.ragas_llm import StatementGeneratorOutput
from rag_variants.llm.chat import CallError
from rag_variants.metrics import choose_metrics
from rag_variants.pipeline import read_variant
from rag_variants.questions.sets import QuestionSet
from rag_variants.report.words import judge_words
from rag_variants.settings import Settings
from rag_variants.storage.run_documents import run_document, to_json
from rag_variants.storage.run_files import load_run
from rag_variants.types import Question
from tests.making import bench
from tests.scripted_chat import Asked, ScriptedChat

TEXTS = {"deposit.md": "The deposit is 450 EUR.", "refund.md": "A refund takes 14 days.", "desk.md": "It opens at 9."}
QUESTIONS = tuple(Question(each, f"Question {each}: deposit refund opens") for each in ("q1", "q2", "q3"))
# Supported claims of ten, by question: faithfulness 1.0, 0.2 and 0.0.
SUPPORTED = {"q1": 10, "q2": 2, "q3": 0}


def answering(call: Asked) -> str:
    return f"{call.text.split('Question: Question ')[1][:2]} answers [1]."


def judging(failing: str | None = None):
    """Ten claims an answer, as many of them supported as SUPPORTED says; one side's calls on `failing` fail."""

    def script(call: Asked) -> Mapping[str, Any]:
        data = json.loads(call.text.rpartition("\ninput: ")[2].removesuffix("\nOutput: "))
        if call.schema is StatementGeneratorOutput:
            question = data["answer"][:2]
            if question == failing:
                raise CallError("HTTP 500 from http://stub/v1.", kind="server")
            return {"statements": [f"{question} claim {number}" for number in range(10)]}
        made = [(each, int(int(each[-1]) < SUPPORTED[each[:2]])) for each in data["statements"]]
        return {"statements": [{"statement": each, "reason": "seen", "verdict": verdict} for each, verdict in made]}

    return script


def run(failing: str | None = None, **settings: Any) -> Run:
    given = {"endpoint": "http://stub/v1", "temperature": 0.0, **settings}
    judge = ScriptedChat(judging(failing), "openai:judge", given)
    judge.more = {"notes": ("sent without temperature",)}
    more = {"cost_usd": 0.01, "prompt_tokens": 7, "notes": ("sent without top_p",)}
    answerer = ScriptedChat(answering, "openai:answerer", more=more)
    chats = {each.spec: each for each in (judge, answerer)}
    place = replace(bench(TEXTS), open_chat=lambda spec, temperature: chats[spec])
    metrics = choose_metrics("faithfulness,cost_usd")
    plan = Plan(place.knowledge, QuestionSet("qs", QUESTIONS), metrics, "openai:judge", today=place.today)
    experiment = Experiment([read_variant("keyword:answerer=openai:answerer")], plan, place)
    for _ in experiment.steps():
        pass
    return experiment.runs()[0]


def test_a_run_with_chat_models_names_them_and_is_read_back(tmp_path):
    made = run()

    assert [row.scores["faithfulness"].value for row in made.rows] == [10 / 10, 2 / 10, 0 / 10]
    assert [row.scores["cost_usd"].value for row in made.rows] == [0.01] * 3
    assert [row.record.answer.citations for row in made.rows if row.record.answer] == [(1,)] * 3
    assert made.judge is not None
    assert (made.judge.spec, made.judge.agreement) == ("openai:judge", None)
    assert made.judge.settings["endpoint"] == "http://stub/v1"
    assert made.notes == ("openai:answerer: sent without top_p", "judge openai:judge: sent without temperature")
    assert made.versions["answerer"].startswith("openai:answerer prompt ")
    kept = tmp_path / "run.json"
    kept.write_text(to_json(run_document(made)), encoding="utf-8")
    again = load_run(kept)
    assert [row.record.answer for row in again.rows] == [row.record.answer for row in made.rows]


def test_a_chat_judge_was_never_measured():
    assert known_agreement("openai:judge", Settings().home) is None
    assert judge_words(compare_runs(run(), run())) == "judge: openai:judge, not measured against labels"


@pytest.mark.parametrize(("failing", "left"), [("q1", 0), ("q2", 1), ("q3", 2)])
def test_one_failed_call_costs_one_score_and_the_delta_is_over_the_rest(failing, left):
    """Case H-03: both sides score alike, so the delta over the two questions left is 0, whichever call failed."""
    a, b = run(), run(failing)

    assert [row.scores["faithfulness"].error for row in b.rows] == [
        "the judge failed: HTTP 500 from http://stub/v1." if at == left else None for at in range(3)
    ]
    delta = compare_runs(a, b).metrics["faithfulness"].delta
    assert (delta.mean, delta.n) == (0.0, 2)


@pytest.mark.parametrize("settings", [{"temperature": 1.0}, {"endpoint": "http://other/v1"}])
def test_runs_of_unlike_judges_are_not_compared(settings):
    with pytest.raises(ComparisonError, match="judge"):
        compare_runs(run(), run(**settings))


def test_a_plan_takes_chat_judges_and_refuses_what_is_none():
    assert make_plan(judge="ollama:llama3.2:1b").judge == "ollama:llama3.2:1b"
    known = "no judge called 'embeded'.*Known: embedded, overlap, openai:MODEL or NAME:MODEL"
    with pytest.raises(ModelError, match=known):
        make_plan(judge="embeded")
