"""A ladder in words and rows of text: one wording for the command line, files and pages."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from rag_variants.evaluation.ablation.ablation_path import AblationPath
from rag_variants.evaluation.ablation.waypoints import SettingChange, Waypoint, order_of
from rag_variants.evaluation.comparison import MetricComparison
from rag_variants.metrics import all_metrics, full_label_of, label_of
from rag_variants.pipeline.setting import settings_of
from rag_variants.report.tables import Cell, Column, Table, make_table, verdict_cell
from rag_variants.report.words import (
    ARROWS,
    MINUS,
    change_words,
    digits_needed,
    inside_sentence,
    interval_words,
    plain,
    rounded,
    scored_words,
    signed,
    verdict_words,
)

ORDER_SENTENCE = "What a step did depends on the steps before it: another order gives other steps and the same total."


@dataclass(frozen=True, slots=True)
class PathRow:
    """A, a step or B under one metric. Texts as shown; numbers in the metric's unit, None where nothing was scored.

    A step leads from `start` to `end`, which could be `low` to `high`; `arrow` is ▲ or ▼ for a verdict, `note` says
    whether the step hurts most.
    """

    order: int
    side: str
    label: str
    start: float | None
    end: float | None
    low: float | None = None
    high: float | None = None
    delta: str = ""
    interval: str = ""
    verdict: str = ""
    arrow: str = ""
    so_far: str = ""
    scored: str = ""
    note: str = ""


def path_rows(ladder: AblationPath, metric: str) -> tuple[PathRow, ...]:
    """A, every step with the running total, and B with the total."""
    total, digits = ladder.total.metrics[metric], _digits(ladder, metric)
    begin, worst = total.a.mean, ladder.worst(metric)
    rows = [PathRow(0, "a", "A", begin, begin, so_far=plain(begin, digits))]
    reached = begin
    for at, (waypoint, step, done) in enumerate(
        zip(ladder.waypoints[1:], ladder.steps, ladder.running(metric), strict=True)
    ):
        compared = step.metrics[metric]
        start, reached = reached, None if begin is None else begin + done
        low, high = _place(compared, reached)
        so_far = "–" if reached is None else f"{plain(reached, digits)} ({signed(done, digits)})"
        row = PathRow(at + 1, "", f"{at + 1}  {waypoint_words(waypoint)}", start, reached, low, high, so_far=so_far)
        rows.append(replace(row, **_texts(compared, digits), note=_note(compared) if at == worst else ""))
    last = PathRow(len(rows), "b", "B", total.b.mean, total.b.mean, so_far=plain(total.b.mean, digits))
    return (*rows, replace(last, **_texts(total, digits)))


def ablation_table(ladder: AblationPath, metric: str) -> Table:
    """A, every step and B under one metric."""
    numbers = (Column(head, number=True, whole=True) for head in ("so far", "Δ"))
    words = (Column("95 % interval", whole=True), "verdict", Column("scored", whole=True))
    rows = (
        (
            Cell(row.label, "", row.note),
            *(row.so_far, row.delta, row.interval, verdict_cell(row.verdict), row.scored),
        )
        for row in path_rows(ladder, metric)
    )
    name = Column(full_label_of(all_metrics()[metric], ladder.total.judge), whole=True)
    return make_table((name, *numbers, *words), rows)


def _texts(compared: MetricComparison, digits: int) -> dict[str, Any]:
    delta = compared.delta
    return {
        "delta": signed(delta.mean, digits),
        "interval": interval_words(delta),
        "verdict": verdict_words(delta),
        "arrow": ARROWS.get(delta.verdict, ""),
        "scored": scored_words(compared),
    }


def _note(compared: MetricComparison) -> str:
    return f"{ARROWS['worse']} hurts most" if compared.delta.verdict == "worse" else "largest loss, not shown"


def _digits(ladder: AblationPath, metric: str) -> int:
    """2 decimals, or 3 where rounded means and deltas would not add up."""
    total = ladder.total.metrics[metric]
    if total.a.mean is None:
        return 2
    means = [total.a.mean, *(total.a.mean + done for done in ladder.running(metric))]
    rough = any(rounded(b, 2) - rounded(a, 2) != rounded(b - a, 2) for a, b in pairwise(means))
    return max(3 if rough else 2, digits_needed(total))


def _place(compared: MetricComparison, end: float | None) -> tuple[float | None, float | None]:
    """The interval of a step's delta, moved to where the step starts."""
    mean, interval = compared.delta.mean, compared.delta.ci95
    if mean is None or interval is None or end is None:
        return None, None
    return end - mean + interval[0], end - mean + interval[1]


def metric_label(ladder: AblationPath, metric: str) -> str:
    """The metric's label under the judge of the ladder."""
    return label_of(all_metrics()[metric], ladder.total.judge)


def waypoint_words(waypoint: Waypoint) -> str:
    """What changes at a waypoint: `Chunk size 600 → 400`."""
    return ", ".join(_change_words(change, waypoint) for change in waypoint.changes)


def _change_words(change: SettingChange, waypoint: Waypoint) -> str:
    """One change with its setting's label; a setting that the waypoint's variant has no more goes by its name."""
    settings = settings_of(waypoint.variant)
    label = settings[change.name][1].label if change.name in settings else change.name.capitalize()
    return change_words(label, change.before, change.after)


def result_sentence(ladder: AblationPath, metric: str) -> str:
    """Where the steps lead, and which of them hurts most."""
    count = len(ladder.steps)
    if not count:
        return "No setting differs between A and B: there is no step."
    total, digits = ladder.total.metrics[metric], _digits(ladder, metric)
    means = f"{plain(total.a.mean, digits)} → {plain(total.b.mean, digits)}, {signed(total.delta.mean, digits)}"
    what = f"{metric_label(ladder, metric)}: {means}."
    if count == 1:
        return f"One step leads from A to B, so it is the whole difference. {what}"
    worst = ladder.worst(metric)
    if worst is None:
        return f"{count} steps from A to B. {what} No step makes it worse."
    delta = ladder.steps[worst].metrics[metric].delta
    step = f"step {worst + 1}, {waypoint_words(ladder.waypoints[worst + 1])}: {signed(delta.mean, digits)}"
    if delta.verdict == "worse":
        return f"{count} steps from A to B. {what} What hurts most is {step}, {verdict_words(delta)}."
    return (
        f"{count} steps from A to B. {what} The largest loss is {step}, but it may be chance ({verdict_words(delta)})."
    )


def sum_sentence(ladder: AblationPath, metric: str) -> str | None:
    """Whether the steps add up to the total, and why not; None if there is no sum."""
    deltas = [step.metrics[metric].delta.mean for step in ladder.steps]
    total = ladder.total.metrics[metric].delta.mean
    known = [delta for delta in deltas if delta is not None]
    if len(known) < 2 or total is None:
        return None
    if ladder.gap(metric) == 0:
        digits = _digits(ladder, metric)
        first, *others = known
        parts = " ".join([signed(first, digits), *(f"{_sign(each)} {plain(abs(each), digits)}" for each in others)])
        return f"The steps add up to the total: {parts} = {signed(total, digits)} (rounded)."
    everywhere, somewhere = ladder.scored(metric)
    label = inside_sentence(metric_label(ladder, metric))
    return (
        f"The steps add up to {signed(sum(known))}, the total is {signed(total)}: of {somewhere} questions that have "
        f"{label} on some rung, {everywhere} have it on every one."
    )


def _sign(value: float) -> str:
    return MINUS if value < 0 else "+"


def family_sentence(ladder: AblationPath) -> str | None:
    """What the steps' intervals hold for; None with fewer than two steps."""
    if len(ladder.steps) < 2:
        return None
    count = len(ladder.total.metrics)
    metrics = f" and all {count} metrics" if count > 1 else ""
    return (
        f"The intervals of all {len(ladder.steps)} steps{metrics} hold together (95 %), so each is wider than it would "
        f"be alone. The total keeps the interval and verdict of the plain comparison."
    )


def waiting_sentence(asked: Sequence[str], waypoints: Sequence[Waypoint]) -> str | None:
    """What became of an order in which some waypoint would be impossible; None if the order was kept."""
    kept = order_of(waypoints)
    if tuple(asked) == kept:
        return None
    return f"In the order asked for a step would give impossible settings, so the order is {', '.join(kept)}."
