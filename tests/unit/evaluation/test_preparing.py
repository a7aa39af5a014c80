"""What is done before the first call of a run, so that none waits for it."""

import asyncio
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from rag_variants.errors import CallError, ModelError
from rag_variants.evaluation import preparing
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.preparing import asks_elsewhere, embed_centre, prepare_indexes
from rag_variants.metrics import choose_metrics
from rag_variants.pipeline import read_variant
from rag_variants.pipeline.bench import Bench
from rag_variants.questions.sets import QuestionSet
from rag_variants.types import Question
from tests.making import WordVectors, bench

TEXTS = {"desk.md": "The desk opens at nine.", "pool.md": "The pool is open all day."}
QUESTIONS = QuestionSet("qs", (Question("q1", "When does the desk open?"), Question("q2", "And the pool?")))


def plan(place: Bench, metrics: str = "faithfulness", judge: str = "embedded") -> Plan:
    return Plan(place.knowledge, QUESTIONS, choose_metrics(metrics), judge, today=place.today)


@pytest.mark.parametrize(
    ("spec", "judge", "waits"),
    [
        ("keyword", "embedded", False),
        ("keyword:answerer=recorded:smollm2", "embedded", False),
        ("keyword:answerer=openai:small", "embedded", True),
        ("keyword", "openai:small", True),
        ("keyword:expansion=hyde,expander=openai:small", "embedded", True),
    ],
)
def test_a_run_waits_for_endpoints_that_its_models_name(spec: str, judge: str, waits: bool) -> None:
    assert asks_elsewhere([read_variant("vector"), read_variant(spec)], plan(bench(TEXTS), judge=judge)) is waits


def test_the_first_question_is_ranked_once_and_nobody_is_asked_to_write(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(spec: str, temperature: float | None) -> Any:
        raise AssertionError("a chat model was opened")

    place = replace(bench(TEXTS), open_chat=refuse, open_writer=refuse)
    variants = [read_variant(each) for each in ("keyword", "keyword:expansion=hyde,expander=openai:small")]
    prepare_indexes(variants, plan(place), place)
    asked: list[str] = []

    def search(variant: Any, question: str, bench: Bench) -> None:
        asked.append(question)
        raise ModelError("no such encoder")

    monkeypatch.setattr(preparing, "search", search)
    prepare_indexes(variants, plan(place), place)
    assert asked == ["When does the desk open?"]


@pytest.mark.parametrize(
    ("metrics", "judge", "embedded"),
    [
        ("faithfulness", "openai:small", 0),
        ("answer_relevancy", "embedded", 0),
        ("answer_relevancy", "openai:small", 2),  # the two sentences of the base
    ],
)
def test_the_centre_is_embedded_where_a_chat_judge_needs_it(metrics: str, judge: str, embedded: int) -> None:
    model = WordVectors()
    place = bench(TEXTS, model)
    asyncio.run(embed_centre(plan(place, metrics, judge), place))
    assert len(model.asked) == embedded


@pytest.mark.parametrize(("kind", "stops"), [("server", False), ("key", True)])
def test_a_refused_key_ends_the_run_another_failure_is_told_by_the_scores(kind: Any, stops: bool) -> None:
    async def embed(role: str, texts: Any) -> None:
        raise CallError("no", kind)

    place = replace(bench(TEXTS), embeddings=lambda spec: SimpleNamespace(embed=embed))  # type: ignore[arg-type,return-value]
    work = embed_centre(plan(place, "answer_relevancy", "openai:small"), place)
    if stops:
        with pytest.raises(CallError):
            asyncio.run(work)
    else:
        asyncio.run(work)
