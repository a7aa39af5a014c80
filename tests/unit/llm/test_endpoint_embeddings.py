import asyncio

import numpy as np
import pytest
from pydantic import SecretStr

from rag_variants.errors import CallError, StateError
from rag_variants.llm import Encoders
from rag_variants.llm.dispatcher import Dispatcher
from rag_variants.llm.endpoint import make_endpoint
from rag_variants.llm.endpoint_embeddings import EndpointEmbeddings
from rag_variants.llm.stored_vectors import StoredVectors
from rag_variants.llm.vectors import CachedEmbeddings
from rag_variants.settings import EndpointSettings, Settings
from tests.stub import Answer, Stub, completion, embeddings, error, first, vector


@pytest.fixture
def connect(clock):
    def open_model(url):
        endpoint = make_endpoint("stub", EndpointSettings(base_url=SecretStr(url)))
        return EndpointEmbeddings(endpoint, "small", Dispatcher(endpoint, clock))

    return open_model


def test_rows_are_of_unit_length_in_the_order_of_the_texts(connect):
    shuffled = embeddings([(1, [0.0, 2.0]), (0, [3.0, 4.0])])
    with Stub(faults=(first(1, shuffled),)) as stub:
        rows = connect(stub.url).embed_passages(["a", "b"])
    assert np.allclose(rows, [[3 / 5, 4 / 5], [0, 2 / 2]])
    assert stub.requests[0].body == {"model": "small", "input": ["a", "b"]}


def test_rows_without_an_index_are_taken_as_they_come(connect):
    with Stub(faults=(first(1, embeddings([(None, [1.0, 0.0]), (None, [0.0, 1.0])])),)) as stub:
        assert np.allclose(connect(stub.url).embed_queries(["a", "b"]), np.eye(2))


ODD = {
    "fewer": embeddings([(0, [1.0, 0.0])]),
    "more": embeddings([(0, [1.0]), (1, [1.0]), (2, [1.0])]),
    "an index twice": embeddings([(1, [1.0, 0.0]), (1, [0.0, 1.0])]),
    "an index too high": embeddings([(0, [1.0, 0.0]), (2, [0.0, 1.0])]),
    "an index that is missing": embeddings([(0, [1.0, 0.0]), (None, [0.0, 1.0])]),
    "unlike lengths": embeddings([(0, [1.0, 0.0]), (1, [0.0, 1.0, 0.0])]),
    "no numbers": embeddings([(0, []), (1, [])]),
    "zeros": embeddings([(0, [0.0, 0.0]), (1, [0.0, 1.0])]),
    "no number": embeddings([(0, [float("nan"), 0.0]), (1, [0.0, 1.0])]),
    "texts": Answer(body={"data": [{"index": 0, "embedding": "AAAA"}, {"index": 1, "embedding": "AAAA"}]}),
    "a chat reply": completion("ok"),
}


@pytest.mark.parametrize("answer", ODD.values(), ids=ODD)
def test_an_answer_that_does_not_fit_the_texts_is_no_vector(connect, answer):
    with Stub(faults=(first(1, answer),)) as stub, pytest.raises(CallError, match="stub:small sent") as caught:
        connect(stub.url).embed_passages(["a", "b"])
    assert (caught.value.kind, len(stub.requests)) == ("embeddings", 1)


def test_another_dimension_between_two_calls_is_named(connect):
    with Stub(faults=(first(1, embeddings([(0, [1.0, 0.0])])),)) as stub:
        model = connect(stub.url)
        model.embed_passages(["a"])
        with pytest.raises(CallError, match="vectors of 8 numbers after some of 2"):
            model.embed_passages(["b"])


def test_another_dimension_than_that_of_kept_vectors_is_named(connect, tmp_path):
    stored = StoredVectors(tmp_path, lambda: tmp_path)
    with Stub(faults=(first(1, embeddings([(0, [1.0, 0.0])])),)) as stub:
        CachedEmbeddings(connect(stub.url), None, stored).embed_passages(["a"])
        with pytest.raises(CallError, match="Vectors of 2 and 8 numbers"):
            CachedEmbeddings(connect(stub.url), None, stored).embed_passages(["a", "b"])


def test_what_can_pass_is_asked_again(connect):
    with Stub(faults=(first(1, error(429, retry_after="3")), first(2, error(500)))) as stub:
        assert connect(stub.url).embed_passages(["a"]).shape == (1, 8)
    assert len(stub.requests) == 4


def test_blank_and_broken_texts_can_be_sent(connect):
    with Stub() as stub:
        assert connect(stub.url).embed_passages(["", "a\0b", "\udbff"]).shape == (3, 8)
        assert connect(stub.url).embed_passages([]).shape == (0, 0)
    assert stub.requests[0].body["input"] == [".", "a b", "?"]


def test_each_text_is_sent_once_ever(tmp_path):
    texts = [f"text {at}" for at in range(150)]
    with Stub() as stub:
        given = {"stub": EndpointSettings(base_url=SecretStr(stub.url))}
        settings = Settings(home=tmp_path, endpoints=given)
        rows = Encoders(settings)("stub:small").embed_passages(texts)
        again = Encoders(settings)("stub:small").embed_passages(texts)
    assert sorted(len(request.body["input"]) for request in stub.requests) == [22, 64, 64]  # 150 = 64 + 64 + 22
    assert np.array_equal(rows, again)
    expected = np.array(vector(texts[9]))
    assert np.allclose(rows[9], expected / np.linalg.norm(expected), atol=1e-3)


def test_embedding_does_not_hold_up_the_loop_and_is_shared(tmp_path, connect):
    async def ask(kept):
        return await asyncio.gather(*(kept.embed("passage", ["a", "b"]) for _ in range(5)), kept.embed("query", ["a"]))

    with Stub(latency=0.02) as stub:
        stored = StoredVectors(tmp_path, lambda: tmp_path)
        *same, question = asyncio.run(ask(CachedEmbeddings(connect(stub.url), None, stored)))
        kept = asyncio.run(CachedEmbeddings(connect(stub.url), None, stored).embed("passage", ["b"]))
    assert len(stub.requests) == 2
    assert stub.most_at_once == 1  # until a model has answered once, its calls go one at a time
    assert all(np.array_equal(rows, same[0]) for rows in same)
    assert np.array_equal(question[0], same[0][0])
    assert np.array_equal(kept[0], same[0][1])


@pytest.mark.parametrize("beside", [True, False], ids=["beside other calls", "before a run"])
def test_a_batch_that_came_is_kept_whatever_becomes_of_another(tmp_path, connect, beside):
    """86 texts are sent as 64 + 22, and the second call is refused."""
    texts = [f"text {at}" for at in range(86)]

    def short(request):
        return error(400, "bad_request", "no") if len(request.body["input"]) == 22 else None

    stored = StoredVectors(tmp_path, lambda: tmp_path)
    with Stub(faults=(short,)) as stub:
        kept = CachedEmbeddings(connect(stub.url), None, stored)
        with pytest.raises(CallError):
            asyncio.run(kept.embed("passage", texts)) if beside else kept.embed_passages(texts)
        fresh = CachedEmbeddings(connect(stub.url), None, StoredVectors(tmp_path, lambda: tmp_path))
        assert len(fresh.missing("passage", texts)) == 86 - 64


def test_a_folder_that_cannot_be_written_costs_no_call(tmp_path, connect):
    def refuse():
        raise StateError("The folder cannot be written.")

    with Stub() as stub, pytest.raises(StateError):
        CachedEmbeddings(connect(stub.url), None, StoredVectors(tmp_path, refuse)).embed_passages(["a"])
    assert stub.requests == []
