"""Sweep → what a terminal shows."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.tuning.sweep import Sweep
from rag_variants.pipeline.spec import print_variant
from rag_variants.report.sweep_left_out import left_out_examples, left_out_heading, more_left_out
from rag_variants.report.sweep_rows import RECOMMENDED, SAME, metric_label, shown_columns, sweep_rows
from rag_variants.report.sweep_words import (
    family_sentence,
    final_check_sentence,
    frontier_lines,
    settings_words,
    sweep_sentences,
)
from rag_variants.report.terminal import COLOURS

MOST_ROWS = 60


def sweep_view(sweep: Sweep, check: Comparison | None = None) -> RenderableType:
    """The sentences, the points with the best first, the frontier, what was left out, and the final check."""
    first, *more = sweep_sentences(sweep)
    rows = len(sweep.points)
    cut = [f"{rows - MOST_ROWS:,} more settings: --out FILE.csv has them all."] if rows > MOST_ROWS else []
    return Group(
        Text(f"Sweep of {print_variant(sweep.start.variant)}, {settings_words(rows)}"),
        Text(),
        Text(first, style="bold"),
        *(Text(line) for line in more),
        *(Text(warning, style="yellow") for warning in sweep.warnings),
        Text(),
        _points(sweep),
        Text(),
        *(
            Text(line)
            for line in filter(None, (*cut, family_sentence(sweep), *frontier_lines(sweep), *_left_out(sweep)))
        ),
        *_check(sweep, check),
    )


def _left_out(sweep: Sweep) -> list[str]:
    if not sweep.left_out:
        return []
    examples = [f"  {each.settings}: {each.reason}" for each in left_out_examples(sweep.left_out)]
    more = more_left_out(sweep.left_out)
    return [f"Left out: {left_out_heading(sweep.left_out)}", *examples, *([f"  {more}"] if more else [])]


def _check(sweep: Sweep, check: Comparison | None) -> list[RenderableType]:
    if check is None:
        return []
    notes = [Text(note, style="yellow") for note in check.warnings if note not in sweep.warnings]
    return [Text(), Text(final_check_sentence(sweep, check), style="bold"), *notes]


def _points(sweep: Sweep) -> Table:
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    efforts = {name: title for name, title in shown_columns(sweep).items() if name in ("read", "latency", "cost")}
    table.add_column("setting", overflow="fold", no_wrap=len(sweep.grid.axes) < 4)
    for name in (metric_label(sweep), "Δ"):
        table.add_column(name, justify="right", no_wrap=True)
    for name in ("95 % interval", "verdict", "scored"):
        table.add_column(name, no_wrap=name != "verdict")
    for title in efforts.values():
        table.add_column(title, justify="right")
    table.add_column("", no_wrap=True)
    for row in sweep_rows(sweep)[:MOST_ROWS]:
        style = "bold" if RECOMMENDED in row.marks else "" if "best" in row.marks or SAME in row.marks else "dim"
        numbers = [getattr(row, name) for name in efforts]
        verdict = Text(row.verdict, style=COLOURS.get(row.verdict.split(" ")[0], ""))
        cells = [Text(each, style=style) for each in (row.settings, row.mean, row.delta, row.interval)]
        table.add_row(*cells, verdict, *(Text(each, style=style) for each in (row.scored, *numbers, row.marks)))
    return table
