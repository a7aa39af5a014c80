"""A tenth of the calls each fails with 429, 500, silence, a dropped connection, malformed JSON: what scores come out.

The same run is made against a server without faults, and scores are compared one by one.
"""

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from benchmarks.ragas_users import ENCODER, KEY, MODEL
from benchmarks.stub import Stub, running
from benchmarks.stub_replies import SILENCE
from benchmarks.workload import CORE, LATENCY, fresh_memory, run
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.runs import Run
from rag_variants.llm import Encoders
from rag_variants.settings import Settings
from rag_variants.types import Score

SEED = 20260101
Scores = dict[tuple[int, str, str], Score]


@dataclass(frozen=True)
class Survived:
    """Scores of the run with faults: how many, unscored, of these without a reason, and unlike the run without."""

    scores: int
    unscored: int
    unexplained: int
    unlike: int
    attempts: int
    seconds: float


def survive_faults(plan: Plan, healthy: Stub, seed: int = SEED) -> Survived:
    """Runs the plan against `healthy` and against a server with faults."""
    expected = _scores(_judge_at(plan, "healthy", healthy))
    with running(LATENCY, seed) as faulty:
        begin = time.perf_counter()
        got = _scores(_judge_at(plan, "faulty", faulty))
        seconds, attempts = time.perf_counter() - begin, faulty.counts()["calls"]
    lost = [score for key, score in got.items() if score.value is None and expected[key].value is not None]
    unlike = [key for key, score in got.items() if score.value is not None and not _same(score, expected[key])]
    unexplained = sum(not (score.error or score.reason) for score in lost)
    return Survived(len(expected), len(lost), unexplained, len(unlike), attempts, seconds)


def _judge_at(plan: Plan, name: str, stub: Stub) -> tuple[Run, ...]:
    prefix = f"RAG_VARIANTS_ENDPOINTS__{name.upper()}__"
    os.environ |= {f"{prefix}BASE_URL": stub.url, f"{prefix}API_KEY": KEY, f"{prefix}TIMEOUT": str(SILENCE)}
    with fresh_memory():
        judged = replace(plan, judge=f"{name}:{MODEL}", judge_embeddings=f"{name}:{ENCODER}")
        return run(judged, Encoders(Settings()))


def _scores(runs: Sequence[Run]) -> Scores:
    return {
        (side, row.record.question.id, name): row.scores[name]
        for side, each in enumerate(runs)
        for row in each.rows
        for name in CORE
    }


def _same(one: Score, other: Score) -> bool:
    return (one.value, one.detail) == (other.value, other.detail)
