"""An OpenAI-compatible server in a process of its own: every reply takes the same time, and everything is counted.

`python -m benchmarks.stub SECONDS` prints its port. It serves chat with replies for ragas' core four, and embeddings.
"""

import asyncio
import hashlib
import json
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

QUESTIONS_AN_ANSWER = 3
_STATEMENT = re.compile(r"Statement [0-9a-f]{8} (?:one|two)\.")


@dataclass
class Counts:
    """What came in since the last `/reset`, and when the first call came and the last reply went.

    `needed`: how often each distinct prompt has to be asked, by its fingerprint. Answer relevancy asks three times.
    """

    calls: int = 0
    now: int = 0
    most_at_once: int = 0
    needed: dict[str, int] = field(default_factory=dict)
    first: float = 0.0
    last: float = 0.0

    def come(self, key: str, times: int) -> None:
        """A call came in whose prompt is needed so many times."""
        self.first = self.first or time.perf_counter()
        self.calls += 1
        self.now += 1
        self.most_at_once = max(self.most_at_once, self.now)
        self.needed[hashlib.sha256(key.encode()).hexdigest()] = times

    def go(self) -> None:
        """A reply went out."""
        self.last = time.perf_counter()
        self.now -= 1

    def summary(self) -> dict[str, Any]:
        """The figures."""
        spent = self.last - self.first
        return {"calls": self.calls, "needed": self.needed, "seconds": spent, "most_at_once": self.most_at_once}


def reply_to(prompt: str) -> tuple[str, dict[str, Any]]:
    """Which of ragas' questions a prompt asks, and a reply that depends on nothing but the prompt."""
    mark = hashlib.sha256(prompt.encode()).hexdigest()[:8]
    verdict = int(mark, 16) % 3 and 1
    if "attributed" in prompt:
        return "recall", {"classifications": [{"statement": f"It is {mark}.", "reason": "so", "attributed": verdict}]}
    if "noncommittal" in prompt:
        return "relevancy", {"question": f"What is {mark}?", "noncommittal": 0}
    if "verdict" not in prompt:
        return "statements", {"statements": [f"Statement {mark} one.", f"Statement {mark} two."]}
    stated = list(dict.fromkeys(_STATEMENT.findall(prompt)))
    if stated:
        verdicts = [{"statement": each, "reason": "so", "verdict": verdict} for each in stated]
        return "verdicts", {"statements": verdicts}
    return "precision", {"reason": "so", "verdict": verdict}


def vector(text: str) -> list[float]:
    """Thirty-two numbers that depend on the text alone."""
    return [(byte - 127.5) / 127.5 for byte in hashlib.sha256(text.encode()).digest()]


def chat(body: dict[str, Any], counts: Counts) -> dict[str, Any]:
    """A completion with as many choices as were asked for."""
    prompt = "\n".join(str(turn["content"]) for turn in body["messages"])
    kind, reply = reply_to(prompt)
    choices = int(body.get("n") or 1)
    counts.come(prompt, QUESTIONS_AN_ANSWER if kind == "relevancy" and choices == 1 else 1)
    message = {"role": "assistant", "content": json.dumps(reply)}
    return {
        "id": "c",
        "object": "chat.completion",
        "created": 1,
        "model": body["model"],
        "choices": [{"index": at, "message": message, "finish_reason": "stop"} for at in range(choices)],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }


def embed(body: dict[str, Any], counts: Counts) -> dict[str, Any]:
    """One vector per text."""
    given = body["input"]
    texts = [given] if isinstance(given, str) else given
    counts.come(json.dumps(texts), 1)
    data = [{"object": "embedding", "index": at, "embedding": vector(str(text))} for at, text in enumerate(texts)]
    return {"object": "list", "data": data, "model": body["model"], "usage": {"prompt_tokens": 1, "total_tokens": 1}}


class Server:
    """Serves one connection after another, each call after the same time."""

    def __init__(self, latency: float) -> None:
        self.latency = latency
        self.counts = Counts()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers one connection until it ends."""
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                size = re.search(r"(?i)content-length: (\d+)", head)
                body = await reader.readexactly(int(size[1]) if size else 0)
                content = json.dumps(await self.answer(head.split()[1], body)).encode()
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ")
                writer.write(f"{len(content)}\r\n\r\n".encode() + content)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def answer(self, path: str, body: bytes) -> dict[str, Any]:
        """The reply to one request."""
        if path.endswith("/counts"):
            return self.counts.summary()
        if path.endswith("/reset"):
            self.counts = Counts()
            return {}
        make, counts = chat if path.endswith("/chat/completions") else embed, self.counts
        made = make(json.loads(body), counts)
        await asyncio.sleep(self.latency)
        counts.go()
        return made


@dataclass(frozen=True)
class Stub:
    """A running server."""

    url: str

    def reset(self) -> None:
        """Counts from nothing again."""
        self._ask("reset")

    def counts(self) -> dict[str, Any]:
        """The figures since the last reset."""
        return self._ask("counts")

    def _ask(self, what: str) -> dict[str, Any]:
        with urllib.request.urlopen(f"{self.url}/{what}") as reply:
            found: dict[str, Any] = json.load(reply)
        return found


@contextmanager
def running(latency: float) -> Iterator[Stub]:
    """A server in a process of its own, so that its work is not ours."""
    command = [sys.executable, "-m", "benchmarks.stub", str(latency)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield Stub(f"http://127.0.0.1:{int(process.stdout.readline())}/v1")
        finally:
            process.terminate()


async def main(latency: float) -> None:
    """Serves until it is stopped."""
    server = await asyncio.start_server(Server(latency).serve, "127.0.0.1", 0, backlog=256)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(float(sys.argv[1])))
