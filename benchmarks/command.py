"""A whole comparison through the command line, in a process and a state folder of its own: answered and judged.

Libraries are loaded, texts embedded and questions answered in it as for anybody who types it; what is measured is how
full the calls keep the endpoint from the first one to the last.
"""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.ragas_users import ENCODER, KEY, MODEL
from benchmarks.stub import Stub
from benchmarks.workload import AT_ONCE, LATENCY, QUESTIONS, SIDES, fresh_memory

SLOT = 0.1  # seconds over which calls in flight are averaged
# An answer needs the ranking of a question that was embedded, claims need the answer, verdicts the claims.
CHAIN = 3


@dataclass(frozen=True)
class Commanded:
    """What a command took: seconds in all, of processor time, from first to last request; calls, and needed ones.

    `flights`: calls in flight, the mean of each tenth of a second from the first request on. `load`: the computer's
    load average before, far below 1 where nothing else runs.
    """

    whole: float
    processor: float
    wire: float
    calls: int
    needed: int
    flights: tuple[float, ...]
    load: float

    @property
    def limit(self) -> float:
        """Seconds below which nobody can be with these prompts."""
        return max(self.needed * LATENCY / AT_ONCE, CHAIN * LATENCY)


def command_comparison(stub: Stub, questions: int = QUESTIONS) -> Commanded:
    """Runs `rag-variants compare` with both sides answered, judged and compared by models of the stub."""
    sides = [f"{side}:answerer=stub:{MODEL}" for side in SIDES]
    asked = ["--metrics", "core", "--limit", str(questions), "--judge", f"stub:{MODEL}"]
    command = ["compare", *sides, *asked, "--judge-embeddings", f"stub:{ENCODER}", "--quiet", "--json"]
    stub.reset()
    with fresh_memory():
        own = {"RAG_VARIANTS_ENDPOINTS__STUB__BASE_URL": stub.url, "RAG_VARIANTS_ENDPOINTS__STUB__API_KEY": KEY}
        begin, before, load = time.perf_counter(), os.times(), os.getloadavg()[0]
        made = subprocess.run(
            [sys.executable, "-m", "rag_variants.cli", *command], env={**os.environ, **own}, stdout=subprocess.DEVNULL
        )
        whole, after = time.perf_counter() - begin, os.times()
    if made.returncode:
        raise RuntimeError(f"the command failed with exit code {made.returncode}")
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    counts = stub.counts()
    needed, flights = sum(counts["needed"].values()), flights_of(counts["spans"])
    return Commanded(whole, spent, counts["seconds"], counts["calls"], needed, flights, load)


def flights_of(spans: Sequence[tuple[float, float]], slot: float = SLOT) -> tuple[float, ...]:
    """How many calls were in flight, the mean of each slot; spans are seconds from the first request on."""
    last = max((end for _, end in spans), default=0.0)
    return tuple(
        sum(max(0.0, min(end, begin + slot) - max(start, begin)) for start, end in spans) / slot
        for begin in (at * slot for at in range(int(last / slot) + 1))
    )
