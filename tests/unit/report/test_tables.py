"""A table as a terminal, Markdown and a spreadsheet show it: whoever wrote a text, it does nothing there."""

import csv
import io
from dataclasses import replace

import pytest
from rich.console import Console

from rag_variants.evaluation.compare import compare_runs
from rag_variants.report.export import comparison_markdown
from rag_variants.report.tables import (
    Cell,
    Column,
    Table,
    csv_text,
    make_line,
    make_table,
    markdown_table,
    terminal_table,
    verdict_cell,
)
from rag_variants.report.terminal import agreement_view, comparison_view, run_view, saved_runs_view
from rag_variants.storage.saved_runs.notes import make_note
from rag_variants.types import Answer
from tests.unit.storage.test_run_files import make_run

MARKUP = ("[red]x[/]", "[link=https://example.com]y[/link]", "[/]", "[bold", r"\[a]", "a|b", ":smile:", "<b>*c*</b>")


def shown(view):
    """What a terminal of 300 columns shows, with the codes for colours."""
    console = Console(file=io.StringIO(), width=300, force_terminal=True, color_system="truecolor", highlight=False)
    console.print(view)
    return console.file.getvalue()


@pytest.mark.parametrize("text", MARKUP)
def test_a_terminal_shows_foreign_text_as_typed(text):
    table = make_table((text, Column(text, number=True)), [(text, Cell(text, "better", text)), (text, "1")])
    drawn = shown(terminal_table(replace(table, lines=(*table.lines, make_line((text, text), group=text)))))
    # 2 headings, 3 and 2 texts of the first two lines less the "1", a group with 2 texts: 2 + 3 + 1 + 3
    assert drawn.count(text) == 9
    assert "\x1b]8" not in drawn, "no link"
    assert "\x1b[31m" not in drawn, "no colour that a text asks for"


@pytest.mark.parametrize("text", MARKUP[:4])
def test_no_view_takes_ids_answers_or_names_for_markup(text):
    run = make_run("keyword", "retrieval,faithfulness")
    rows = tuple(
        replace(row, record=replace(row.record, question=replace(row.record.question, id=f"{text}{at}"),
                                    answer=Answer(text)))
        for at, row in enumerate(run.rows)
    )  # fmt: skip
    named = replace(run.knowledge, name=text)
    foreign = replace(run, rows=rows, knowledge=named, questions=replace(run.questions, name=text), notes=(text,))
    note = replace(make_note(foreign), name=text, judge_spec=text)
    measured = {
        "judge": text, "unsure": 0, "n": 1, "accuracy": 1.0, "kappa": None,
        "by": {"kind": {text: {"n": 1, "accuracy": 1.0, "kappa": None}}},
        "disagreements": [{"id": text, "judge": 0, "label": 1, "statement": text}],
    }  # fmt: skip
    for view, times in (
        (run_view(foreign), 1), (comparison_view(compare_runs(foreign, foreign)), 1),
        (saved_runs_view([note], [text]), 4), (agreement_view(measured), 4),
    ):  # fmt: skip
        drawn = shown(view)
        assert drawn.count(text) >= times
        assert "\x1b]8" not in drawn


def test_markdown_cells_stay_cells():
    table = make_table(("a|b", Column("n", number=True)), [("x|y\nz", "+0.25"), (Cell("*", "strong", "[n]"), "")])
    assert markdown_table(table) == [
        r"| a\|b | n |",
        "|---|---:|",
        r"| x\|y z | +0.25 |",
        r"| **\*** **\[n\]** | |",
    ]


def test_a_group_is_a_line_on_a_terminal_and_a_cell_in_markdown():
    lines = tuple(make_line(text, group) for text, group in (("a", "One"), ("b", "One"), ("c", "Two")))
    table = Table((Column("metric"),), lines)
    console = Console(file=io.StringIO(), width=40)
    console.print(terminal_table(table))
    assert [line.rstrip() for line in console.file.getvalue().splitlines()] == [
        "metric", "One", "  a", "  b", "Two", "  c",
    ]  # fmt: skip
    assert markdown_table(table) == ["| | metric |", "|---|---|", "| One | a |", "| One | b |", "| Two | c |"]


def test_a_spreadsheet_runs_nothing_and_numbers_stay_numbers():
    text = csv_text(["a", "b"], [["=1+1", "-0.25"], ["＠x", "-x"]])
    assert list(csv.reader(io.StringIO(text.removeprefix("\ufeff")))) == [
        ["a", "b"],
        ["'=1+1", "-0.25"],
        ["'＠x", "'-x"],
    ]


def test_what_is_better_or_worse_is_seen_and_nothing_else():
    looks = [verdict_cell(words).look for words in ("better", "worse (fragile)", "not shown: could be 0", "")]
    assert looks == ["better", "worse", "", ""]


def test_foreign_warnings_stand_in_markdown_as_typed():
    run = make_run("keyword", "retrieval")
    page = comparison_markdown(compare_runs(replace(run, notes=("| [x](y) |",)), run))
    assert r"\| \[x\]\(y\) \|" in page


def test_a_narrow_terminal_breaks_headings_and_no_number():
    table = make_table(("setting", Column("what it takes", number=True)), [("top_k=1", "12,345"), ("top_k=2", "1")])
    console = Console(file=io.StringIO(), width=18)
    console.print(terminal_table(table))
    assert "12,345" in console.file.getvalue()
    assert "…" not in console.file.getvalue()
