"""The settings of a sweep as rows of text, and those left out, the same for the terminal, files and pages."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from rag_variants.evaluation.statistics.paired import Delta
from rag_variants.evaluation.tuning.grid import Impossible
from rag_variants.evaluation.tuning.points import Point
from rag_variants.evaluation.tuning.sweep import Sweep
from rag_variants.metrics import all_metrics, label_of
from rag_variants.report.tables import Cell, Column, Look, Table, make_table, verdict_cell
from rag_variants.report.words import interval_words, money_words, plain, signed, verdict_words

SAME = "≈"
RECOMMENDED = "recommended"
EXAMPLES = 3  # combinations left out that are shown
# Columns of a table of points, and whether they hold numbers.
COLUMNS: Mapping[str, bool] = {
    "settings": False, "marks": False, "mean": True, "delta": True, "interval": False, "verdict": False,
    "scored": True, "read": True, "latency": True, "cost": True,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class SweepRow:
    """One point as it is shown; all texts. `marks` are start, best, ≈ best, recommended, failures."""

    settings: str
    mean: str
    delta: str
    interval: str
    verdict: str
    scored: str
    read: str
    latency: str
    cost: str
    marks: str


def shown_columns(sweep: Sweep) -> dict[str, str]:
    """The heading of each column of a table of points, with its unit; effort that was not measured has none."""
    found = {
        "settings": "setting", "marks": "", "mean": metric_label(sweep), "delta": "Δ to the start",
        "interval": "95 % interval", "verdict": "verdict", "scored": "scored",
    }  # fmt: skip
    efforts = {
        "context_characters": ("read", "characters read"),
        "latency_ms": ("latency", f"ms, {statistic_of('latency_ms')}"),
        "cost_usd": ("cost", "cost"),
    }
    priced = any(point.amount("cost_usd") for point in sweep.points) if "cost_usd" in sweep.effort else False
    return found | {
        name: heading
        for effort, (name, heading) in efforts.items()
        if effort in sweep.effort and (effort != "cost_usd" or priced)
    }


def sweep_rows(sweep: Sweep) -> tuple[SweepRow, ...]:
    """One row per point, the best first; points without a score last, in the grid's order."""
    return tuple(_row(sweep, at) for at in order_of_points(sweep))


def points_table(sweep: Sweep) -> Table:
    """The settings with the best first; what is recommended stands out, what is shown to be worse stands back."""
    shown = shown_columns(sweep)
    whole = {"marks", "interval", "scored"} | ({"settings"} if len(sweep.grid.axes) < 4 else set())
    columns = tuple(Column(heading, COLUMNS[name], whole=name in whole) for name, heading in shown.items())
    return make_table(columns, (_cells(row, list(shown)) for row in sweep_rows(sweep)))


def _cells(row: SweepRow, names: list[str]) -> list[Cell]:
    near = RECOMMENDED in row.marks or "best" in row.marks or SAME in row.marks
    look: Look = "" if near else "faint"
    cells = [verdict_cell(row.verdict) if name == "verdict" else Cell(getattr(row, name), look) for name in names]
    return [replace(cells[0], look="strong"), *cells[1:]] if RECOMMENDED in row.marks else cells


def order_of_points(sweep: Sweep) -> tuple[int, ...]:
    """The places of the points, the best first, ties in the grid's order."""
    advantages = [sweep.advantage(point) for point in sweep.points]
    best = None if sweep.best is None else sweep.points.index(sweep.best)
    return tuple(
        sorted(
            range(len(advantages)),
            key=lambda at: (advantages[at] is None, at != best, -round(advantages[at] or 0.0, 9), at),
        )
    )


def _row(sweep: Sweep, at: int) -> SweepRow:
    point, delta = sweep.points[at], sweep.against_start()[at]
    is_start = point is sweep.start
    return SweepRow(
        settings=point_words(sweep, point),
        mean=plain(point.mean(sweep.metric), 3),
        delta="" if is_start else signed(delta.mean, 3),
        interval="" if is_start else fine_interval_words(delta),
        verdict=verdict_of(sweep, at, sweep.metric),
        scored=f"{point.scored(sweep.metric):,} of {point.asked:,}",
        read=amount_words(point, "context_characters"),
        latency=amount_words(point, "latency_ms"),
        cost=amount_words(point, "cost_usd"),
        marks=marks_of(sweep, at),
    )


def marks_of(sweep: Sweep, at: int) -> str:
    """What is to be said of a point, in a few words."""
    point = sweep.points[at]
    found = ["start"] if point is sweep.start else []
    if point is sweep.best:
        found += ["best"] if sweep.differing is not None else []
    elif sweep.gaps and sweep.gaps[at].n and not sweep.gaps[at].told_apart:
        found.append(f"{SAME} best")
    found += [RECOMMENDED] if point is sweep.recommended else []
    found += [f"{point.failed:,} failed"] if point.failed else []
    return ", ".join(found)


def point_words(sweep: Sweep, point: Point) -> str:
    """A point by the settings that the sweep moves."""
    return sweep.grid.written(point.variant)


def metric_label(sweep: Sweep) -> str:
    """The metric that decides, as screens call it."""
    return label_of(all_metrics()[sweep.metric], sweep.head.judge.spec if sweep.head.judge else "")


def amount_words(point: Point, effort: str) -> str:
    """What a point typically takes of an effort, with its unit where it needs one."""
    if effort not in point.scores:
        return ""
    amount = point.amount(effort)
    if effort == "cost_usd":
        return "–" if amount is None else money_words(amount)
    return "–" if amount is None else f"{amount:,.0f}" if amount >= 100 else f"{amount:.1f}"


def fine_interval_words(delta: Delta) -> str:
    """Three decimals, as settings of a sweep are near to one another."""
    return interval_words(delta, 3)


def verdict_of(sweep: Sweep, at: int, metric: str) -> str:
    """A point's verdict alone, as what the delta could be stands beside it; nothing for the start itself."""
    delta = sweep.against_start(metric)[at]
    return "" if sweep.points[at] is sweep.start else verdict_words(delta).partition(":")[0]


def statistic_of(metric: str) -> str:
    """What a point's one number of a metric is: see `Point.amount`."""
    return all_metrics()[metric].typical


def unit_of(effort: str) -> str:
    """The unit of an effort with the blank before it; nothing where the number carries its own."""
    unit = all_metrics()[effort].unit
    return "" if unit in ("USD", "") else f" {unit}"


def left_out_heading(left_out: Sequence[Impossible]) -> str:
    """How many combinations were left out: `1 combination`, `2,221 combinations`."""
    return f"{len(left_out):,} combination{'' if len(left_out) == 1 else 's'}"


def left_out_examples(left_out: Sequence[Impossible]) -> tuple[Impossible, ...]:
    """Three combinations that were left out, of different reasons as far as there are; files of data hold them all."""
    kinds: dict[str, Impossible] = {}
    for each in left_out:
        kinds.setdefault(re.sub(r"[\d.]+", "0", each.reason), each)
    first = list(kinds.values())[:EXAMPLES]
    others = (each for each in left_out if each not in first)
    return (*first, *islice(others, EXAMPLES - len(first)))


def more_left_out(left_out: Sequence[Impossible]) -> str:
    """Where those are that are not among the examples; "" if there are none."""
    more = len(left_out) - EXAMPLES
    return f"{more:,} more: all of them stand in the .json and .csv files." if more > 0 else ""
