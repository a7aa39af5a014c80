"""How long a judge that answers after 100 ms keeps us, beside ragas on the same records: `make bench-calls`.

50 questions × 2 variants × the core four, 16 calls at once, all in one process in turn, imports and the embedded
vectors at hand. The limit is the larger of distinct calls needed × latency ÷ 16 and the longest chain × latency.
Last comes the command line: a process of its own that loads its libraries, and has both sides answered too.
"""

import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from benchmarks import faulty, killed
from benchmarks.command import Commanded, command_comparison
from benchmarks.faulty import survive_faults
from benchmarks.killed import survive_kills
from benchmarks.ragas_users import ENCODER, KEY, MODEL, evaluate_with_collections, evaluate_with_ragas
from benchmarks.stub import Stub, running
from benchmarks.workload import AT_ONCE, LATENCY, MOVED, QUESTIONS, choose_questions, count_scores, fresh_memory, run
from rag_variants.evaluation.plan import Plan, make_plan
from rag_variants.llm import Encoders
from rag_variants.settings import Settings

CHAIN = 2  # faithfulness: the verdicts need the claims


@dataclass(frozen=True)
class Taken:
    """What one way took: seconds in all and from first to last request, calls made, prompts needed, scores."""

    whole: float
    wire: float
    calls: int
    needed: dict[str, int]
    scores: int

    @property
    def limit(self) -> float:
        """Seconds below which nobody can be with these prompts."""
        return limit_of(sum(self.needed.values()))


def limit_of(calls: int) -> float:
    """Seconds that so many distinct calls take at best."""
    return max(calls * LATENCY / AT_ONCE, CHAIN * LATENCY)


def take(stub: Stub, way: Callable[[], int]) -> Taken:
    """Runs one way against the stub."""
    stub.reset()
    begin = time.perf_counter()
    scores = way()
    whole = time.perf_counter() - begin
    counts = stub.counts()
    return Taken(whole, max(counts["seconds"], 0.0), counts["calls"], counts["needed"], scores)


def main(count: int = QUESTIONS) -> None:
    """Prints the table."""
    encoders = Encoders(Settings())
    plan, embedded = choose_questions(make_plan(metrics="core").restricted("all", 4 * count), encoders, count)
    begin = time.perf_counter()
    run(plan, encoders)
    keyless = time.perf_counter() - begin
    records = [row.record for each in embedded for row in each.rows]
    with running(LATENCY) as stub:
        os.environ |= {"RAG_VARIANTS_ENDPOINTS__STUB__BASE_URL": stub.url, "RAG_VARIANTS_ENDPOINTS__STUB__API_KEY": KEY}
        judged = replace(plan, judge=f"stub:{MODEL}")
        _warm_up(judged, encoders, stub)
        ways = {
            "ragas collections, semaphore of 16": take(
                stub, lambda: evaluate_with_collections(records, stub.url, AT_ONCE)
            ),
            "ragas.evaluate(), max_workers=16": take(stub, lambda: evaluate_with_ragas(records, stub.url, AT_ONCE)),
        }
        with fresh_memory():
            ways["rag-variants"] = take(stub, lambda: count_scores(run(judged, encoders)))
            ways["the same run again"] = take(stub, lambda: count_scores(run(judged, encoders)))
            ways["one setting of B moved"] = take(stub, lambda: count_scores(run(judged, encoders, MOVED)))
        with fresh_memory():
            moved = take(stub, lambda: count_scores(run(judged, encoders, MOVED)))
        remote = replace(judged, judge_embeddings=f"stub:{ENCODER}")
        with fresh_memory():
            elsewhere = Encoders(Settings())  # of the fresh folder; one question embeds what is common in the base
            run(replace(remote, questions=remote.questions.first(1)), elsewhere)
            ways["rag-variants, embeddings from the stub"] = take(stub, lambda: count_scores(run(remote, elsewhere)))
        faults, kills, commanded = survive_faults(plan, stub), survive_kills(stub), command_comparison(stub)
    _print(ways, moved, keyless, len(records))
    _print_commanded(commanded)
    _print_survived(faults, kills)


def _warm_up(plan: Plan, encoders: Encoders, stub: Stub) -> None:
    few = replace(plan, questions=plan.questions.first(1))
    with fresh_memory():
        records = [row.record for each in run(few, encoders) for row in each.rows]
    evaluate_with_collections(records, stub.url, AT_ONCE)
    evaluate_with_ragas(records, stub.url, AT_ONCE)


def _print(ways: dict[str, Taken], moved: Taken, keyless: float, records: int) -> None:
    print(f"{records} records, {LATENCY * 1000:.0f} ms a call, {AT_ONCE} at once")
    for name, taken in ways.items():
        print(
            f"{name:40} {taken.whole:6.2f} s whole, {taken.wire:6.2f} s first to last, {taken.calls:5} calls, "
            f"{taken.scores} scores, limit {taken.limit:5.2f} s: first to last ÷ limit {taken.wire / taken.limit:.2f}"
        )
    ours, again, slid = (ways[name] for name in ("rag-variants", "the same run again", "one setting of B moved"))
    stubbed = ways["rag-variants, embeddings from the stub"]
    changed = sum(times for prompt, times in moved.needed.items() if prompt not in ours.needed)
    legacy = ways["ragas.evaluate(), max_workers=16"]
    for words, value, target in (
        ("first to last ÷ limit, embeddings from the stub", stubbed.wire / stubbed.limit, "≤ 1.12"),
        ("whole ÷ limit, embedded embeddings", ours.whole / ours.limit, "≤ 1.35"),
        ("calls made ÷ calls needed", ours.calls / sum(ours.needed.values()), "1.00"),
        ("times faster than ragas.evaluate()", legacy.whole / stubbed.whole, "≥ 3.5"),
        ("calls ÷ changed calls, one setting moved", slid.calls / changed if changed else 1.0, "1.00"),
        ("calls of the same run again", again.calls, "0"),
        ("the same run again ÷ embedded run", again.whole / keyless, "≤ 2"),
    ):
        print(f"{words:48} {value:6.2f}   target {target}")


def _print_commanded(commanded: Commanded) -> None:
    flights = " ".join(f"{each:.0f}" for each in commanded.flights)
    print(
        f"the command line, answered and judged: {commanded.whole:.2f} s whole, {commanded.processor:.2f} s of "
        f"processor time, {commanded.wire:.2f} s first to last, {commanded.calls} calls, {commanded.needed} needed, "
        f"limit {commanded.limit:.2f} s; load {commanded.load:.1f} before\n  calls in flight by tenths of a second: "
        f"{flights}"
    )
    for words, value, target in (
        ("first to last ÷ limit, the command line", commanded.wire / commanded.limit, "≤ 1.12"),
        ("calls made ÷ calls needed, the command line", commanded.calls / commanded.needed, "1.00"),
    ):
        print(f"{words:48} {value:6.2f}   target {target}")


def _print_survived(faults: faulty.Survived, kills: killed.Survived) -> None:
    print(
        f"half of {faults.attempts} calls failed, {faults.seconds:.0f} s: of {faults.scores} scores {faults.unscored} "
        f"unscored ({faults.unexplained} without a reason), {faults.unlike} unlike the run without faults   "
        f"target ≤ {faults.scores // 100} (0), 0"
    )
    print(
        f"{kills.killed} kills -9 in {kills.runs} runs, {kills.seconds:.0f} s: of {kills.came} replies that had come "
        f"{kills.again} asked again   target 0   (and {kills.in_the_act} that were read in the last "
        f"{killed.IN_THE_ACT * 1000:.0f} ms before a kill)"
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
