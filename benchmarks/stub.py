"""An OpenAI-compatible server in a process of its own: every reply takes the same time, and everything is counted.

`python -m benchmarks.stub SECONDS [SEED]` prints its port. It serves chat with replies for ragas' core four, and
embeddings; with a seed, half of the calls fail. Unlike the tests' stub it runs on one event loop: 16 threads that take
turns would be slower than what is measured.
"""

import asyncio
import json
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from benchmarks.stub_replies import Counts, Faults, chat, embed
from tests.stub import Answer


class Server:
    """Serves one connection after another, each call after the same time; with faults if there is a seed."""

    def __init__(self, latency: float, seed: int | None = None) -> None:
        self.latency = latency
        self.counts = Counts()
        self.faults = None if seed is None else Faults(seed)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers one connection until it ends."""
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                size = re.search(r"(?i)content-length: (\d+)", head)
                body = await reader.readexactly(int(size[1]) if size else 0)
                answer = await self.answer(head.split()[1], body)
                if answer.drop:
                    break
                writer.write(_bytes_of(answer))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        writer.close()

    async def answer(self, path: str, body: bytes) -> Answer:
        """The reply to one request."""
        if path.endswith("/counts"):
            return Answer(body=self.counts.summary())
        if path.endswith("/reset"):
            self.counts = Counts()
            return Answer(body={})
        make, counts, came = chat if path.endswith("/chat/completions") else embed, self.counts, time.perf_counter()
        made = make(json.loads(body), counts)
        if self.faults is not None:
            made = self.faults.draw(body) or made
        await asyncio.sleep(self.latency + made.hang)
        counts.go(came)
        return made


def _bytes_of(answer: Answer) -> bytes:
    content = answer.raw if answer.raw is not None else json.dumps(answer.body).encode()
    headers = {"Content-Type": "application/json", **answer.headers, "Content-Length": str(len(content))}
    lines = [f"HTTP/1.1 {answer.status} x", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    return "\r\n".join(lines).encode() + content


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
def running(latency: float, seed: int | None = None) -> Iterator[Stub]:
    """A server in a process of its own, so that its work is not ours; with faults if there is a seed."""
    command = [sys.executable, "-m", "benchmarks.stub", str(latency), *([] if seed is None else [str(seed)])]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield Stub(f"http://127.0.0.1:{int(process.stdout.readline())}/v1")
        finally:
            process.terminate()


async def main(latency: float, seed: int | None = None) -> None:
    """Serves until it is stopped."""
    server = await asyncio.start_server(Server(latency, seed).serve, "127.0.0.1", 0, backlog=256)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(float(sys.argv[1]), *map(int, sys.argv[2:])))
