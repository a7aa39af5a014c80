"""How servers that speak OpenAI's protocol differ, each difference met by a server on loopback that behaves so."""

import asyncio
from typing import Literal

import numpy as np
import pytest
from pydantic import BaseModel, SecretStr

from rag_variants.errors import CallError
from rag_variants.llm.backoff import read_wait
from rag_variants.llm.chat import Message
from rag_variants.llm.dispatcher import Dispatcher
from rag_variants.llm.endpoint import make_endpoint
from rag_variants.llm.endpoint_chat import Desk
from rag_variants.llm.endpoint_embeddings import EndpointEmbeddings
from rag_variants.llm.endpoint_rerank import EndpointRerank
from rag_variants.llm.model_names import is_same_model
from rag_variants.llm.stored_vectors import StoredVectors
from rag_variants.llm.vectors import CachedEmbeddings
from rag_variants.settings import EndpointSettings
from tests.stub import Answer, Request, Stub, completion, embeddings, error, rerank, shared_words, streamed, vector
from tests.unit.llm.conftest import say


class Verdict(BaseModel):
    verdict: Literal[0, 1]


TOLD = [Message("system", "Reply in one word."), Message("user", "Is it open?")]


def ask(model, messages=TOLD, **how):
    return asyncio.run(model.ask(messages, **how))


# A system turn that is refused.

NO_SYSTEM = {
    "vLLM, Gemma 2": error(400, "400", "System role not supported"),
    "bare": Answer(400, body={"object": "error", "message": "System role not supported", "code": 400}),
    "vLLM, Mistral": error(400, None, "Conversation roles must alternate user/assistant/user/assistant/..."),
    "llama.cpp": error(500, None, "System role not supported at row 12, column 4"),
    "TGI": error(422, None, "Template error: invalid operation: System role not supported (in <string>:1)"),
    "o1-mini": error(400, "unsupported_value", "'messages[0].role' does not support 'system'", "messages[0].role"),
    "Gemini": Answer(400, body=[{"error": {"message": "Developer instruction is not enabled for models/gemma-3"}}]),
    "pydantic": Answer(
        422, body={"detail": [{"loc": ["body", "messages", 0, "role"], "msg": "Input should be 'user' or 'assistant'"}]}
    ),
    "LM Studio": error(400, None, "Error rendering prompt template: Only user and assistant roles are supported!"),
}


def without_system(answer):
    def fault(request: Request) -> Answer | None:
        return answer if any(turn["role"] == "system" for turn in request.body["messages"]) else None

    return fault


@pytest.mark.parametrize("answer", NO_SYSTEM.values(), ids=NO_SYSTEM)
def test_system_text_goes_into_the_users_turn_where_the_role_is_refused(connect, answer):
    with Stub(faults=(without_system(answer),)) as stub:
        model = connect(stub.url)
        first = ask(model)
        second = ask(model, [TOLD[0], Message("user", "Is it shut?")])
        alone = ask(model, say("Is it?"))
    assert len(stub.requests) == 1 + 3, "refused once, for all calls"
    assert stub.requests[1].body["messages"] == [{"role": "user", "content": "Reply in one word.\n\nIs it open?"}]
    note = "the server refused the system role; its text was put before the first question"
    assert first.notes == second.notes == (note,)
    assert alone.notes == (), "who sends no system turn has nothing to say of it"


def test_turns_of_one_role_become_one(connect):
    turns = [TOLD[0], Message("user", "One."), Message("user", "Two."), Message("assistant", "So?"), TOLD[1]]
    with Stub(faults=(without_system(NO_SYSTEM["vLLM, Mistral"]),)) as stub:
        ask(connect(stub.url), turns)
    sent = [(turn["role"], turn["content"]) for turn in stub.requests[-1].body["messages"]]
    assert sent == [("user", "Reply in one word.\n\nOne.\n\nTwo."), ("assistant", "So?"), ("user", "Is it open?")]


@pytest.mark.parametrize("words", ["The system is busy", "Internal system error", "The messages are too many for now"])
def test_another_refusal_is_none_of_the_role(connect, words):
    with Stub(faults=(lambda request: error(400, None, words),)) as stub, pytest.raises(CallError):
        ask(connect(stub.url))
    assert len(stub.requests) == 1


# Forms of replies that are refused.

NO_FORM = {
    "Groq": error(400, None, "This model does not support response format `json_schema`."),
    "DeepSeek": error(400, None, "This response_format type is unavailable now"),
    "xgrammar": error(400, None, "The provided JSON schema contains features not supported by xgrammar"),
    "llama.cpp": error(500, None, "failed to parse grammar"),
    "Gemini": Answer(400, body=[{"error": {"message": 'Unknown name "response_schema": Cannot find field.'}}]),
}


@pytest.mark.parametrize("answer", NO_FORM.values(), ids=NO_FORM)
def test_a_form_that_is_refused_is_asked_for_less_formally(connect, answer):
    def fault(request: Request) -> Answer | None:
        form = request.body.get("response_format", {}).get("type")
        return answer if form == "json_schema" else None

    with Stub(lambda request: '{"verdict": 1}', faults=(fault,)) as stub:
        reply = ask(connect(stub.url), say("Is it?"), schema=Verdict)
    assert reply.parsed == Verdict(verdict=1)
    assert reply.notes == ("the server refused json_schema; asked by json_object",)
    assert len(stub.requests) == 2


# Replies without an answer.


def reasoned(field: str, finish: str = "stop") -> Answer:
    answer = completion(None, finish)
    answer.body["choices"][0]["message"][field] = "Let me think about the opening hours."
    return answer


REASONED = {
    "vLLM": reasoned("reasoning_content"),
    "OpenRouter": reasoned("reasoning"),
    "Ollama": reasoned("thinking"),
}


@pytest.mark.parametrize("schema", [None, Verdict])
@pytest.mark.parametrize("answer", REASONED.values(), ids=REASONED)
def test_reasoning_without_an_answer_is_named_with_what_to_set(connect, answer, schema):
    with Stub(faults=(lambda request: answer,)) as stub, pytest.raises(CallError) as caught:
        ask(connect(stub.url), schema=schema)
    assert (
        "stub only reasoned and gave no answer. Raise max_tokens of stub (RAG_VARIANTS_ENDPOINTS__STUB__MAX_TOKENS)"
        in (str(caught.value))
    )
    assert "opening hours" not in str(caught.value)
    assert (caught.value.kind, len(stub.requests)) == ("empty", 2), "thinking costs: twice, not ten times"


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        (reasoned("reasoning_content", "length"), "cut", "spent all tokens on reasoning and gave no answer"),
        (completion("It is", "length"), "cut", "The reply was cut at the token limit. Raise max_tokens of stub"),
        (completion("It is", "max_tokens"), "cut", "RAG_VARIANTS_ENDPOINTS__STUB__MAX_TOKENS"),
        (completion("It is", "MAX_TOKENS"), "cut", "The reply was cut at the token limit"),
        (completion("It is", "model_length"), "cut", "The reply was cut at the token limit"),
        (completion(None, "content_filter"), "filtered", "Blocked by the filter of stub"),
        (completion("", "SAFETY"), "filtered", "Blocked by the filter of stub"),
        (completion(None, "refusal"), "filtered", "The model of stub refused to reply"),
    ],
)
def test_why_a_reply_has_no_end_is_said(connect, answer, kind, words):
    with Stub(faults=(lambda request: answer,)) as stub, pytest.raises(CallError) as caught:
        ask(connect(stub.url))
    assert (caught.value.kind, len(stub.requests)) == (kind, 1)
    assert words in str(caught.value)


def test_a_refusal_is_named_and_not_quoted(connect):
    answer = completion(None)
    answer.body["choices"][0]["message"]["refusal"] = "I cannot talk about the vault."
    with Stub(faults=(lambda request: answer,)) as stub, pytest.raises(CallError) as caught:
        ask(connect(stub.url))
    assert str(caught.value) == "The model of stub refused to reply; it was not asked again. Try another model."
    assert (caught.value.kind, len(stub.requests)) == ("filtered", 1)


def test_reasoning_beside_an_answer_is_no_fault(connect):
    answer = reasoned("reasoning_content")
    answer.body["choices"][0]["message"]["content"] = "At nine."
    with Stub(faults=(lambda request: answer,)) as stub:
        assert ask(connect(stub.url)).text == "At nine."


def test_a_streamed_reply_without_an_answer_is_named_too(connect):
    thinking = streamed("").raw or b""
    piece = b'data: {"choices": [{"delta": {"reasoning_content": "Hm."}}]}\n\n'
    with (
        Stub(faults=(lambda request: Answer(raw=piece + thinking),)) as stub,
        pytest.raises(CallError, match="only reasoned"),
    ):
        ask(connect(stub.url))


@pytest.mark.parametrize("status", [200, 401, 403, 407])
def test_a_page_in_place_of_json_names_the_address(connect, status):
    page = Answer(status, raw=b"\xef\xbb\xbf<!doctype html><p>Sign in", headers={"content-type": "text/html"})
    with Stub(faults=(lambda request: page,)) as stub, pytest.raises(CallError) as caught:
        ask(connect(stub.url))
    assert "answers with a web page" in str(caught.value)
    assert "Check RAG_VARIANTS_ENDPOINTS__STUB__BASE_URL" in str(caught.value)


# How long to wait.


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "2"}, 2.0),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        ({"retry-after": "Thu, 01 Jan 1970 00:02:00 GMT"}, 20.0),
        ({"retry-after": "6m0s"}, 360.0),
        ({"x-ratelimit-reset-requests": "1m30s"}, 90.0),
        ({"x-ratelimit-reset-requests": "2m59.56s", "x-ratelimit-remaining-requests": "0"}, 179.56),
        ({"x-ratelimit-reset-tokens": "863ms", "x-ratelimit-remaining-tokens": "0"}, 0.863),
        (
            {
                "x-ratelimit-reset-requests": "8s",
                "x-ratelimit-remaining-requests": "9",
                "x-ratelimit-reset-tokens": "40s",
                "x-ratelimit-remaining-tokens": "0",
            },
            40.0,
        ),
        ({"x-ratelimit-reset": "1800000020"}, 20.0),
        ({"x-ratelimit-reset": "1800000020000"}, 20.0),
        (
            {
                "anthropic-ratelimit-requests-reset": "1970-01-01T00:02:00Z",
                "anthropic-ratelimit-requests-remaining": "0",
            },
            20.0,
        ),
        ({"x-ratelimit-remaining-requests": "0"}, None),
        ({"x-ratelimit-reset-requests": "soon"}, None),
        ({}, None),
    ],
)
def test_headers_say_how_long_to_wait(headers, seconds):
    today = 1_800_000_000.0 if headers.get("x-ratelimit-reset", "") > "1" else 100.0  # 120 s after 1970 are 20 s away
    assert read_wait(headers, today) == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("answer", "slept"),
    [
        (error(429, retry_after_ms="1500"), 1.5),
        (error(429, x_ratelimit_reset_requests="1m2s", x_ratelimit_remaining_requests="0"), 62.0),
        (error(429, None, "Rate limit reached. Please try again in 7.5s."), 7.5),
        (Answer(429, body=[{"error": {"details": [{"retryDelay": "34s"}], "message": "Quota"}}]), 34.0),
    ],
)
def test_a_rate_limit_waits_as_long_as_any_of_them_says(connect, clock, answer, slept):
    left = [answer]
    with Stub(faults=(lambda request: left.pop() if left else None,)) as stub:
        assert ask(connect(stub.url)).text == "ok"
    assert (clock.slept, len(stub.requests)) == ([slept], 2)


# How many texts a call may hold.


@pytest.fixture
def encoder(clock):
    def open_model(url):
        endpoint = make_endpoint("stub", EndpointSettings(base_url=SecretStr(url)))
        return EndpointEmbeddings(endpoint, "small", Dispatcher(endpoint, clock))

    return open_model


def at_most(number: int, answer: Answer, name: str = "input"):
    return lambda request: answer if len(request.body.get(name, ())) > number else None


TOO_MANY = {
    "DashScope": (10, error(400, "InvalidParameter", "batch size is invalid, it should not be larger than 10.")),
    "TEI": (
        32,
        Answer(413, body={"error": "batch size 64 > maximum allowed batch size 32", "error_type": "Validation"}),
    ),
    "TEI, 422": (32, error(422, None, "batch size 64 > maximum allowed batch size 32")),
    "Gemini": (20, Answer(400, body=[{"error": {"message": "at most 20 requests can be in one batch"}}])),
    "Azure": (16, error(400, None, "Too many inputs. The max number of inputs is 16.")),
    "Cohere": (48, error(400, None, "invalid request: total number of texts must be at most 48 - received 64")),
    "OpenAI": (50, error(400, "array_above_max_length", "array too long. Expected an array with maximum length 50")),
    "pydantic": (12, Answer(422, body={"detail": [{"type": "too_long", "msg": "List should have at most 12 items"}]})),
    "Zhipu": (30, error(400, "1214", "input数组最大不得超过30条")),
}
HALVED = {
    "Mistral": error(400, "3210", "Too many inputs in request, split into more batches."),
    "a proxy": Answer(413, raw=b"<html>413 Request Entity Too Large", headers={"content-type": "text/html"}),
    "tokens of a call": error(400, None, "Requested 350000 tokens, max 300000 tokens per request"),
}


@pytest.mark.parametrize(("number", "answer"), TOO_MANY.values(), ids=TOO_MANY)
def test_a_call_holds_as_many_texts_as_the_server_names(encoder, number, answer):
    """One refusal; then 64 texts in calls of that many, and later ones so from the start."""
    texts = [f"text {at}" for at in range(64)]
    with Stub(faults=(at_most(number, answer),)) as stub:
        model = encoder(stub.url)
        rows = model.embed_passages(texts)
        calls = -(-64 // number)
        assert len(stub.requests) == 1 + calls
        model.embed_passages([f"more {at}" for at in range(64)])
        assert len(stub.requests) == 1 + 2 * calls
    assert model.texts_per_call == number
    assert model.notes == (f"the server takes {number} texts a call; sent in parts",)
    expected = np.array([vector(text) for text in texts])
    assert np.allclose(rows, expected / np.linalg.norm(expected, axis=1, keepdims=True), atol=1e-6)


@pytest.mark.parametrize("answer", HALVED.values(), ids=HALVED)
def test_where_no_number_is_named_the_call_is_halved(encoder, answer):
    """64, 32, 16 are refused, 8 are taken: 3 refusals, 64 / 8 = 8 calls."""
    with Stub(faults=(at_most(8, answer),)) as stub:
        model = encoder(stub.url)
        assert model.embed_passages([f"text {at}" for at in range(64)]).shape == (64, 8)
    assert model.texts_per_call == 8
    assert sum(len(request.body["input"]) == 8 for request in stub.requests) == 8


@pytest.mark.parametrize(
    "answer",
    [
        Answer(413, body={"error": "Input validation error: `inputs` must have less than 512 tokens. Given: 700"}),
        error(400, None, "input (700 tokens) is too large to process. increase the physical batch size"),
        error(500, None, "input (700 tokens) is too large to process. increase the physical batch size"),
        error(400, "context_length_exceeded", "This model's maximum context length is 512 tokens"),
    ],
)
def test_a_text_that_is_too_long_is_not_sent_in_smaller_calls(encoder, answer):
    with (
        Stub(faults=(lambda request: answer,)) as stub,
        pytest.raises(CallError, match="longer than small reads") as caught,
    ):
        encoder(stub.url).embed_passages(["a", "b", "c"])
    assert (caught.value.kind, len(stub.requests)) == ("cut", 1)


def test_the_rest_of_a_knowledge_base_is_sent_in_calls_that_are_taken(encoder, tmp_path):
    """150 texts: the first call of 64 is refused; what is begun afterwards holds 10 at most."""
    with Stub(faults=(at_most(10, TOO_MANY["DashScope"][1]),)) as stub:
        kept = CachedEmbeddings(encoder(stub.url), None, StoredVectors(tmp_path, lambda: tmp_path))
        assert kept.embed_passages([f"text {at}" for at in range(150)]).shape == (150, 8)
        refused = [request for request in stub.requests if len(request.body["input"]) > 10]
        assert len(refused) == 1, "those that wait for the first learn from it"
        assert kept.notes == ("stub:small: the server takes 10 texts a call; sent in parts",)


# What items of a reply leave out or repeat.


@pytest.mark.parametrize(
    "places",
    [(None, None, None), (0, 0, 0), (0, 1, 2), (None, 1, 2)],
    ids=["no index", "0 in each (Gemini)", "in order", "0 left out"],
)
def test_rows_are_matched_by_what_their_index_says(encoder, places):
    rows = embeddings([(at, row) for at, row in zip(places, np.eye(3).tolist(), strict=True)])
    with Stub(faults=(lambda request: rows,)) as stub:
        assert np.allclose(encoder(stub.url).embed_passages(["a", "b", "c"]), np.eye(3))


@pytest.mark.parametrize("places", [(1, 1, 1), (0, 0, 1), (0, None, 2), ("0", "1", "2")])
def test_an_order_that_is_not_clear_is_an_error(encoder, places):
    rows = embeddings([(at, row) for at, row in zip(places, np.eye(3).tolist(), strict=True)])
    with Stub(faults=(lambda request: rows,)) as stub, pytest.raises(CallError, match="order is not clear"):
        encoder(stub.url).embed_passages(["a", "b", "c"])


# Another model behind the name.


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("gpt-4o", "gpt-4o-2024-08-06", True),
        ("gpt-4", "gpt-4-0613", True),
        ("nomic-embed-text", "nomic-embed-text:latest", True),
        ("BAAI/bge-m3", "bge-m3", True),
        ("/models/bge-m3.gguf", "bge-m3", True),
        ("gemini-embedding", "models/gemini-embedding-001", True),
        ("text-embedding-ada-002", "text-embedding-ada-002-v2", True),
        ("gpt-4o-2024-05-13", "gpt-4o-2024-08-06", False),
        ("qwen2", "qwen2.5", False),
        ("gpt-4o", "gpt-4o-mini", False),
        ("text-embedding-3-small", "text-embedding-3-large", False),
        ("bge-m3", "e5-large", False),
    ],
)
def test_an_alias_is_the_model_and_another_version_is_another(one, other, same):
    assert is_same_model(one, other) is is_same_model(other, one) is same


def naming(names):
    """Embeddings by models of these names, one a call; the last one for ever. Their vectors are alike."""
    left = list(names)

    def fault(request: Request) -> Answer:
        answer = embeddings([(at, vector(text)) for at, text in enumerate(request.body["input"])])
        answer.body["model"] = left.pop(0) if len(left) > 1 else left[0]
        return answer

    return fault


@pytest.mark.parametrize(
    "names",
    [
        ("small",),
        ("small", "small-2024-08-06"),
        ("small-2024-08-06", "small"),
        ("org/small:latest", "small"),
        (None,),
        ("",),
    ],
)
def test_one_model_may_answer_under_an_alias(encoder, tmp_path, names):
    with Stub(faults=(naming(names),)) as stub:
        for at in range(3):  # as three runs
            kept = CachedEmbeddings(encoder(stub.url), None, StoredVectors(tmp_path, lambda: tmp_path))
            kept.embed_passages([f"text {at}"])
        assert len(stub.requests) == 3


@pytest.mark.parametrize("runs", [False, True], ids=["during a run", "between two runs"])
@pytest.mark.parametrize("names", [("small-a", "small-b"), ("small", "small-2024-05-13", "small-2024-08-06")])
def test_vectors_of_two_models_are_not_mixed(encoder, tmp_path, names, runs):
    with Stub(faults=(naming(names),)) as stub:

        def opened():
            return CachedEmbeddings(encoder(stub.url), None, StoredVectors(tmp_path, lambda: tmp_path))

        kept = opened()
        for at in range(len(names) - 1):
            kept.embed_passages([f"text {at}"])
        kept = opened() if runs else kept
        with pytest.raises(CallError) as caught:
            kept.embed_passages(["another"])
        assert f"stub:small now answers as '{names[-1]}'" in str(caught.value)
        assert "Forget the old ones (rag-variants replies --empty)" in str(caught.value)
        assert caught.value.stops
        stored = StoredVectors(tmp_path, lambda: tmp_path)
        assert sum(stored.counts().values()) == len(names) - 1, "none of the other model"
        stored.empty(stored.counts())
        assert opened().embed_passages(["another"]).shape == (1, 8), "once forgotten, the new model is taken"


@pytest.mark.parametrize(
    ("names", "notes"),
    [
        (("m", "m-2024-08-06"), ()),
        (("m", "m"), ()),
        ((None, "m"), ()),
        (("one", "two"), ("it answered as one, then as two: the replies are of more than one model",)),
    ],
)
def test_a_chat_model_that_changes_during_a_run_is_noted(connect, names, notes):
    left = list(names)
    with Stub(faults=(lambda request: completion("ok", **({"model": name} if (name := left.pop(0)) else {})),)) as stub:
        model = connect(stub.url)
        for at in range(2):
            ask(model, say(f"q{at}"))
    assert model.notes == notes


# Reranking.


@pytest.fixture
def reranker(clock):
    def open_model(url):
        endpoint = make_endpoint("stub", EndpointSettings(base_url=SecretStr(url)))
        return EndpointRerank(endpoint, "small", Dispatcher(endpoint, clock), Desk(None), {})

    return open_model


TEXTS = ("The desk is red.", "The desk opens.")


def rank(model, *texts):
    return asyncio.run(model.rerank("What opens?", texts or TEXTS)).scores


FORMS = {
    "score": Answer(body={"results": [{"index": 1, "score": 0.5}, {"index": 0, "score": 0.25}]}),
    "a bare list": Answer(body=[{"index": 1, "score": 0.5}, {"index": 0, "score": 0.25}]),
    "data": Answer(body={"data": [{"index": 0, "relevance_score": 0.25}, {"index": 1, "relevance_score": 0.5}]}),
}


@pytest.mark.parametrize("answer", FORMS.values(), ids=FORMS)
def test_scores_are_read_in_each_form(reranker, answer):
    with Stub(faults=(lambda request: answer,)) as stub:
        assert rank(reranker(stub.url)) == (0.25, 0.5)


def test_a_server_as_text_embeddings_inference_is_asked_in_its_form(reranker):
    """It has no /v1/rerank, calls the documents `texts`, and knows no top_n; 2 refusals, once for all calls."""

    def served(request: Request) -> Answer:
        if request.path != "/rerank":
            return Answer(404, raw=b"", headers={"content-type": "text/plain"})
        if "texts" not in request.body or "top_n" in request.body:
            return Answer(422, raw=b"Failed to deserialize the JSON body: missing field `texts` at line 1")
        scores = shared_words(request.body["query"], request.body["texts"])
        return Answer(body=[{"index": at, "score": score} for at, score in enumerate(scores)])

    with Stub(faults=(served,)) as stub:
        model = reranker(stub.url)
        assert rank(model) == (0.0, 1.0)
        assert rank(model, "It opens.") == (1.0,)
    assert model.notes == ("stub:small: the server wants texts in place of documents; sent so",)
    assert [request.path for request in stub.requests] == ["/v1/rerank", "/rerank", "/rerank", "/rerank"]


def test_a_parameter_that_a_reranker_does_not_know_is_left_out(reranker):
    voyage = error(400, None, "Argument 'top_n' is not supported by our API")
    with Stub(faults=(lambda request: voyage if "top_n" in request.body else None,)) as stub:
        model = reranker(stub.url)
        assert rank(model) == (0.0, 1.0)
    assert len(stub.requests) == 2
    assert model.notes == ("stub:small: the server refused top_n; sent without it",)


def test_documents_are_scored_in_as_many_calls_as_it_takes(reranker):
    """5 documents, 2 a call: 1 refusal and 3 calls; each score goes to its own document."""
    texts = ["It opens.", "No.", "What opens?", "No.", "What?"]
    refused = error(413, None, "batch size 5 > maximum allowed batch size 2")
    with Stub(faults=(at_most(2, refused, "documents"),)) as stub:
        assert rank(reranker(stub.url), *texts) == (1.0, 0.0, 2.0, 0.0, 1.0)
    assert len(stub.requests) == 4


@pytest.mark.parametrize("answer", [rerank([(0, 1.0)]), rerank([(0, 1.0), (0, 2.0)])], ids=["fewer", "twice"])
def test_scores_that_do_not_fit_stay_an_error(reranker, answer):
    with Stub(faults=(lambda request: answer,)) as stub, pytest.raises(CallError, match="stub:small sent"):
        rank(reranker(stub.url))
