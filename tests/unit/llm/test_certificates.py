"""What is wrong between http and https, against real TLS on loopback, and that the remedy named is one."""

import asyncio
import ssl
from datetime import UTC, datetime

import pytest
import trustme

from rag_variants.errors import CallError
from tests.stub import Answer, Stub
from tests.unit.llm.conftest import say

HERE = "127.0.0.1"


@pytest.fixture(scope="module")
def company() -> trustme.CA:
    return trustme.CA()


@pytest.fixture(autouse=True)
def _nothing_trusted_beside(monkeypatch):
    for name in ("SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)


def served(company: trustme.CA, host: str = HERE, not_after: datetime | None = None) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    company.issue_cert(host, not_after=not_after).configure_cert(context)
    return context


def failing(model) -> CallError:
    with pytest.raises(CallError) as caught:
        asyncio.run(model.ask(say("Is it?")))
    return caught.value


def test_a_certificate_that_nobody_vouches_for(connect, company, clock):
    with Stub(tls=served(company)) as stub:
        error = failing(connect(stub.url))
        assert str(error) == (
            f"The certificate of {stub.url} is not trusted. Set SSL_CERT_FILE to your company's certificates."
        )
    assert (error.kind, error.stops) == ("certificate", True)
    assert (stub.requests, clock.slept) == ([], [])


def test_the_remedy_is_one(connect, company, monkeypatch, tmp_path):
    company.cert_pem.write_to_path(tmp_path / "company.pem")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "company.pem"))
    with Stub(tls=served(company)) as stub:
        assert asyncio.run(connect(stub.url).ask(say("Is it?"))).text == "ok"


@pytest.mark.parametrize(
    ("host", "not_after", "words"),
    [
        ("models.example.com", None, "is made for another host. Write the host that it is made for in RAG_VARIANTS"),
        (HERE, datetime(2020, 1, 1, tzinfo=UTC), "is out of its time. Renew it, or set this computer's clock."),
    ],
)
def test_a_trusted_certificate_of_another_host_or_time(connect, company, monkeypatch, tmp_path, host, not_after, words):
    company.cert_pem.write_to_path(tmp_path / "company.pem")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "company.pem"))
    with Stub(tls=served(company, host, not_after)) as stub:
        error = failing(connect(stub.url))
    assert words in str(error)
    assert (error.kind, error.stops) == ("certificate", True)


@pytest.mark.parametrize("content", [None, "no certificate"])
def test_certificates_that_cannot_be_read(connect, company, monkeypatch, tmp_path, content):
    named = tmp_path / "company.pem"
    if content is not None:
        named.write_text(content)
    monkeypatch.setenv("SSL_CERT_FILE", str(named))
    with Stub(tls=served(company)) as stub:
        error = failing(connect(stub.url))
    assert (error.kind, error.stops) == ("certificate", True)
    assert "SSL_CERT_FILE" in str(error)
    assert "Name a file of certificates" in str(error)


def test_https_at_a_port_that_speaks_http(connect):
    with Stub() as stub:
        error = failing(connect(stub.url.replace("http://", "https://")))
    assert (error.kind, error.stops) == ("url", True)
    assert "Check whether it is http:// or https://" in str(error)


def test_http_at_a_port_that_speaks_https(connect, company):
    with Stub(tls=served(company)) as stub:
        error = failing(connect(stub.url.replace("https://", "http://"), attempts=1))
    assert str(error) == "stub dropped the connection. Try again later, or begin its address with https://."
    assert error.kind == "dropped"


@pytest.mark.parametrize(
    "said",
    [
        b"<html><center>The plain HTTP request was sent to HTTPS port</center></html>",
        b"Client sent an HTTP request to an HTTPS server.\n",
    ],
)
def test_a_server_that_says_it_wants_https(connect, said):
    told = Answer(400, raw=said, headers={"content-type": "text/html"})
    with Stub(faults=(lambda request: told,)) as stub:
        error = failing(connect(stub.url))
    assert str(error) == f"{stub.url} wants https://. Write it so in RAG_VARIANTS_ENDPOINTS__STUB__BASE_URL."
    assert (error.kind, error.stops, len(stub.requests)) == ("url", True, 1)
