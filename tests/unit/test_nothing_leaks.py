"""A comparison with every fault on, in a process of its own: no key, no password and no prompt in any log."""

import json
import logging
import os
import subprocess
import sys
from pathlib import Path

from tests.house import KEY, House, asked_about, reply, schema_of
from tests.stub import Answer, Request, Stub, completion, error, streamed

ROOT = Path(__file__).parents[2]
PASSWORD = "hidden-password"
# Words of the question and of the documents, of the answerer's instruction and of ragas' own prompts.
PROMPTS = ("How long is the stay", "days long in house", "Answer the question from", "Given a question and an answer")
COMPARE = ("compare", "keyword:answerer=house:writer", "keyword:answerer=house:writer,top_k=1")


class Faulty:
    """Each prompt meets a fault of its own the first time, and servers quote what they were sent."""

    def __init__(self) -> None:
        self.seen: set[str] = set()

    def __call__(self, request: Request) -> Answer | None:
        if request.prompt in self.seen:
            return error(400, "content_filter", request.prompt) if asked_about(request) == "q03" else None
        self.seen.add(request.prompt)
        faults = [
            error(429, "rate_limit_exceeded", f"{KEY} is too fast with {request.prompt}", retry_after="0"),
            error(500, None, f"cannot read {request.prompt} of {KEY}"),
            Answer(drop=True),
            completion(f"{request.prompt} {KEY}" if schema_of(request) else ""),
            streamed(reply(request), finish=None),
            Answer(raw=f'{{"choices": [{{"{request.prompt}'.encode()),
        ]
        return faults[len(self.seen) % len(faults)]


def command(house: House, stub: Stub, *given: str) -> "subprocess.CompletedProcess[str]":
    """The command line with default logging, errors and warnings going where they go."""
    endpoint = "RAG_VARIANTS_ENDPOINTS__"
    settings = {
        "RAG_VARIANTS_HOME": str(house.folder / "home"),
        f"{endpoint}HOUSE__BASE_URL": stub.url,
        f"{endpoint}HOUSE__API_KEY": KEY,
        f"{endpoint}OTHER__BASE_URL": f"http://me:{PASSWORD}@127.0.0.1:{stub.port}/v1",
    }
    return subprocess.run(
        [sys.executable, "-m", "rag_variants.cli", *given],
        env={**os.environ, **settings, "PYTHONPATH": str(ROOT)},
        cwd=house.folder,
        capture_output=True,
        text=True,
        check=False,
    )


def sources(house: House, count: int) -> tuple[str, ...]:
    house.write_questions(count)
    return ("--kb", str(house.folder / "kb"), "--questions", str(house.folder / "questions.jsonl"))


def leaks(text: str) -> list[str]:
    return [each for each in (KEY, "hidden", *PROMPTS) if each in text]


def cached_texts(house: House) -> dict[str, str]:
    """Every file in the state folder but the replies, which are what they are."""
    files = [path for path in (house.folder / "home").rglob("*") if path.is_file()]
    return {
        path.name: path.read_bytes().decode("latin-1") for path in files if not path.name.startswith("replies.sqlite")
    }


def test_no_log_and_no_kept_file_holds_a_key_or_a_prompt(house):
    with Stub(reply, faults=(Faulty(),), key=KEY) as stub:
        options = ("--metrics", "core", "--judge", "house:judge", "--json")
        compared = command(house, stub, *COMPARE, *sources(house, 4), *options)
        sent = "\n".join(request.prompt for request in stub.requests)
    assert compared.returncode == 0, compared.stderr
    assert [each for each in PROMPTS if each not in sent] == [], "these tests look for what was really sent"
    assert KEY not in compared.stdout
    rows = json.loads(compared.stdout)["rows"]
    assert [row["a"]["answer"] is None for row in rows] == [False, False, True, False]
    assert leaks(compared.stderr) == []
    kept = cached_texts(house)
    assert "vectors.sqlite" in kept
    assert {name: leaks(text) for name, text in kept.items() if leaks(text)} == {}


def test_a_stop_says_no_key_and_no_prompt(house):
    refused = error(401, "invalid_api_key", f"{KEY} is wrong, said with {PROMPTS[0]}")
    with Stub(reply, faults=(lambda request: refused,)) as stub:
        stopped = command(house, stub, *COMPARE, *sources(house, 2), "--metrics", "core", "--judge", "house:judge")
    assert (stopped.returncode, stopped.stdout) == (2, "")
    assert stopped.stderr.strip() == (
        "rag-variants: house refused the key (HTTP 401). Check RAG_VARIANTS_ENDPOINTS__HOUSE__API_KEY."
    )


def test_an_address_with_a_password_is_never_shown(house):
    with Stub(reply, key=KEY) as stub:
        ended = command(house, stub, "run", "keyword:answerer=other:x", *sources(house, 1), "--metrics", "core")
    assert (ended.returncode, ended.stdout, len(stub.requests)) == (2, "", 0)
    assert "RAG_VARIANTS_ENDPOINTS__OTHER__BASE_URL holds a user name or password" in ended.stderr
    assert leaks(ended.stderr) == []


def test_a_library_that_logs_at_the_default_level_says_neither(house, caplog):
    """In this process, with a handler at the root, as a company's own logging has it."""
    caplog.set_level(logging.WARNING)
    with Stub(reply, faults=(Faulty(),), key=KEY) as stub:
        house.settle(stub)
        shown = house.run(*COMPARE, questions=4, metrics="core")
    assert shown.code == 0
    assert leaks(caplog.text + shown.err) == []
