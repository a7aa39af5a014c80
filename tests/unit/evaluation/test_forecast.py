"""A forecast counts the calls that a run then makes, and asks nothing itself."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from rag_variants.evaluation.forecast import REPLY_TOKENS, CallForecast, Forecast
from rag_variants.evaluation.judging.repeat_work import Repetition
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.run import Experiment
from rag_variants.llm.calls import Calls, total
from rag_variants.llm.prices import Price, write_prices
from rag_variants.metrics import choose_metrics
from rag_variants.pipeline import read_variant
from rag_variants.pipeline.bench import Bench, open_bench
from rag_variants.questions.sets import QuestionSet
from rag_variants.settings import EndpointSettings, Settings
from rag_variants.types import Question
from tests.making import knowledge
from tests.stub import Stub, filled

TEXTS = {"deposit.md": "The deposit is 450 EUR.", "refund.md": "A refund takes 14 days.", "desk.md": "It opens at 9."}
QUESTIONS = tuple(Question(each, f"What of the {each}?", f"The {each} is so.") for each in ("deposit", "refund"))
A, B = "keyword:answerer=stub:small,top_k=1", "keyword:answerer=stub:small,top_k=2,documents=all"


@pytest.fixture
def stub() -> Iterator[Stub]:
    with Stub(filled) as served:
        yield served


@pytest.fixture
def bench(stub: Stub, tmp_path: Path) -> Bench:
    settings = Settings(home=tmp_path, endpoints={"stub": EndpointSettings(base_url=stub.url, attempts=1)})
    write_prices(settings, [Price("stub:small", 1.0, 2.0)])
    return open_bench(knowledge(TEXTS), settings=settings)


def plan(bench: Bench, metrics: str = "core") -> Plan:
    return Plan(bench.knowledge, QuestionSet("qs", QUESTIONS), choose_metrics(metrics), "stub:large", today=bench.today)


def forecast(bench: Bench, *variants: str, metrics: str = "core") -> CallForecast:
    work = Forecast([read_variant(each) for each in variants], plan(bench, metrics), bench)
    assert [step.done for step in work.steps() if step.step == "forecast"][-1] == len(QUESTIONS)
    found = work.result()
    assert found is not None
    return found


def run(bench: Bench, *variants: str) -> Calls:
    experiment = Experiment([read_variant(each) for each in variants], plan(bench), bench)
    for _ in experiment.steps():
        pass
    return total([each.calls.all for each in experiment.runs()])


def needed(found: CallForecast) -> int:
    return sum(need.calls for need in found.calls.values())


def test_a_forecast_asks_nothing_and_the_run_makes_the_calls_it_named(stub: Stub, bench: Bench) -> None:
    found = forecast(bench, A, B)
    assert stub.requests == []
    assert (found.kept, found.texts, found.guessed) == (0, {}, False)
    made = run(bench, A, B)
    assert needed(found) == made.issued == len(stub.requests)
    assert made.failed == 0


def test_a_forecast_of_repeats_names_the_calls_that_they_make(stub: Stub, bench: Bench) -> None:
    work = Forecast([read_variant(each) for each in (A, B)], plan(bench), bench, times=3)
    assert {step.step for step in work.steps()} >= {"forecast", "repeats"}
    found = work.result()
    assert found is not None and stub.requests == []
    experiment = Experiment([read_variant(each) for each in (A, B)], plan(bench), bench)
    for _ in experiment.steps():
        pass
    again = Repetition(experiment.runs(), plan(bench), bench, 3)
    for _ in again.steps():
        pass
    made = total([run.calls.all for run in again.result()])
    assert needed(found) == made.issued == len(stub.requests)
    assert needed(found) > needed(forecast(bench, A, B)) == 0, "after the run, one judging needs nothing"


def test_after_the_run_nothing_is_needed_and_every_reply_is_at_hand(bench: Bench) -> None:
    made = run(bench, A, B)
    found = forecast(bench, A, B)
    assert needed(found) == 0
    assert found.kept == made.issued


def test_a_setting_that_moved_needs_what_depends_on_it(bench: Bench) -> None:
    run(bench, A)
    found = forecast(bench, A, B)
    assert needed(found) == run(bench, A, B).issued
    assert found.kept > 0


def test_tokens_and_money_are_those_of_the_prompts_and_an_assumed_reply(bench: Bench) -> None:
    answers = forecast(bench, A).calls["stub:small"]
    assert answers.calls == len(QUESTIONS)
    assert answers.completion_tokens == len(QUESTIONS) * REPLY_TOKENS
    assert answers.cost_usd == pytest.approx((answers.prompt_tokens * 1.0 + answers.completion_tokens * 2.0) / 1e6)
    assert forecast(bench, A).calls["stub:large"].cost_usd is None  # nobody gave a price


def test_an_encoder_elsewhere_is_not_asked_and_its_texts_are_counted(stub: Stub, bench: Bench) -> None:
    found = forecast(bench, "vector:embeddings=stub:small,answerer=stub:small")
    assert stub.requests == []
    assert found.guessed
    assert found.texts["stub:small"].calls == len(TEXTS) + len(QUESTIONS)
    run(bench, "vector:embeddings=stub:small,answerer=stub:small")
    asked = len(stub.requests)
    again = forecast(bench, "vector:embeddings=stub:small,answerer=stub:small")
    assert (len(stub.requests), again.guessed, needed(again)) == (asked, False, 0)


def test_what_asks_nobody_elsewhere_needs_nothing(bench: Bench) -> None:
    assert forecast(bench, "keyword", metrics="retrieval") == CallForecast({}, {}, 0, False)


def test_a_forecast_that_was_stopped_has_no_result(bench: Bench) -> None:
    work = Forecast([read_variant(A)], plan(bench), bench)
    next(work.steps())
    assert work.result() is None
