"""Comparison → rows of text and tables, the same for the terminal, Markdown and pages."""

from collections.abc import Iterator
from dataclasses import dataclass

from rag_variants.evaluation.comparison import Comparison, EffortComparison
from rag_variants.metrics import GROUPS, all_metrics, full_label_of, label_of
from rag_variants.report.remarks import remarks_on, verdict_in_noise
from rag_variants.report.tables import Column, Line, Table, make_line, make_table, verdict_cell
from rag_variants.report.words import (
    interval_words,
    money_words,
    plain,
    scored_words,
    signed,
    wins_words,
)


@dataclass(frozen=True, slots=True)
class MetricRow:
    """One metric as it is shown; all texts. `full_label` has the field's term, `remarks` are sentences on it."""

    group: str
    name: str
    label: str
    full_label: str
    a: str
    b: str
    delta: str
    interval: str
    verdict: str
    scored: str
    wins: str
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EffortRow:
    """One described quantity as it is shown; all texts."""

    name: str
    label: str
    unit: str
    a: str
    b: str
    ratio: str


def metric_rows(comparison: Comparison) -> tuple[MetricRow, ...]:
    """One row per quality metric, grouped as on screen, in the order of the design."""
    rows = [_row(comparison, name) for name in comparison.metrics]
    return tuple(sorted(rows, key=lambda row: GROUPS.index(all_metrics()[row.name].group)))


def _row(comparison: Comparison, name: str) -> MetricRow:
    compared, metric = comparison.metrics[name], all_metrics()[name]
    delta = compared.delta
    return MetricRow(
        group=metric.group,
        name=name,
        label=label_of(metric, comparison.judge),
        full_label=full_label_of(metric, comparison.judge),
        a=plain(compared.a.mean),
        b=plain(compared.b.mean),
        delta=signed(delta.mean),
        interval=interval_words(delta),
        verdict=verdict_in_noise(compared),
        scored=scored_words(compared),
        wins=wins_words(delta),
        remarks=remarks_on(compared),
    )


def metrics_table(comparison: Comparison) -> Table:
    """The quality metrics in their groups."""
    heads = ("metric", "A", "B", "Δ", "95 % interval", "verdict", "scored", "B better = worse")
    columns = tuple(Column(head, number=len(head) == 1, whole=head != "verdict") for head in heads)
    return Table(columns, tuple(map(_line, metric_rows(comparison))))


def _line(row: MetricRow) -> Line:
    cells = (row.full_label, row.a, row.b, row.delta, row.interval, verdict_cell(row.verdict), row.scored, row.wins)
    return make_line(cells, row.group)


def check_table(check: Comparison) -> Table:
    """The metrics of a sweep's final check."""
    heads = ("metric, held-out questions", "start", "recommended", "Δ", "95 % interval", "verdict", "scored")
    columns = (Column(head, number=1 <= at <= 3, whole=True) for at, head in enumerate(heads))
    rows = metric_rows(check)
    return make_table(columns, ((r.full_label, r.a, r.b, r.delta, r.interval, r.verdict, r.scored) for r in rows))


def effort_table(comparison: Comparison) -> Table:
    """The described quantities, with their units."""
    numbers = (Column(head, number=True) for head in ("A", "B", "B ÷ A"))
    rows = effort_rows(comparison)
    cells = ((f"{row.label} ({row.unit})" if row.unit else row.label, row.a, row.b, row.ratio) for row in rows)
    return make_table(("effort, mean per question", *numbers), cells)


# Where a mean says little, the middle and the slow end stand beside it.
_SPREAD = {"mean": "mean", "median": "median", "p95": "95th percentile"}


def effort_rows(comparison: Comparison) -> tuple[EffortRow, ...]:
    """One row per effort metric, three of one that is typical by its median: means and ratio, without verdict."""
    return tuple(row for name, each in comparison.effort.items() for row in _effort_rows(name, each))


def _effort_rows(name: str, compared: EffortComparison) -> Iterator[EffortRow]:
    metric = all_metrics()[name]
    for kind, words in (_SPREAD if metric.typical == "median" else {"mean": ""}).items():
        a, b = getattr(compared.a, kind), getattr(compared.b, kind)
        ratio = compared.ratio if kind == "mean" else (b / a if a and b is not None else None)
        yield EffortRow(
            name=name,
            label=f"{metric.label}, {words}" if words else metric.label,
            unit=metric.unit,
            a=amount_words(a, metric.unit),
            b=amount_words(b, metric.unit),
            ratio="–" if ratio is None else f"× {ratio:.2f}",
        )


def amount_words(value: float | None, unit: str) -> str:
    """An amount as its unit is written; the unit itself stands in the label."""
    return money_words(value) if unit == "USD" and value is not None else format_amount(value)


def format_amount(value: float | None) -> str:
    """An amount with three significant digits or thousands separated; `–` if there is none."""
    if value is None:
        return "–"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
