"""What a failed call means: its kind, in words, and whether the same call may succeed later."""

import asyncio
import re
import ssl
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import openai

from rag_variants.errors import CallError, CallFault
from rag_variants.llm.backoff import IN_WORDS, WAITS
from rag_variants.llm.endpoint import Endpoint

_CREDIT = re.compile(
    r"insufficient_quota|insufficient_balance|billing|credit balance|exceeded your current quota", re.I
)
_FILTER = re.compile(r"content_filter|content_policy|ResponsibleAIPolicyViolation|content management policy", re.I)
_LENGTH = re.compile(
    r"context_length_exceeded|context (length|size|window)|maximum context|too many tokens|"
    r"(prompt|input)s?`? is too (long|large)|\d tokens?\) is too large|less than \d+ tokens|"
    r"larger than the max.{0,20}context",
    re.I,
)
_TRY_AGAIN = re.compile(r"(?:try again|retry) in ((?:\d+(?:\.\d+)?(?:h|ms|m|s))+)|retryDelay\W+([\d.]+s)", re.I)
_MODEL = re.compile(r"model_not_found|\bmodels?\b|\bdeployment", re.I)
_TLS_WANTED = re.compile(r"HTTP request (was sent )?to (an )?HTTPS (port|server)", re.I)  # nginx, Go
# What OpenSSL finds wrong with a certificate (X509_V_ERR_…): its time, or the host that it is made for.
_NOT_NOW, _OTHER_HOST = frozenset({9, 10}), frozenset({62, 64})


@dataclass(frozen=True, slots=True)
class Failure:
    """One failed attempt. `passes`: the same call may succeed later.

    `pause`: what the server said of waiting, by header, unread. `tries`: attempts in all, where fewer than the
    endpoint's are worth it.
    """

    error: CallError
    passes: bool = False
    pause: Mapping[str, str] = field(default_factory=dict)
    tries: int | None = None


def read_failure(error: BaseException, endpoint: Endpoint, model: str) -> Failure:
    """What the exception of one attempt means."""
    if isinstance(error, openai.APIStatusError):
        return _read_status(error, endpoint, model)
    return _read_connection(error, endpoint)


def is_web_page(content: bytes) -> bool:
    """Whether an answer is HTML (or XML) in place of JSON."""
    return content.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"<"


def web_page_words(endpoint: Endpoint, status: str = "") -> str:
    """What it means that a web page came, as a sentence with its remedy."""
    return f"{endpoint.url} answers with a web page{status}. Check {endpoint.place('base_url')}; most end in /v1."


def said(error: openai.APIStatusError) -> str:
    """The server's own code, type and message in one text, for recognition only: it may quote the prompt or the key."""
    body: Any = error.body
    if isinstance(body, dict):
        inner = body.get("error", body)
        if isinstance(inner, dict):
            names = ("code", "type", "param", "message", "detail", "innererror", "metadata")
            return " ".join(str(inner[name]) for name in names if inner.get(name))
        return str(inner)
    return str(body)[:2000]


def _read_status(error: openai.APIStatusError, endpoint: Endpoint, model: str) -> Failure:
    status, words = error.status_code, said(error)
    if status == 402 or (status in (403, 429) and _CREDIT.search(words)):
        return _lasting("credit", f"The account of {endpoint.name} has no credit left (HTTP {status}). Top it up.")
    if status == 429:
        text = f"{endpoint.name} kept refusing calls for their rate (HTTP 429). Lower its concurrency, or try later."
        return Failure(CallError(text, "rate"), True, _said_of_waiting(error))
    if status in (401, 403, 407) and is_web_page(error.response.content):
        return _lasting("url", web_page_words(endpoint, f" (HTTP {status})"))
    if status in (401, 403):
        return _lasting("key", f"{endpoint.name} refused the key (HTTP {status}). Check {endpoint.place('api_key')}.")
    if status in (404, 405, 410):
        return _read_missing(status, words, endpoint, model)
    if status == 400 and _TLS_WANTED.search(words):
        return _lasting("url", f"{endpoint.url} wants https://. Write it so in {endpoint.place('base_url')}.")
    if status in (400, 413, 422) and _FILTER.search(words):
        return _lasting(
            "filtered", f"Blocked by the filter of {endpoint.name} (HTTP {status}); it was not asked again."
        )
    if status in (400, 413, 422, 500) and _LENGTH.search(words):
        return _lasting("cut", f"The prompt is longer than {model} reads (HTTP {status}). Use fewer or smaller chunks.")
    if status in (408, 409, 425) or status >= 500:
        text = f"{endpoint.name} failed (HTTP {status}). Try again later; what is finished is kept."
        return Failure(CallError(text, "server"), True, _said_of_waiting(error))
    if status < 400:
        return _lasting("url", f"{endpoint.url} sends its callers elsewhere (HTTP {status}). Use the address it names.")
    return _lasting("server", f"{endpoint.name} refused the call (HTTP {status}{_naming(error)}). Check its settings.")


def _said_of_waiting(error: openai.APIStatusError) -> Mapping[str, str]:
    """The headers that say when a call may be made again; where there is none, what the message says of it."""
    found = {name.lower(): value for name, value in error.response.headers.items() if WAITS.search(name.lower())}
    if not found and (told := _TRY_AGAIN.search(str(error.body))):
        found[IN_WORDS] = told[1] or told[2]
    return found


def _read_missing(status: int, words: str, endpoint: Endpoint, model: str) -> Failure:
    if _MODEL.search(words):
        return _lasting("model", f"{endpoint.name} has no model {model!r} (HTTP {status}). Check its name.")
    end = "" if endpoint.url.endswith("/v1") else "; add /v1 if the server wants it"
    return _lasting(
        "url", f"Nothing answers at {endpoint.url} (HTTP {status}). Check {endpoint.place('base_url')}{end}."
    )


def _read_connection(error: BaseException, endpoint: Endpoint) -> Failure:
    causes = list(_causes(error))
    if any(isinstance(each, ssl.SSLCertVerificationError) or "CERTIFICATE_VERIFY" in str(each) for each in causes):
        return _lasting("certificate", _certificate_words(causes, endpoint))
    if any(isinstance(each, ssl.SSLError) for each in causes):
        text = f"{endpoint.url} speaks no TLS that this computer understands. Check whether it is http:// or https://."
        return _lasting("url", text)
    names = {type(each).__name__ for each in causes}
    if "UnsupportedProtocol" in names or "InvalidURL" in names:
        return _lasting("url", f"{endpoint.url} is not a web address. Check {endpoint.place('base_url')}.")
    if names & {"ConnectError", "ConnectTimeout", "ConnectionRefusedError", "gaierror", "ProxyError"}:
        text = f"{endpoint.url} cannot be reached. Check the address, the network and whether the server runs."
        return Failure(CallError(text, "network"), True)
    if isinstance(error, (openai.APITimeoutError, TimeoutError, asyncio.TimeoutError)):
        text = f"{endpoint.name} did not answer within {endpoint.timeout:g} s. Raise its timeout, or try later."
        return Failure(CallError(text, "timeout"), True)
    plain = endpoint.url.startswith("http://")  # what a server that waits for TLS does with it
    remedy = f"Try again later{', or begin its address with https://' if plain else ''}."
    return Failure(CallError(f"{endpoint.name} dropped the connection. {remedy}", "dropped"), True)


def _certificate_words(causes: Sequence[BaseException], endpoint: Endpoint) -> str:
    codes = {getattr(each, "verify_code", None) for each in causes}
    if codes & _OTHER_HOST:
        return (
            f"The certificate at {endpoint.url} is made for another host. "
            f"Write the host that it is made for in {endpoint.place('base_url')}."
        )
    if codes & _NOT_NOW:
        return f"The certificate of {endpoint.url} is out of its time. Renew it, or set this computer's clock."
    return f"The certificate of {endpoint.url} is not trusted. Set SSL_CERT_FILE to your company's certificates."


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _lasting(kind: CallFault, text: str) -> Failure:
    return Failure(CallError(text, kind))


def _naming(error: openai.APIStatusError) -> str:
    """The server's code and parameter if they are plain identifiers; its prose may quote the prompt."""
    inner: Any = error.body
    inner = inner.get("error", inner) if isinstance(inner, dict) else {}
    named = [inner.get(name) for name in ("code", "type", "param")] if isinstance(inner, dict) else []
    plain = [each for each in named if isinstance(each, str) and re.fullmatch(r"[a-zA-Z][\w.\-\[\]]{0,60}", each)]
    return "".join(f", {each}" for each in dict.fromkeys(plain))
