"""`rag-variants check` asks each configured model once and says what is wrong."""

import re
import ssl

import pytest
import trustme

from rag_variants.checks import Check
from rag_variants.cli import main
from tests.stub import Answer, Stub, completion, embeddings, error, first, refusing

KEY = "sk-hidden-0123456789"


@pytest.fixture
def check(monkeypatch, tmp_path, capsys):
    """Runs the command with one endpoint called house; gives the exit code and its lines about models."""
    monkeypatch.setenv("RAG_VARIANTS_HOME", str(tmp_path))
    monkeypatch.setattr(
        "rag_variants.checks._check_files", lambda *_: Check("documents and questions", None, "not here")
    )
    monkeypatch.setattr("rag_variants.checks._try_encoder", lambda: "left out here")
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)

    def run(url, *options, key=KEY):
        monkeypatch.setenv("RAG_VARIANTS_ENDPOINTS__HOUSE__BASE_URL", url)
        monkeypatch.setenv("RAG_VARIANTS_ENDPOINTS__HOUSE__API_KEY", key)
        code = main(["check", *options])
        shown = capsys.readouterr()
        assert "hidden" not in shown.out + shown.err
        return code, "\n".join(line for line in shown.out.splitlines() if "house" in line)

    return run


def reply(request):
    return '{"verdict": 1}'


@pytest.mark.parametrize(
    "form",
    [
        "http://127.0.0.1:{port}",
        "http://127.0.0.1:{port}/",
        "http://127.0.0.1:{port}/v1/",
        "http://127.0.0.1:{port}/v1/chat/completions",
        "127.0.0.1:{port}/v1",
        " http://127.0.0.1:{port}/v1 ",
    ],
)
def test_each_pasted_form_of_an_address_works(check, form):
    with Stub(reply, key=KEY) as stub:
        code, shown = check(form.format(port=stub.port), "--model", "house:small", "--embeddings", "house:small")
    assert code == 0
    assert re.search(rf"ok  model house:small: {stub.url} replied in \d\.\d\d s", shown)
    assert f"ok  embeddings house:small: {stub.url} replied, 8 numbers a text" in shown
    assert [request.path for request in stub.requests] == ["/v1/chat/completions", "/v1/embeddings"]


def test_an_endpoint_without_a_named_model_lists_its_models(check):
    with Stub(key=KEY) as stub:
        assert check(stub.url) == (0, f"ok  endpoint house: {stub.url} has large, small")


def test_what_a_model_refuses_is_said(check):
    with Stub(reply, faults=(refusing("temperature"),)) as stub:
        code, shown = check(stub.url, "--model", "house:small")
    assert code == 0
    assert shown.endswith("; the server refused temperature; sent without it")


def test_a_check_makes_the_calls_of_a_run(check):
    """An answerer's two turns, a judge's form, as many texts as a run embeds at once: what a run meets is met here."""

    def refusing_system(request):
        turned = any(turn["role"] == "system" for turn in request.body.get("messages", []))
        return error(400, None, "System role not supported") if turned else None

    def refusing_batches(request):
        many = len(request.body.get("input", [])) > 10
        return (
            error(400, "InvalidParameter", "batch size is invalid, it should not be larger than 10") if many else None
        )

    with Stub(reply, faults=(refusing_system, refusing_batches)) as stub:
        code, shown = check(stub.url, "--model", "house:small", "--embeddings", "house:small")
    assert code == 0
    assert "; the server refused the system role; its text was put before the first question" in shown
    assert "8 numbers a text; the server takes 10 texts a call; sent in parts" in shown
    first, second = (request for request in stub.requests if "messages" in request.body)
    assert [turn["role"] for turn in first.body["messages"]] == ["system", "user"]
    assert "response_format" in first.body
    assert [turn["role"] for turn in second.body["messages"]] == ["user"]
    texts = [len(request.body["input"]) for request in stub.requests if "input" in request.body]
    assert sorted(texts) == sorted([64, *[10] * 6, 4])  # 64 = 6 × 10 + 4


FAULTS = {
    "key": (error(401), "refused the key (HTTP 401). Check RAG_VARIANTS_ENDPOINTS__HOUSE__API_KEY"),
    "model": (error(404, "model_not_found"), "has no model 'small' (HTTP 404). Check its name"),
    "path": (Answer(404, raw=b"404 page not found"), "Check RAG_VARIANTS_ENDPOINTS__HOUSE__BASE_URL"),
    "web page": (Answer(raw=b"<html>"), "answers with a web page"),
    "credit": (error(429, "insufficient_quota"), "has no credit left"),
    "server": (error(500), "failed (HTTP 500)"),
    "rate": (error(429), "for their rate (HTTP 429)"),
    "unreadable": (completion("yes, it is"), "not in the form that a judge needs"),
    "true": (completion('{"verdict": true}'), "not in the form that a judge needs"),
    "dropped": (Answer(drop=True), "dropped the connection"),
}


@pytest.mark.parametrize(("answer", "words"), FAULTS.values(), ids=FAULTS)
def test_what_is_wrong_is_said_after_one_call(check, answer, words):
    with Stub(reply, faults=(first(9, answer),)) as stub:
        code, shown = check(stub.url, "--model", "house:small")
    assert code == 2
    assert shown.startswith("!!  model house:small: ")
    assert words in shown
    assert len(stub.requests) == 1


def test_an_embedding_model_that_is_none_is_said(check):
    with Stub(faults=(first(1, embeddings([])),)) as stub:
        code, shown = check(stub.url, "--embeddings", "house:small")
    assert code == 2
    assert shown.startswith("!!  embeddings house:small: house:small sent 0 vectors for 64 texts.")


def test_a_server_that_does_not_run_and_a_wrong_root_are_said_with_the_address(check):
    with Stub() as stub:
        code, shown = check(f"{stub.url}/api")
        assert code == 2
        assert f"Nothing answers at {stub.url}/api (HTTP 404)" in shown
        assert "add /v1" in shown
    code, shown = check(stub.url)
    assert code == 2
    assert f"{stub.url} cannot be reached" in shown


def test_a_certificate_that_is_not_trusted_is_said(check, monkeypatch):
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trustme.CA().issue_cert("127.0.0.1").configure_cert(context)
    with Stub(reply, tls=context) as stub:
        code, shown = check(stub.url, "--model", "house:small")
    assert code == 2
    assert shown.startswith(f"!!  model house:small: The certificate of {stub.url} is not trusted. Set SSL_CERT_FILE")


def test_an_unknown_endpoint_and_an_address_with_a_key_are_said(check):
    assert check("http://me:sk-hidden@localhost", "--model", "haus:x") == (
        2,
        "!!  model haus:x: There is no endpoint called 'haus'. Did you mean house? Known: house, openai. "
        "Set RAG_VARIANTS_ENDPOINTS__HAUS__BASE_URL to use it; in the browser add it on the Settings page.\n"
        "!!  endpoint house: RAG_VARIANTS_ENDPOINTS__HOUSE__BASE_URL holds a user name or password. "
        "Take it out and give the key as API_KEY instead.",
    )


def test_a_reranker_is_asked_once_about_a_text_that_fits_and_one_that_does_not(check):
    with Stub(key=KEY) as stub:
        code, shown = check(stub.url, "--reranker", "house:small")
    assert code == 0
    assert re.search(rf"ok  reranker house:small: {stub.url} replied in \d\.\d\d s, 2 for a text that fits, 0", shown)
    assert [request.path for request in stub.requests] == ["/v1/rerank"]


def test_a_server_that_reranks_nothing_is_named(check):
    refuse = Answer(404, raw=b"404 page not found", headers={"content-type": "text/plain"})
    with Stub(faults=(lambda _: refuse,)) as stub:
        code, shown = check(stub.url, "--reranker", "house:small")
    assert code != 0
    assert f"!!  reranker house:small: {stub.url} has no /rerank (HTTP 404)" in shown
