"""A model behind /rerank: what is sent, what is read, what is paid once."""

import asyncio

import pytest
from pydantic import SecretStr

from rag_variants.errors import CallError, ModelError
from rag_variants.llm.calls import CallCounter, Calls
from rag_variants.llm.dispatcher import Dispatcher
from rag_variants.llm.endpoint import make_endpoint
from rag_variants.llm.endpoint_chat import Desk
from rag_variants.llm.endpoint_rerank import EndpointRerank, open_endpoint_rerank
from rag_variants.llm.prices import Price, write_prices
from rag_variants.llm.trial_call import try_rerank
from rag_variants.settings import EndpointSettings, Settings
from tests.stub import Answer, Stub, completion, embeddings, error, first, rerank

TEXTS = ("The desk is red.", "The desk opens.")


@pytest.fixture
def connect(clock):
    def open_model(url):
        endpoint = make_endpoint("stub", EndpointSettings(base_url=SecretStr(url)))
        return EndpointRerank(endpoint, "small", Dispatcher(endpoint, clock), Desk(None), {})

    return open_model


def ask(model, *texts):
    return asyncio.run(model.rerank("What opens?", texts or TEXTS))


def test_one_call_names_model_query_and_all_documents(connect):
    with Stub(key=None) as stub:
        reply = ask(connect(stub.url))
    (request,) = stub.requests
    assert request.path == "/v1/rerank"
    assert request.body == {"model": "small", "query": "What opens?", "documents": list(TEXTS), "top_n": 2}
    assert (reply.scores, reply.tokens, reply.reused) == ((0.0, 1.0), 11, False)  # "opens" stands in the second
    assert reply.seconds > 0


FORMS = {
    "the best first, with its document": Answer(
        body={
            "id": "x",
            "results": [
                {"index": 1, "document": {"text": TEXTS[1]}, "relevance_score": 0.75},
                {"index": 0, "document": {"text": TEXTS[0]}, "relevance_score": -3},
            ],
            "usage": {"prompt_tokens": 7, "total_tokens": 9},
        }
    ),
    "Cohere's tokens": Answer(
        body={
            "results": [{"index": 0, "relevance_score": -3}, {"index": 1, "relevance_score": 0.75}],
            "meta": {"billed_units": {"search_units": 1}, "tokens": {"input_tokens": 7}},
        }
    ),
    "a list called data": Answer(
        body={
            "data": [{"index": 0, "relevance_score": -3}, {"index": 1, "relevance_score": 0.75}],
            "usage": {"total_tokens": 7},
        }
    ),
}


@pytest.mark.parametrize("answer", FORMS.values(), ids=FORMS)
def test_scores_go_to_their_documents_in_the_forms_that_servers_use(connect, answer):
    with Stub(faults=(first(1, answer),)) as stub:
        reply = ask(connect(stub.url))
    assert (reply.scores, reply.tokens) == ((-3.0, 0.75), 7)


ODD = {
    "fewer": rerank([(0, 1.0)]),
    "more": rerank([(0, 1.0), (1, 1.0), (2, 1.0)]),
    "an index twice": rerank([(0, 1.0), (0, 2.0)]),
    "an index too high": rerank([(0, 1.0), (2, 2.0)]),
    "an index below 0": rerank([(0, 1.0), (-1, 2.0)]),
    "no index": rerank([(0, 1.0), (None, 2.0)]),
    "a switch for an index": rerank([(0, 1.0), (True, 2.0)]),
    "NaN": rerank([(0, 1.0), (1, float("nan"))]),
    "infinity": rerank([(0, 1.0), (1, float("inf"))]),
    "a text": rerank([(0, 1.0), (1, "0.5")]),
    "no score": rerank([(0, 1.0), (1, None)]),
    "texts": Answer(body={"results": ["a", "b"]}),
    "a chat reply": completion("ok"),
    "vectors": embeddings([(0, [1.0]), (1, [2.0])]),
}


@pytest.mark.parametrize("answer", ODD.values(), ids=ODD)
def test_an_answer_that_does_not_fit_the_documents_is_an_error(connect, answer):
    with Stub(faults=(first(1, answer),)) as stub, pytest.raises(CallError, match="stub:small sent") as caught:
        ask(connect(stub.url))
    assert (caught.value.kind, caught.value.stops, len(stub.requests)) == ("rerank", False, 1)


def test_what_is_no_json_is_asked_again_and_then_named(connect):
    broken = Answer(raw=b"{half", headers={"content-type": "application/json"})
    with Stub(faults=(first(1, broken), first(1, error(429, retry_after="3")))) as stub:
        assert ask(connect(stub.url)).scores == (0.0, 1.0)
    assert len(stub.requests) == 3
    with Stub(faults=(lambda _: broken,)) as stub, pytest.raises(CallError, match="not readable"):
        ask(connect(stub.url))


def test_a_server_without_the_path_stops_the_run(connect):
    refuse = Answer(404, raw=b"404 page not found", headers={"content-type": "text/plain"})
    with Stub(faults=(lambda _: refuse,)) as stub, pytest.raises(CallError) as caught:
        ask(connect(stub.url))
    assert caught.value.stops
    assert f"{stub.url} has no /rerank (HTTP 404)" in str(caught.value)


def test_nothing_is_asked_about_no_documents(connect):
    with Stub() as stub:
        assert asyncio.run(connect(stub.url).rerank("?", [])).scores == ()
    assert stub.requests == []


def settings_for(stub, tmp_path, **more):
    return Settings(home=tmp_path, endpoints={"stub": EndpointSettings(base_url=SecretStr(stub.url), **more)})


def test_a_call_is_paid_once_and_remembers_its_time_and_price(tmp_path):
    """11 tokens at 2 dollars a million: 0.000022 dollars."""
    counter = CallCounter()
    with Stub() as stub:
        settings = settings_for(stub, tmp_path)
        write_prices(settings, [Price("stub:small", 2.0, 0.0)])
        new, kept = (
            ask(counter.counting_rerank(lambda spec: open_endpoint_rerank(spec, settings))("stub:small"))
            for _ in range(2)
        )
        key, recalled = open_endpoint_rerank("stub:small", settings).recall("What opens?", TEXTS)
        other, missing = open_endpoint_rerank("stub:small", settings).recall("What opens?", TEXTS[::-1])
    assert len(stub.requests) == 1
    assert (new.reused, kept.reused) == (False, True)
    assert (new.scores, new.seconds, new.cost_usd) == (kept.scores, kept.seconds, kept.cost_usd)
    assert new.cost_usd == pytest.approx(11 * 2 / 1e6)
    assert counter.calls == Calls(issued=1, reused=1, prompt_tokens=11, cost_usd=new.cost_usd)
    assert recalled == kept
    assert key != other
    assert missing is None


def test_the_same_call_at_the_same_time_is_one(tmp_path):
    async def together(model):
        return await asyncio.gather(*(model.rerank("What opens?", TEXTS) for _ in range(5)))

    with Stub(latency=0.02) as stub:
        replies = asyncio.run(together(open_endpoint_rerank("stub:small", settings_for(stub, tmp_path))))
    assert len(stub.requests) == 1
    assert sorted(reply.reused for reply in replies) == [False, True, True, True, True]


def test_a_call_that_failed_is_counted_and_not_kept(tmp_path):
    counter = CallCounter()
    with Stub(faults=(first(1, rerank([(0, 1.0)])),)) as stub:
        open_model = counter.counting_rerank(lambda spec: open_endpoint_rerank(spec, settings_for(stub, tmp_path)))
        with pytest.raises(CallError):
            ask(open_model("stub:small"))
        assert ask(open_model("stub:small")).scores == (0.0, 1.0)
    assert (counter.calls.issued, counter.calls.failed, counter.calls.cost_usd) == (1, 1, None)  # no price is known


def test_an_unknown_endpoint_is_named(tmp_path):
    with pytest.raises(ModelError, match="no endpoint called 'jina'"):
        open_endpoint_rerank("jina:reranker", Settings(home=tmp_path, endpoints={}))


def test_one_call_shows_whether_it_works(tmp_path):
    """ "A week has seven days" has 3 of the question's words (is, a, week: a and week), the other text none."""
    with Stub() as stub:
        said = try_rerank("stub:small", settings_for(stub, tmp_path))
    assert said.endswith("2 for a text that fits, 0 for another")
    with Stub(faults=(first(1, rerank([(0, 0.5), (1, 0.5)])),)) as stub:
        assert try_rerank("stub:small", settings_for(stub, tmp_path)).endswith("is it a reranking model?")
