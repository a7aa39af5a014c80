"""A run whose reranker is elsewhere: asked side by side, counted, foretold, and named in the run."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from rag_variants.errors import CallError, ModelError
from rag_variants.evaluation.advice.advice_work import AdviceWork
from rag_variants.evaluation.forecast import CallForecast, Forecast
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.reranking import rerank_ahead
from rag_variants.evaluation.run import Experiment
from rag_variants.evaluation.tuning.tune import TuneWork
from rag_variants.llm.calls import Calls
from rag_variants.llm.prices import Price, write_prices
from rag_variants.metrics import choose_metrics
from rag_variants.pipeline import read_variant
from rag_variants.pipeline.bench import Bench, open_bench
from rag_variants.questions.sets import QuestionSet
from rag_variants.report.calls import forecast_lines
from rag_variants.settings import EndpointSettings, Settings
from rag_variants.types import Evidence, Question
from tests.making import knowledge
from tests.stub import Stub, error, rerank, shared_words

NAMES = ("deposit", "refund", "desk", "pool", "sauna")
TEXTS = {f"{name}.md": f"The {name} is open on day {at}." for at, name in enumerate(NAMES)}
QUESTIONS = tuple(
    Question(name, f"When is the {name} open?", evidence=(Evidence(f"{name}.md", TEXTS[f"{name}.md"], 1),))
    for name in NAMES
)
SPEC = "keyword:reranker=stub:small,rerank_depth=3"


@pytest.fixture
def stub() -> Iterator[Stub]:
    with Stub() as served:
        yield served


@pytest.fixture
def settings(stub: Stub, tmp_path: Path) -> Settings:
    made = Settings(home=tmp_path, endpoints={"stub": EndpointSettings(base_url=stub.url, attempts=1)})
    write_prices(made, [Price("stub:small", 2.0, 0.0)])
    return made


@pytest.fixture
def bench(settings: Settings) -> Bench:
    return open_bench(knowledge(TEXTS), settings=settings)


def plan(bench: Bench) -> Plan:
    metrics = choose_metrics("context_characters,latency_ms")
    return Plan(bench.knowledge, QuestionSet("qs", QUESTIONS), metrics, today=bench.today)


def experiment(bench: Bench, *specs: str) -> Experiment:
    work = Experiment([read_variant(each) for each in specs], plan(bench), bench)
    for step in work.steps():
        assert step.of >= step.done
    return work


def test_each_question_is_one_call_of_its_first_chunks(bench, stub):
    (run,) = experiment(bench, SPEC).runs()
    assert stub.counted() == {"rerank": 5}
    assert {len(request.body["documents"]) for request in stub.requests} == {3}
    assert run.calls.answers == Calls(issued=5, prompt_tokens=5 * 11, cost_usd=pytest.approx(5 * 11 * 2 / 1e6))
    assert run.versions["reranker"] == f"stub:small {stub.url}"
    for row in run.rows:
        before = sorted((hit for hit in row.record.ranking[:3]), key=lambda hit: dict(hit.parts)["search"].rank)
        words = shared_words(row.record.question.user_input, [hit.chunk.text for hit in before])
        assert [hit.score for hit in row.record.ranking[:3]] == sorted(words, reverse=True)


def test_both_sides_and_a_later_run_pay_once_and_show_the_same_time(bench, stub, settings):
    first, second = experiment(bench, SPEC, f"{SPEC},top_k=2").runs()
    (later,) = experiment(open_bench(knowledge(TEXTS), settings=settings), SPEC).runs()
    assert len(stub.requests) == 5
    assert second.calls.answers == Calls()  # the bench had kept them
    assert later.calls.answers == Calls(reused=5)
    times = [[row.record.timing_ms["rerank"] for row in run.rows] for run in (first, second, later)]
    assert times[0] == times[1] == times[2]
    assert min(times[0]) > 0


def test_calls_are_made_side_by_side(settings, tmp_path):
    with Stub(latency=0.05) as slow:
        own = settings.model_copy(update={"endpoints": {"stub": EndpointSettings(base_url=slow.url)}})
        place = open_bench(knowledge(TEXTS), settings=own)
        steps = list(rerank_ahead(read_variant(SPEC), place, [each.user_input for each in QUESTIONS]))
        assert slow.most_at_once > 1
    assert {(step.step, step.of) for step in steps} == {("reranking", 5)}
    done = [step.done for step in steps]
    assert (done, done[-1]) == (sorted(done), 5)


def test_a_question_whose_call_fails_costs_itself_alone(settings):
    def short(request):
        return rerank([(0, 1.0)]) if "sauna" in request.body["query"] else None

    with Stub(faults=(short,)) as odd:
        own = settings.model_copy(update={"endpoints": {"stub": EndpointSettings(base_url=odd.url, attempts=1)}})
        (run,) = experiment(open_bench(knowledge(TEXTS), settings=own), SPEC).runs()
    errors = {row.record.question.id: row.record.error for row in run.rows if row.record.error}
    assert list(errors) == ["sauna"]
    assert "stub:small sent 1 scores for 3 chunks" in errors["sauna"]


def test_a_refused_key_ends_the_run_with_its_sentence(settings):
    with Stub(faults=(lambda _: error(401, "invalid_api_key"),)) as shut:
        own = settings.model_copy(update={"endpoints": {"stub": EndpointSettings(base_url=shut.url, attempts=1)}})
        with pytest.raises(CallError) as caught:
            experiment(open_bench(knowledge(TEXTS), settings=own), SPEC)
    assert caught.value.stops


def test_an_endpoint_that_is_not_there_ends_the_run_before_it_begins(bench, stub):
    with pytest.raises(ModelError, match="no endpoint called 'nowhere'"):
        experiment(bench, "keyword:reranker=nowhere:small")
    assert stub.requests == []


def forecast(bench: Bench, *specs: str) -> CallForecast:
    work = Forecast([read_variant(each) for each in specs], plan(bench), bench)
    for _ in work.steps():
        pass
    found = work.result()
    assert found is not None
    return found


def test_the_forecast_counts_the_calls_that_the_run_makes_and_asks_nothing(bench, stub):
    found = forecast(bench, "keyword", SPEC)
    assert stub.requests == []
    need = found.calls["stub:small"]
    assert (need.calls, need.completion_tokens, found.unordered) == (5, 0, True)
    assert need.cost_usd == pytest.approx(need.prompt_tokens * 2 / 1e6)
    assert "The chunks are those of the search until the reranker has ordered them." in forecast_lines(found)
    experiment(bench, "keyword", SPEC)
    assert len(stub.requests) == need.calls
    again = forecast(bench, "keyword", SPEC)
    assert (dict(again.calls), again.kept, again.unordered) == ({}, 5, False)


def test_a_forecast_loads_no_cross_encoder(bench):
    """sentence-transformers is not installed here, so that loading it would be an error."""
    assert forecast(bench, "keyword:reranker=cross-encoder:some/model").unordered


def test_tuning_asks_side_by_side_too(bench, stub):
    work = TuneWork(read_variant(SPEC), plan(bench), bench)
    assert [step.done for step in work.steps() if step.step == "reranking"][-1] == 5
    assert stub.counted() == {"rerank": 5}


def test_advice_asks_no_endpoint_anew(bench, stub):
    work = AdviceWork(read_variant(SPEC), plan(bench), bench)
    for _ in work.steps():
        pass
    assert len(stub.requests) == 5  # the variant itself, and what comes after its reranking
    left_out = {each.setting: each.reason for each in work.result().left_out}
    assert left_out["k1"] == "Each question would be a new call to stub:small. Run it as A or B to see what it does."
