"""How often verdicts and intervals are wrong, where the truth is known: `make bench-statistics`.

400 simulated comparisons a cell, each with A against A again and with a B that was moved; the product's own test with
its own number of flips. Beside it, on the same data: paired t (each metric at .05, and with .05 split over the metrics)
and BCa intervals with .05 split over the metrics, on every twentieth comparison.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # two processes, one thread each; read when NumPy loads

import argparse
import math
import sys
import time
import warnings
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy import stats

from benchmarks.simulated import KINDS, METRICS, NAMES, effect_of_size, scored_pairs, true_means
from rag_variants.evaluation.statistics.families import compare_families
from rag_variants.evaluation.statistics.paired import Delta
from rag_variants.evaluation.statistics.planner import pairs_needed
from rag_variants.evaluation.statistics.signflips import MIN_DIFFERING, Floats

SIZES = (20, 50, 200)
EFFECT = 0.3
BCA_EVERY, RESAMPLES = 20, 999
ALARMS, ALARMS_ON_AVERAGE, RIGHT = 0.065, 0.05, 0.93
DECIDED, ORDINARY = 0.9, 0.2
PLAIN = ("0/1", "quarters", "continuous")
PILOT, PLANNED = 80, (0.78, 0.84)
SHOWN_AT, POWER_80 = 2.7, 0.84  # about z_c of a family, and the normal quantile of 80 %

SPLIT = 0.05 / METRICS

Pairs = Mapping[str, Mapping[str, float]]
Interval = tuple[float, float]


@dataclass(frozen=True)
class Cell:
    """What one kind and number of questions came to; all shares are of comparisons."""

    kind: str
    aimed: bool
    questions: int
    alarms: float
    alarms_t: float
    alarms_t_split: float
    right: float
    right_t_split: float
    right_bca_split: float
    wrong_way: float
    contradictions: int


@dataclass(frozen=True)
class Fragile:
    """How many of the shown comparisons were called fragile, and how many there were."""

    name: str
    share: float
    n: int


def _rng(part: int, kind: str, questions: int) -> np.random.Generator:
    return np.random.default_rng([part, list(KINDS).index(kind), questions])


@dataclass(frozen=True)
class Planned:
    """In what share of comparisons a change was shown with the number of questions that was planned for 80 %."""

    kind: str
    change: float
    questions: float
    share: float
    n: int


def _compare(pairs: Pairs, seed: int = 0) -> dict[str, Delta]:
    return compare_families([pairs], seed=seed)[0]


def _shown(delta: Delta) -> bool:
    return delta.shown


def _contradicts(delta: Delta) -> bool:
    """Whether the interval says one thing and the verdict another."""
    beyond = delta.ci95 is not None and (delta.ci95[0] > 0 or delta.ci95[1] < 0)
    return beyond != _shown(delta)


def _holds(interval: Interval | None, truth: float) -> bool:
    return interval is None or interval[0] <= truth <= interval[1]


def _enough(values: Iterable[float]) -> bool:
    return sum(value != 0 for value in values) >= MIN_DIFFERING


@cache
def _t_limit(n: int, alpha: float) -> float:
    return float(stats.t.ppf(1 - alpha / 2, n - 1))


def _t_interval(values: Sequence[float], alpha: float) -> Interval | None:
    """The interval of the paired t test, which rejects where 0 is outside."""
    if not _enough(values):
        return None
    mean, se = float(np.mean(values)), float(np.std(values, ddof=1)) / math.sqrt(len(values))
    half = _t_limit(len(values), alpha) * se
    return mean - half, mean + half


def _bca_interval(values: Sequence[float], rng: np.random.Generator) -> Interval | None:
    if not _enough(values):
        return None
    found = stats.bootstrap(
        (np.array(values),), np.mean, confidence_level=1 - SPLIT, n_resamples=RESAMPLES, method="BCa", rng=rng
    ).confidence_interval
    return float(found.low), float(found.high)


def measure_cell(name: str, questions: int, times: int) -> Cell:
    """Both halves of a cell: A against A again, then against a B that was moved."""
    warnings.simplefilter(
        "ignore"
    )  # SciPy warns of nearly constant data; its NaN then counts as an interval that misses
    kind, rng = KINDS[name], _rng(0, name, questions)
    count = dict.fromkeys(("alarms", "t", "t_split", "right", "right_t", "bca", "bca_n", "wrong", "contradictions"), 0)
    truth = true_means(kind, EFFECT)
    for at in range(times):
        same = scored_pairs(kind.draw(rng, questions, 0), rng)
        deltas = list(_compare(same).values())
        values = [list(found.values()) for found in same.values()]
        count["alarms"] += any(map(_shown, deltas))
        count["t"] += not all(_holds(_t_interval(each, 0.05), 0) for each in values)
        count["t_split"] += not all(_holds(_t_interval(each, SPLIT), 0) for each in values)
        moved = scored_pairs(kind.draw(rng, questions, EFFECT), rng)
        tested = list(_compare(moved).values())
        values = [list(found.values()) for found in moved.values()]
        count["right"] += _all_hold((delta.ci95 for delta in tested), truth)
        count["right_t"] += _all_hold((_t_interval(each, SPLIT) for each in values), truth)
        if at % BCA_EVERY == 0:
            count["bca_n"] += 1
            count["bca"] += _all_hold((_bca_interval(each, rng) for each in values), truth)
        count["wrong"] += any(_shown(d) and (d.mean or 0) * true <= 0 for d, true in zip(tested, truth, strict=True))
        count["contradictions"] += sum(map(_contradicts, (*deltas, *tested)))
    return Cell(
        name,
        kind.symmetric or kind.nearly_equal,
        questions,
        count["alarms"] / times,
        count["t"] / times,
        count["t_split"] / times,
        count["right"] / times,
        count["right_t"] / times,
        count["bca"] / count["bca_n"],
        count["wrong"] / times,
        count["contradictions"],
    )


def _all_hold(intervals: Iterable[Interval | None], truth: Floats) -> bool:
    return all(_holds(interval, float(true)) for interval, true in zip(intervals, truth, strict=True))


def decided_by_one(name: str, questions: int, times: int) -> Fragile:
    """Of comparisons that are shown with one more question and not without it: how many are called fragile.

    The one question gains 1 on every metric. With and without it are two tests with flips of their own.
    """
    kind, rng = KINDS[name], _rng(1, name, questions)
    effect = effect_of_size(kind, SHOWN_AT, questions)
    found: list[bool] = []
    while len(found) < times:
        deltas = kind.draw(rng, questions, effect)
        without = _named(deltas)
        whole = {name: {**pairs, "decides": 1.0} for name, pairs in without.items()}
        delta = _compare(whole, seed=1)[NAMES[0]]
        if delta.verdict == "better" and not _shown(_compare(without, seed=2)[NAMES[0]]):
            found.append(delta.fragile and "decides" in delta.carried_by)
    return Fragile(f"a single question decides: {name}, {questions} questions", float(np.mean(found)), len(found))


def ordinary(name: str, questions: int, times: int) -> Fragile:
    """Of comparisons shown at an effect that is shown in about 80 %: how many are called fragile."""
    kind, rng = KINDS[name], _rng(2, name, questions)
    effect = effect_of_size(kind, SHOWN_AT + POWER_80, questions)
    found = [
        delta.fragile
        for _ in range(times)
        if _shown(delta := _compare(_named(kind.draw(rng, questions, effect)))[NAMES[0]])
    ]
    words = f"ordinary, shown in {len(found) / times:.0%}: {name}, {questions} questions"
    return Fragile(words, float(np.mean(found)), len(found))


def planned(name: str, times: int) -> Planned:
    """How often a change is shown with the questions that the planner asks for, from the spread of 80 others."""
    kind, rng = KINDS[name], _rng(3, name, 0)
    change = float(true_means(kind, EFFECT)[0])
    asked: list[int] = []
    shown = 0
    while len(asked) < times:
        pilot = _named(kind.draw(rng, PILOT, EFFECT))
        limit = _compare(pilot)[NAMES[0]].limit
        if limit is None:
            continue
        n = pairs_needed(change, float(np.std(list(pilot[NAMES[0]].values()), ddof=1)), limit)
        asked.append(n)
        tested = _compare(_named(kind.draw(rng, n, EFFECT)))
        shown += tested[NAMES[0]].verdict == "better"
    return Planned(name, change, float(np.median(asked)), shown / times, times)


def _named(deltas: Floats) -> Pairs:
    """Every delta by metric and question."""
    return {
        name: {f"q{at:03}": float(value) for at, value in enumerate(row)}
        for name, row in zip(NAMES, deltas, strict=True)
    }


def _print_cells(cells: Sequence[Cell]) -> None:
    split = f"÷ {METRICS}"
    heads = ("deltas", "questions", "any false verdict", "paired t", f"t {split}", "all intervals right", f"t {split}",
             f"BCa {split}", "verdict of the wrong sign")  # fmt: skip
    print(f"\n| {' | '.join(heads)} |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    for each in cells:
        alarms = (f"**{each.alarms:.3f}**", f"{each.alarms_t:.3f}", f"{each.alarms_t_split:.3f}")
        right = (f"**{each.right:.3f}**", f"{each.right_t_split:.3f}", f"{each.right_bca_split:.3f}")
        print(f"| {' | '.join((each.kind, str(each.questions), *alarms, *right, f'{each.wrong_way:.3f}'))} |")


def _told(cell: Cell) -> Cell:
    print(f"{cell.kind}, {cell.questions} questions: done", file=sys.stderr)
    return cell


def _targets(
    cells: Sequence[Cell], decided: Sequence[Fragile], plain: Sequence[Fragile], kept: Sequence[Planned]
) -> list[tuple[str, bool]]:
    """What was aimed at, in words with what came out, and whether it was reached."""
    worst, mean = max(each.alarms for each in cells), float(np.mean([each.alarms for each in cells]))
    right = min(each.right for each in cells if each.aimed)
    contradictions = sum(each.contradictions for each in cells)
    low, high = min(each.share for each in kept), max(each.share for each in kept)
    least, most = min(each.share for each in decided), max(each.share for each in plain)
    return [
        (f"any false verdict at most {ALARMS:.1%} in every cell: {worst:.1%}", worst <= ALARMS),
        (f"about {ALARMS_ON_AVERAGE:.0%} on average, at most: {mean:.1%}", mean <= ALARMS_ON_AVERAGE),
        (
            f"all intervals right in at least {RIGHT:.0%} in symmetric and nearly equal kinds: {right:.1%}",
            right >= RIGHT,
        ),
        (f"no interval contradicts its verdict: {contradictions}", contradictions == 0),
        (f"fragile in at least {DECIDED:.0%} where one question decides: {least:.0%}", least >= DECIDED),
        (f"fragile in at most {ORDINARY:.0%} of ordinary ones: {most:.0%}", most <= ORDINARY),
        (
            f"what is planned for 80 % is shown in about 80 %: {low:.0%} to {high:.0%}",
            PLANNED[0] <= low <= high <= PLANNED[1],
        ),
    ]


def main() -> int:
    """Prints the tables; 1 if something aimed at was not reached."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--comparisons", type=int, default=400, help="simulated in each cell (default: %(default)s)")
    times = parser.parse_args().comparisons
    begin = time.perf_counter()
    with ProcessPoolExecutor(2) as pool:
        asked = [pool.submit(measure_cell, kind, n, times) for n in reversed(SIZES) for kind in KINDS]
        of_one = [pool.submit(decided_by_one, kind, n, times // 4) for kind in PLAIN[1:] for n in SIZES]
        usual = [pool.submit(ordinary, kind, n, times // 2) for kind in (*PLAIN, "skewed") for n in (100, 200)]
        plans = [pool.submit(planned, name, times // 2) for name in (*PLAIN, "many ties")]
        found = [_told(each.result()) for each in asked]
        cells = sorted(found, key=lambda cell: (list(KINDS).index(cell.kind), cell.questions))
        print(f"{times} comparisons a cell, {METRICS} correlated metrics scored on 50 to 100 % of the questions.")
        _print_cells(cells)
        decided, plain = [each.result() for each in of_one], [each.result() for each in usual]
        kept = [each.result() for each in plans]
    print("\n| shown comparisons | called fragile | of |\n|---|---:|---:|")
    for each in (*decided, *plain):
        print(f"| {each.name} | {each.share:.2f} | {each.n} |")
    print("\n| planned for 80 % | change | questions, median | shown in | of |\n|---|---:|---:|---:|---:|")
    for plan in kept:
        print(f"| {plan.kind} | {plan.change:.3f} | {plan.questions:.0f} | {plan.share:.2f} | {plan.n} |")
    print()
    targets = _targets(cells, decided, plain, kept)
    for words, reached in targets:
        print(f"{'ok  ' if reached else 'MISS'} {words}")
    print(f"\n{time.perf_counter() - begin:.0f} s")
    return 0 if all(reached for _, reached in targets) else 1


if __name__ == "__main__":
    sys.exit(main())
