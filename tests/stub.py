"""An OpenAI-compatible server on loopback: computed replies, latency, a record of requests, and faults on demand."""

import hashlib
import json
import re
import socket
import ssl
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Body = dict[str, Any]


@dataclass
class Answer:
    """What goes back over the wire. `hang`: seconds of silence before; `drop`: the connection is closed instead."""

    status: int = 200
    body: Any = None
    raw: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    hang: float = 0.0
    drop: bool = False


@dataclass(frozen=True)
class Request:
    """One request as it came in; `at` in seconds of the monotonic clock."""

    path: str
    body: Body
    headers: Mapping[str, str]
    at: float

    @property
    def prompt(self) -> str:
        return "\n".join(str(turn["content"]) for turn in self.body.get("messages", []))


Fault = Callable[[Request], Answer | None]


def completion(text: str | None, finish: str = "stop", **more: Any) -> Answer:
    """A chat answer with that text, a token for each blank."""
    usage = {"prompt_tokens": 7, "completion_tokens": len((text or "").split())}
    message = {"role": "assistant", "content": text}
    return Answer(body={"choices": [{"index": 0, "message": message, "finish_reason": finish}], "usage": usage, **more})


def error(
    status: int, code: str | None = None, message: str = "no", param: str | None = None, **headers: str
) -> Answer:
    """An error as OpenAI words it; `retry_after="2"` becomes a header."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    body = {"error": {"message": message, "type": "stub", "code": code, "param": param}}
    return Answer(status, body=body, headers=named)


def streamed(text: str, finish: str | None = "stop") -> Answer:
    """The text as server-sent events, letter by letter; without `finish` it breaks off."""
    pieces = [{"choices": [{"delta": {"content": letter}}]} for letter in text]
    if finish:
        pieces.append({"choices": [{"delta": {}, "finish_reason": finish}]})
    lines = [f"data: {json.dumps(piece)}\n\n" for piece in pieces] + (["data: [DONE]\n\n"] if finish else [])
    return Answer(raw="".join(lines).encode(), headers={"content-type": "text/event-stream"})


def filled(request: Request) -> str:
    """A reply in the form that a request asks for: the highest choice, texts that the prompt decides.

    What a judge is asked about is named as it was sent, once each; other lists hold one item.
    """
    asked = request.body.get("response_format")
    words = hashlib.sha256(request.prompt.encode()).hexdigest()[:8]
    if asked is None:
        return words
    return json.dumps(_fill(asked["json_schema"]["schema"], {}, words, _asked_about(request)))


def _asked_about(request: Request) -> list[str]:
    """The statements, or the answer to take apart, at the end of one of ragas' prompts."""
    text = re.search(r"\ninput: (\{(?:(?!\ninput: ).)*?\})\nOutput: (?!.*\ninput: )", request.prompt, re.DOTALL)
    data = json.loads(text[1]) if text else {}
    return data.get("statements") or [data[name] for name in ("answer",) if name in data]


def _fill(form: Body, defined: Body, words: str, about: list[str]) -> Any:
    defined = {**defined, **form.get("$defs", {})}
    if "$ref" in form:
        return _fill(defined[form["$ref"].rsplit("/", 1)[-1]], defined, words, about)
    if form["type"] == "object":
        return {name: _fill(each, defined, words, about) for name, each in form["properties"].items()}
    if form["type"] == "array":
        items = _fill(form["items"], defined, words, about)
        judged = isinstance(items, dict) and "statement" in items
        return [{**items, "statement": each} for each in about] if judged and about else [items]
    return form["enum"][-1] if "enum" in form else 1 if form["type"] == "integer" else words


def embeddings(rows: list[tuple[int | None, list[float]]]) -> Answer:
    """An embeddings answer of (index, vector) pairs, in that order."""
    data = [{"embedding": row} | ({} if at is None else {"index": at}) for at, row in rows]
    return Answer(body={"data": data, "usage": {"prompt_tokens": 3}})


def rerank(scores: list[tuple[Any, Any]]) -> Answer:
    """A reranking answer of (index, score) pairs, in that order."""
    results = [{"index": at, "relevance_score": score} for at, score in scores]
    return Answer(body={"results": results, "usage": {"prompt_tokens": 11, "total_tokens": 11}})


def shared_words(query: str, documents: list[str]) -> list[float]:
    """How many words of the query each document has."""
    asked = {word.strip("?.").casefold() for word in query.split()}
    return [float(len(asked & {word.strip("?.").casefold() for word in text.split()})) for text in documents]


def vector(text: str, size: int = 8) -> list[float]:
    """Numbers that depend on the text alone."""
    return [(byte - 127.5) / 127.5 for byte in hashlib.sha256(text.encode()).digest()[:size]]


def first(number: int, answer: Answer) -> Fault:
    """A fault of the first so many requests."""
    left = iter(range(number))
    guard = threading.Lock()

    def fault(request: Request) -> Answer | None:
        with guard:
            return answer if next(left, None) is not None else None

    return fault


def refusing(name: str, code: str = "unsupported_parameter", param: bool = True) -> Fault:
    """A fault of every request that has the parameter."""
    words = f"Unsupported parameter: '{name}' is not supported with this model."
    return lambda request: error(400, code, words, name if param else None) if name in request.body else None


class Stub:
    """`with Stub() as stub:` serves /v1 at `stub.url`. `reply` computes the text of a chat answer from its request.

    With `tls` it is served over https.
    """

    def __init__(
        self,
        reply: Callable[[Request], str] = lambda request: "ok",
        faults: tuple[Fault, ...] = (),
        latency: float = 0.0,
        key: str | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.reply, self.faults, self.latency, self.key, self.tls = reply, faults, latency, key, tls
        self.requests: list[Request] = []
        self.most_at_once = 0
        self._now = 0
        self._guard = threading.Lock()
        self._ended = threading.Event()

    def __enter__(self) -> "Stub":
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        self.port = self._server.server_address[1]
        self.url = f"http{'s' if self.tls else ''}://127.0.0.1:{self.port}/v1"
        if self.tls:  # the handshake belongs to the thread of its connection, not to the one that accepts
            self._server.socket = self.tls.wrap_socket(
                self._server.socket, server_side=True, do_handshake_on_connect=False
            )
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self.stop()

    def stop(self) -> None:
        self._ended.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def connections(self) -> set[socket.socket]:
        """Those that are open."""
        return self._server.connections

    def counted(self) -> Counter[str]:
        """Requests by the last part of their path."""
        return Counter(request.path.rsplit("/", 1)[-1] for request in self.requests)

    def answers(self, request: Request) -> Answer:
        with self._guard:
            self.requests.append(request)
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
        try:
            answer = next(self._faulty(request), None) or self._healthy(request)
            self._ended.wait(self.latency + answer.hang)
            return answer
        finally:
            with self._guard:
                self._now -= 1

    def _faulty(self, request: Request) -> Iterator[Answer]:
        yield from (answer for fault in self.faults if (answer := fault(request)) is not None)

    def _healthy(self, request: Request) -> Answer:
        given = request.headers.get("authorization")
        if self.key is not None and given != f"Bearer {self.key}":
            return error(401, "invalid_api_key", f"Incorrect API key provided: {given}")
        if request.path == "/v1/chat/completions":
            return completion(self.reply(request))
        if request.path == "/v1/models":
            return Answer(body={"data": [{"id": name} for name in ("large", "small")]})
        if request.path == "/v1/embeddings":
            given = request.body["input"]
            texts = [given] if isinstance(given, str) else given
            return embeddings([(at, vector(text)) for at, text in enumerate(texts)])
        if request.path == "/v1/rerank":
            return rerank(list(enumerate(shared_words(request.body["query"], request.body["documents"]))))
        return Answer(404, raw=b"404 page not found", headers={"content-type": "text/plain"})


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 512

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.connections: set[socket.socket] = set()

    def process_request(self, request: Any, client_address: Any) -> None:
        self.connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self.connections.discard(request)
        super().shutdown_request(request)

    def server_close(self) -> None:
        """Closes connections too, on which a client would be served for ever."""
        super().server_close()
        for each in list(self.connections):
            with suppress(OSError):  # it may be closing at this moment
                each.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is what some tests are about."""


def _handler(stub: Stub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length) or b"{}")
            headers = {name.lower(): value for name, value in self.headers.items()}
            answer = stub.answers(Request(self.path, body, headers, time.monotonic()))
            if answer.drop:
                self.close_connection = True
                return
            content = answer.raw if answer.raw is not None else json.dumps(answer.body).encode()
            self.send_response(answer.status)
            for name, value in ({"content-type": "application/json"} | dict(answer.headers)).items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST

        def log_message(self, format: str, *arguments: Any) -> None:
            """Quiet."""

    return Handler
