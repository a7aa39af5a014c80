"""What a sweep asks for and how long a moved setting takes, beside a plain loop: `make bench-tuning`.

The loop is what one would write by hand for this one purpose: arrays made beforehand, numpy alone, no records. It gives
the same chunks and the same seven retrieval metrics, which is checked for every question.
"""

import asyncio
import os
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from benchmarks.growth import chunk_size_rows, large_rows, sentence_rows
from benchmarks.keyword_scoring import keyword_rows
from benchmarks.plain_loop import Prepared, chunk_directions, loop, prepare
from benchmarks.ragas_users import KEY, MODEL
from benchmarks.stub import running
from benchmarks.tuning_browser import main as browser_rows
from benchmarks.workload import choose_questions, fresh_memory
from rag_variants.evaluation.embedding import embed_missing
from rag_variants.evaluation.plan import Plan, make_plan
from rag_variants.evaluation.rows import count_gold, score_subject
from rag_variants.evaluation.tuning.grid import make_grid
from rag_variants.evaluation.tuning.sweep_work import SweepWork
from rag_variants.llm import Encoders
from rag_variants.metrics import choose_metrics
from rag_variants.metrics.metric import Subject
from rag_variants.pipeline import read_variant
from rag_variants.pipeline.bench import Bench, open_bench
from rag_variants.pipeline.chunks import chunks_of
from rag_variants.pipeline.pipeline import as_pipeline
from rag_variants.pipeline.query import Query
from rag_variants.pipeline.records import retrieve_question
from rag_variants.pipeline.variants.hybrid import Hybrid
from rag_variants.questions.gold import Gold, locate_evidence
from rag_variants.settings import Settings
from rag_variants.types import Question

QUESTIONS, JUDGED, ROUNDS = 100, 10, 7
SECONDS_MORE = 0.020
OVER = "top_k=1..10"
MOVES = {
    "top_k": ("hybrid:top_k=3", "hybrid:top_k=7"),
    "rrf_k": ("hybrid:rrf_k=10", "hybrid:rrf_k=30"),
    "keyword_weight": ("hybrid:keyword_weight=0.3", "hybrid:keyword_weight=0.7"),
    "mmr": ("hybrid:mmr=0.2", "hybrid:mmr=0.4"),
}


def main() -> None:
    """Prints the table."""
    encoders = Encoders(Settings())
    sweep_rows(encoders)
    move_rows(encoders)
    chunk_size_rows()
    sentence_rows()
    keyword_rows()
    large_rows()
    browser_rows()


def sweep_rows(encoders: Encoders) -> None:
    """A sweep of ten values of top_k against a judge that answers at once: what is ranked and asked."""
    plan, _ = choose_questions(make_plan(metrics="core").restricted(None), encoders, JUDGED)
    passes = 0
    rank = Hybrid.rank

    def counted(self: Hybrid, query: Query, bench: Bench) -> Any:
        nonlocal passes
        passes += 1
        return rank(self, query, bench)

    with running(0.0) as stub, fresh_memory():
        os.environ |= {"RAG_VARIANTS_ENDPOINTS__STUB__BASE_URL": stub.url, "RAG_VARIANTS_ENDPOINTS__STUB__API_KEY": KEY}
        judged = replace(plan, judge=f"stub:{MODEL}")
        stub.reset()
        setattr(Hybrid, "rank", counted)  # noqa: B010
        try:
            work = SweepWork(make_grid(read_variant("hybrid"), [OVER]), judged, fresh_bench(judged, encoders))
            for _ in work.steps():
                pass
        finally:
            setattr(Hybrid, "rank", rank)  # noqa: B010
        counts = stub.counts()
    asked = len(plan.questions.questions)
    needed = sum(counts["needed"].values())
    print(f"a sweep of {OVER}, {asked} questions, core four, a chat judge: {counts['calls']} calls")
    line("ranking passes made", passes / asked, "1")
    line("distinct judge calls ÷ calls made", needed / counts["calls"], "1.00")


def move_rows(encoders: Encoders) -> None:
    """One setting moved on questions with evidence, ranks and retrieval metrics, beside the loop."""
    plan = make_plan(metrics="retrieval").restricted("all")
    located = [(each, locate_evidence(each, plan.knowledge)) for each in plan.questions.questions]
    asked = [(question, gold) for question, gold in located if gold.groups][:QUESTIONS]
    bench = fresh_bench(plan, encoders)
    for _ in embed_missing([read_variant("hybrid")], bench):
        pass
    vectors = chunk_directions(bench)
    prepared = [prepare(question, gold, bench, vectors) for question, gold in asked]
    move("hybrid:mmr=0.3", asked, bench)  # kept before the first move: indexes, vectors, the start's rankings
    print(f"{len(asked)} questions, {len(chunks_of(read_variant('hybrid'), bench))} chunks, median of {ROUNDS} moves")
    for name, specs in MOVES.items():
        check(specs[0], asked, prepared, bench)
        ours, theirs = [], []
        for at in range(ROUNDS):
            spec = specs[at % 2]
            drop_rankings(bench, name)
            ours.append(timed(lambda spec=spec: move(spec, asked, bench)))  # type: ignore[misc]
            theirs.append(timed(lambda spec=spec: loop(spec, prepared)))  # type: ignore[misc]
        mine, plain = statistics.median(ours), statistics.median(theirs)
        over = (mine - SECONDS_MORE) / plain
        print(f"moving {name}: {mine * 1000:.0f} ms, the loop {plain * 1000:.1f} ms")
        line(f"({name} − 20 ms) ÷ loop", over, "≤ 2")


def drop_rankings(bench: Bench, moved: str) -> None:
    """Forgets rankings, so that a move to rrf_k=10 ranks each time; what comes after is moved with them at hand."""
    if moved not in ("top_k", "mmr"):
        bench.cache._held.pop("ranking", None)


def move(spec: str, asked: Sequence[tuple[Question, Gold]], bench: Bench) -> list[dict[str, float | None]]:
    """What a moved slider needs: each question's record and its retrieval metrics."""
    variant, metrics = as_pipeline(read_variant(spec)), choose_metrics("retrieval")

    async def score() -> list[dict[str, float | None]]:
        found = []
        for question, gold in asked:
            record = retrieve_question(variant, question, bench)
            scores = await score_subject(Subject(record, gold, count_gold(gold, variant, bench) or 0, None), metrics)
            found.append({name: each.value for name, each in scores.items()})
        return found

    return asyncio.run(score())


def check(spec: str, asked: Sequence[tuple[Question, Gold]], prepared: Sequence[Prepared], bench: Bench) -> None:
    """Nothing, if the loop and the product agree on every metric of every question."""
    for (question, _), ours, theirs in zip(asked, move(spec, asked, bench), loop(spec, prepared), strict=True):
        for name, value in ours.items():
            if value is None or abs(value - theirs[name]) > 1e-9:
                raise SystemExit(f"{spec}, {question.id}: {name} is {value}, the loop has {theirs[name]}")


def timed(do: Callable[[], object]) -> float:
    """Seconds that a call takes."""
    begin = time.perf_counter()
    do()
    return time.perf_counter() - begin


def fresh_bench(plan: Plan, encoders: Encoders) -> Bench:
    """A bench on which nothing is kept yet but the vectors on disk."""
    return open_bench(plan.knowledge, date.today(), encoders=encoders)


def line(words: str, value: float, target: str) -> None:
    """One row of the table."""
    print(f"{words:48} {value:6.2f}   target {target}")


if __name__ == "__main__":
    main()
