"""A comparison killed with SIGKILL again and again, then finished: which calls are made although their reply had come?

A reply has come when the client has read its body whole. That moment the process appends a line to a journal, before
the product looks at the reply, so that what is lost between reading and keeping a reply counts against us. A reply
that was still on its way, or lay unread in a socket, has not come. No process keeps anything in no time: replies read
in the very last milliseconds before a kill (IN_THE_ACT) are counted apart.
"""

import multiprocessing
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from benchmarks.ragas_users import ENCODER, MODEL
from benchmarks.stub import Stub
from benchmarks.stub_replies import fingerprint, prompt_of, texts_of
from benchmarks.workload import fresh_memory, run
from rag_variants.evaluation.plan import make_plan
from rag_variants.llm import Encoders
from rag_variants.llm.wire import Wire
from rag_variants.settings import Settings, packaged

KILLS, SEED = 20, 20260101
SPAN = 0.3  # seconds from a life's first reply within which it is killed; a run takes about twice as long
IN_THE_ACT = 0.01  # seconds; keeping a reply takes some 0.3 ms of them if no other process takes its turn meanwhile
MINI = packaged("sample_kb") / "mini"


class Call(NamedTuple):
    """When a reply was read whole, on the clock that all processes share, and the fingerprints of what was asked."""

    read: float
    asked: tuple[str, ...]


@dataclass(frozen=True)
class Survived:
    """Lives killed, whole runs they belong to, replies that came, and calls made although theirs had come.

    `in_the_act`: those whose reply was being kept when the kill came.
    """

    killed: int
    runs: int
    came: int
    again: int
    in_the_act: int
    seconds: float


def survive_kills(stub: Stub, kills: int = KILLS) -> Survived:
    """Runs the small sample again and again, each run killed at seeded moments until it has come to its end."""
    begin, draw = time.perf_counter(), random.Random(SEED)
    lives = multiprocessing.get_context("forkserver")
    lives.set_forkserver_preload(["benchmarks.killed", "ragas.metrics.collections", "chromadb", "openai"])
    killed = runs = came = again = in_the_act = 0
    while killed < kills:
        stub.reset()
        with fresh_memory():
            journal, ends = Settings().state_folder() / "came", []
            journal.touch()
            while end := _kill(lives, journal, draw.uniform(0, SPAN) if killed + len(ends) < kills else None):
                ends.append(end)
            calls = _read(journal)
        needed = stub.counts()["needed"]
        settled = [call for call in calls if not any(0 <= end - call.read < IN_THE_ACT for end in ends)]
        killed, runs, came = killed + len(ends), runs + 1, came + len(calls)
        again += _count_again(settled, needed)
        in_the_act += _count_again(calls, needed) - _count_again(settled, needed)
    return Survived(killed, runs, came, again, in_the_act, time.perf_counter() - begin)


def _count_again(calls: Sequence[Call], needed: Mapping[str, int]) -> int:
    """How many calls asked something whose replies had come as often as they are needed."""
    came: Counter[str] = Counter()
    again = 0
    for call in calls:
        again += any(came[each] >= needed.get(each, 1) for each in call.asked)
        came.update(call.asked)
    return again


def _kill(lives: Any, journal: Path, seconds: float | None) -> float | None:
    """Lets one process go on with the run and kills it so long after its first reply; when, or None if it ended."""
    before = journal.stat().st_size
    life = lives.Process(target=_live, args=(str(journal), dict(os.environ)))
    life.start()
    while life.is_alive() and journal.stat().st_size == before:
        time.sleep(0.002)
    life.join(seconds)
    end = time.monotonic()
    life.kill()
    life.join()
    if life.exitcode not in (0, -signal.SIGKILL):
        raise RuntimeError(f"a run failed with exit code {life.exitcode}")
    return end if life.exitcode else None


def _live(journal: str, environment: Mapping[str, str]) -> None:
    os.environ |= environment
    judge, embeddings = f"stub:{MODEL}", f"stub:{ENCODER}"
    documents, questions = MINI / "documents", MINI / "questions.jsonl"
    with _journaling(journal):
        run(make_plan(documents, questions, "core", judge=judge, judge_embeddings=embeddings), Encoders(Settings()))


def _journaling(path: str) -> Any:
    """Every answer that `Wire.post` gives is written down first: when it was read, and the prompt or texts asked."""
    file, post = os.open(path, os.O_APPEND | os.O_WRONLY), Wire.post

    async def noting(wire: Wire, to: str, body: dict[str, Any]) -> tuple[bytes, float]:
        answer = await post(wire, to, body)
        asked = [prompt_of(body)] if "messages" in body else texts_of(body)
        os.write(file, " ".join([str(time.monotonic()), *map(fingerprint, asked), "\n"]).encode())
        return answer

    return mock.patch.object(Wire, "post", noting)


def _read(journal: Path) -> list[Call]:
    lines = [line.split() for line in journal.read_text().splitlines()]
    return [Call(float(read), tuple(asked)) for read, *asked in lines]
