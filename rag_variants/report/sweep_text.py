"""A sweep as text: for a terminal, and as Markdown for a pull request or a wiki."""

from dataclasses import replace

from rich.console import Group, RenderableType
from rich.text import Text

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.tuning.sweep import Sweep
from rag_variants.pipeline.spec import print_variant
from rag_variants.report.markdown import shown_as_typed
from rag_variants.report.sweep_rows import left_out_examples, left_out_heading, more_left_out, points_table
from rag_variants.report.sweep_words import (
    family_sentence,
    final_check_sentence,
    frontier_lines,
    origin_line,
    settings_words,
    sweep_sentences,
)
from rag_variants.report.table import check_table
from rag_variants.report.tables import markdown_table, terminal_table

MOST_ROWS = 60  # of the table on a terminal


def sweep_markdown(sweep: Sweep, check: Comparison | None = None) -> str:
    """The sentences, every setting with the best first, the frontier, what was left out, the final check."""
    first, *more = sweep_sentences(sweep)
    lines = [f"## Sweep of {_code(print_variant(sweep.start.variant))}, {settings_words(len(sweep.points))}", ""]
    lines += [f"**{shown_as_typed(first)}**", ""]
    lines += [each for sentence in more for each in (shown_as_typed(sentence), "")]
    lines += [f"> {shown_as_typed(warning)}\n" for warning in sweep.warnings]
    lines += [*markdown_table(points_table(sweep)), "", shown_as_typed(family_sentence(sweep)), ""]
    lines += [f"- {shown_as_typed(line)}" for line in frontier_lines(sweep)]
    if sweep.left_out:
        lines += ["", f"<details><summary>Left out: {left_out_heading(sweep.left_out)}</summary>", ""]
        lines += [
            f"- {shown_as_typed(each.settings)}: {shown_as_typed(each.reason)}"
            for each in left_out_examples(sweep.left_out)
        ]
        lines += ["", more_left_out(sweep.left_out)]
        lines += ["", "</details>"]
    lines += _check_lines(sweep, check) if check else []
    return "\n".join([*lines, "", shown_as_typed(origin_line(sweep)), ""])


def _check_lines(sweep: Sweep, check: Comparison) -> list[str]:
    lines = ["", f"**{shown_as_typed(final_check_sentence(sweep, check))}**", ""]
    lines += [f"> {shown_as_typed(note)}\n" for note in check.warnings if note not in sweep.warnings]
    return lines + markdown_table(check_table(check))


def _code(text: str) -> str:
    """Settings are checked values, but names of models and recordings are anybody's."""
    return shown_as_typed(text) if "`" in text else f"`{text}`"


def sweep_view(sweep: Sweep, check: Comparison | None = None) -> RenderableType:
    """The sentences, the points with the best first, the frontier, what was left out, and the final check."""
    first, *more = sweep_sentences(sweep)
    rows, table = len(sweep.points), points_table(sweep)
    cut = [f"{rows - MOST_ROWS:,} more settings: --out FILE.csv has them all."] if rows > MOST_ROWS else []
    return Group(
        Text(f"Sweep of {print_variant(sweep.start.variant)}, {settings_words(rows)}"),
        Text(),
        Text(first, style="bold"),
        *(Text(line) for line in more),
        *(Text(warning, style="yellow") for warning in sweep.warnings),
        Text(),
        terminal_table(replace(table, lines=table.lines[:MOST_ROWS])),
        Text(),
        *(
            Text(line)
            for line in filter(None, (*cut, family_sentence(sweep), *frontier_lines(sweep), *_left_out_lines(sweep)))
        ),
        *_check_texts(sweep, check),
    )


def _left_out_lines(sweep: Sweep) -> list[str]:
    if not sweep.left_out:
        return []
    examples = [f"  {each.settings}: {each.reason}" for each in left_out_examples(sweep.left_out)]
    more = more_left_out(sweep.left_out)
    return [f"Left out: {left_out_heading(sweep.left_out)}", *examples, *([f"  {more}"] if more else [])]


def _check_texts(sweep: Sweep, check: Comparison | None) -> list[RenderableType]:
    if check is None:
        return []
    notes = [Text(note, style="yellow") for note in check.warnings if note not in sweep.warnings]
    return [Text(), Text(final_check_sentence(sweep, check), style="bold"), *notes]
