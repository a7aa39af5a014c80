"""What servers do otherwise than asked, as a run meets it: adapted once and noted, or a sentence with its remedy."""

import json

import pytest

from rag_variants.metrics import METRICS
from tests.house import asked_about, reply, schema_of
from tests.stub import Answer, Request, Stub, completion, embeddings, error, vector

ANSWERER = "keyword:answerer=house:writer"
ASKING = [name for name, metric in METRICS.items() if "judge" in metric.needs]


def without_system(request: Request) -> Answer | None:
    turned = any(turn["role"] == "system" for turn in request.body.get("messages", ()))
    return error(400, None, "System role not supported") if turned else None


def test_a_model_without_a_system_role_answers_all_questions(house):
    """20 answers, one refusal for all; the judge, which is asked in one turn, has nothing to say of it."""
    with Stub(reply, faults=(without_system,)) as stub:
        house.settle(stub)
        shown = house.run("run", ANSWERER, questions=20)
        again = house.run("run", ANSWERER, questions=20)
    assert {score["value"] for score in shown.scores()} == {1.0}
    assert sum(without_system(request) is not None for request in stub.requests) == 1
    note = "house:writer: the server refused the system role; its text was put before the first question"
    assert shown.document["notes"] == [note] == again.document["notes"], "kept replies still say how they were asked"


REASONS = {
    "HTTP 500": (error(500), "house failed (HTTP 500)"),
    "reasoning alone": (None, "house only reasoned and gave no answer. Raise max_tokens of house"),
    "cut": (completion("{", "length"), "The reply was cut at the token limit. Raise max_tokens of house"),
    "filtered": (completion(None, "content_filter"), "Blocked by the filter of house"),
    "no verdict": (completion("I would say yes."), "is not readable"),
}


@pytest.mark.parametrize("metric", ASKING)
@pytest.mark.parametrize(("answer", "words"), REASONS.values(), ids=REASONS)
def test_every_score_that_a_judge_failed_carries_the_reason(house, metric, answer, words):
    """Whatever the metric, and whatever goes wrong with every call of the judge: no value, and why."""
    if answer is None:
        answer = completion(None)
        answer.body["choices"][0]["message"]["reasoning_content"] = "Hm."

    def fault(request: Request) -> Answer | None:
        return answer if schema_of(request) is not None or asked_about(request) is None else None

    with Stub(reply, faults=(fault,)) as stub:
        house.settle(stub, attempts=2)
        scores = house.run("run", ANSWERER, questions=3, metrics=metric).scores(metric)
    assert [score["value"] for score in scores] == [None] * 3
    for score in scores:
        assert words in score["error"]


def test_an_answerer_that_only_reasons_is_named_in_each_score(house):
    answer = completion(None)
    answer.body["choices"][0]["message"]["reasoning_content"] = "The stay may be three days."
    with Stub(reply, faults=(lambda request: answer if asked_about(request) else None,)) as stub:
        house.settle(stub)
        shown = house.run("run", ANSWERER, questions=3)
    assert len(stub.requests) == 3 * 2
    for score in shown.scores():
        assert "house only reasoned and gave no answer" in score["error"]
        assert "RAG_VARIANTS_ENDPOINTS__HOUSE__MAX_TOKENS" in score["error"]
        assert "three days" not in score["error"]


def test_another_embedding_model_behind_the_name_ends_the_run_until_the_old_vectors_are_forgotten(house):
    """The chunks are embedded by one model; then another answers under the name, with vectors of the same length."""
    named = ["first"]

    def fault(request: Request) -> Answer | None:
        if "input" not in request.body:
            return None
        made = embeddings([(at, vector(text)) for at, text in enumerate(request.body["input"])])
        made.body["model"] = named[0]
        return made

    variant = "vector:embeddings=house:encoder"
    with Stub(reply, faults=(fault,)) as stub:
        house.settle(stub)
        assert house.run("run", variant, questions=1, metrics="retrieval").code == 0
        named[0] = "second"
        refused = house.run("run", variant, questions=2, metrics="retrieval")
        assert refused.code != 0
        assert "house:encoder now answers as 'second', and its vectors so far are of 'first'" in refused.err
        assert "rag-variants replies --empty" in refused.err


def test_texts_are_sent_in_calls_that_the_server_takes_and_the_run_says_so(house):
    """4 chunks in one call are refused; 2 a call are taken."""
    refused = error(422, None, "batch size 4 > maximum allowed batch size 2")
    with Stub(reply, faults=(lambda request: refused if len(request.body.get("input", ())) > 2 else None,)) as stub:
        house.settle(stub)
        shown = house.run("run", "vector:embeddings=house:encoder", questions=1, metrics="retrieval")
    assert shown.document["notes"] == ["house:encoder: the server takes 2 texts a call; sent in parts"]
    assert json.loads(json.dumps(shown.document["rows"]))[0]["a"]["scores"]


def test_a_reranker_that_is_asked_otherwise_is_noted(house):
    """4 chunks in one call are refused; 2 a call are taken."""
    refused = error(413, None, "batch size 4 > maximum allowed batch size 2")
    with Stub(reply, faults=(lambda request: refused if len(request.body.get("documents", ())) > 2 else None,)) as stub:
        house.settle(stub)
        shown = house.run("run", "keyword:reranker=house:ranker", questions=2, metrics="retrieval")
    assert shown.document["notes"] == ["house:ranker: the server takes 2 texts a call; sent in parts"]
    assert sum(len(request.body["documents"]) > 2 for request in stub.requests) == 1
