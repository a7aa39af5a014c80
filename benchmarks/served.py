"""The app as it is served, in a process of its own, and the sample's questions as a file that its pages can be told."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rag_variants.evaluation.plan import make_plan
from rag_variants.questions.gold import locate_evidence
from rag_variants.questions.writer import write_questions
from rag_variants.sample import sample_folder
from rag_variants.ui.server import server_options


@dataclass(frozen=True)
class Served:
    """A running server: where it answers, and the id of its process."""

    address: str
    process: int


def choose_files(folder: Path, count: int) -> dict[str, str]:
    """The sample's documents and its first questions with evidence, as the page's parameters."""
    plan = make_plan(metrics="retrieval").restricted("all")
    located = ((each, locate_evidence(each, plan.knowledge)) for each in plan.questions.questions)
    asked = [question for question, gold in located if gold.groups][:count]
    file = folder / "questions.jsonl"
    write_questions(asked, file)
    return {"kb": str(sample_folder()), "questions": str(file)}


@contextmanager
def serving(home: Path) -> Iterator[Served]:
    """A server of one's own with its state in a folder."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", *server_options(port, "127.0.0.1")]
    environment = {**os.environ, "RAG_VARIANTS_HOME": str(home)}
    with (home / "server.log").open("w") as log:
        server = subprocess.Popen(command, env=environment, stdout=log, stderr=subprocess.STDOUT)
        try:
            _wait_for(f"http://127.0.0.1:{port}/_stcore/health")
            yield Served(f"http://127.0.0.1:{port}", server.pid)
        finally:
            server.terminate()
            try:
                server.wait(10)
            except subprocess.TimeoutExpired:  # a job of its own goes on; nobody waits for it any more
                server.kill()


def _wait_for(url: str) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            urllib.request.urlopen(url, timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise SystemExit(f"No server answers at {url}.")
