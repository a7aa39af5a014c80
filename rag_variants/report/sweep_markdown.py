"""Sweep → Markdown, for a pull request or a wiki."""

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.tuning.sweep import Sweep
from rag_variants.pipeline.spec import print_variant
from rag_variants.report.markdown import shown_as_typed
from rag_variants.report.sweep_left_out import left_out_examples, left_out_heading, more_left_out
from rag_variants.report.sweep_rows import COLUMNS, RECOMMENDED, shown_columns, sweep_rows
from rag_variants.report.sweep_words import (
    family_sentence,
    final_check_sentence,
    frontier_lines,
    origin_line,
    settings_words,
    sweep_sentences,
)
from rag_variants.report.table import metric_rows


def sweep_markdown(sweep: Sweep, check: Comparison | None = None) -> str:
    """The sentences, every setting with the best first, the frontier, what was left out, the final check."""
    first, *more = sweep_sentences(sweep)
    lines = [f"## Sweep of {_code(print_variant(sweep.start.variant))}, {settings_words(len(sweep.points))}", ""]
    lines += [f"**{shown_as_typed(first)}**", ""]
    lines += [each for sentence in more for each in (shown_as_typed(sentence), "")]
    lines += [f"> {shown_as_typed(warning)}\n" for warning in sweep.warnings]
    lines += [*_points(sweep), "", shown_as_typed(family_sentence(sweep)), ""]
    lines += [f"- {shown_as_typed(line)}" for line in frontier_lines(sweep)]
    if sweep.left_out:
        lines += ["", f"<details><summary>Left out: {left_out_heading(sweep.left_out)}</summary>", ""]
        lines += [
            f"- {shown_as_typed(each.settings)}: {shown_as_typed(each.reason)}"
            for each in left_out_examples(sweep.left_out)
        ]
        lines += ["", more_left_out(sweep.left_out)]
        lines += ["", "</details>"]
    lines += _check(sweep, check) if check else []
    return "\n".join([*lines, "", shown_as_typed(origin_line(sweep)), ""])


def _points(sweep: Sweep) -> list[str]:
    columns = shown_columns(sweep)
    lines = [f"| {' | '.join(shown_as_typed(each) for each in columns.values())} |"]
    lines += [f"|{'|'.join('---:' if COLUMNS[name] else '---' for name in columns)}|"]
    for row in sweep_rows(sweep):
        cells = [shown_as_typed(getattr(row, name)) for name in columns]
        if RECOMMENDED in row.marks:
            cells[0] = f"**{cells[0]}**"
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def _check(sweep: Sweep, check: Comparison) -> list[str]:
    lines = ["", f"**{shown_as_typed(final_check_sentence(sweep, check))}**", ""]
    lines += [f"> {shown_as_typed(note)}\n" for note in check.warnings if note not in sweep.warnings]
    lines += ["| metric, held-out questions | start | recommended | Δ | 95 % interval | verdict | scored |"]
    lines += ["|---|---:|---:|---:|---|---|---|"]
    return lines + [
        f"| {r.label} | {r.a} | {r.b} | {r.delta} | {r.interval} | {r.verdict} | {r.scored} |"
        for r in metric_rows(check)
    ]


def _code(text: str) -> str:
    """Settings are checked values, but names of models and recordings are anybody's."""
    return shown_as_typed(text) if "`" in text else f"`{text}`"
