"""Separated text → rows."""

import time

import pytest

from rag_variants.questions.importers.separated import read_separated


def cells(text: str) -> list[list[object]]:
    return [list(row.values.values()) for row in read_separated(text).rows]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("question,reference\na,b\n", [["a", "b"]]),
        ("question,reference\n\n,\na,b", [["a", "b"]]),
        ("question,reference\na\n", [["a"]]),
        ("question,reference\na,b,,\n", [["a", "b"]]),
        ('question, reference\na, "b, c"\n', [["a", "b, c"]]),
        ('question,reference\n"two\nlines","say ""no"""\n', [["two\nlines", 'say "no"']]),
        ("sep=;\nquestion;reference\na,1;b\n", [["a,1", "b"]]),
        ("question\nfoo, bar?\nwhat; now | then?\n", [["foo, bar?"], ["what; now | then?"]]),
        ('question,reference\n5" pipe,NA\n', [['5" pipe', "NA"]]),
        ("question|reference\na, b; c|d\n", [["a, b; c", "d"]]),
        ("question,reference\na\u2028b,c\n", [["a\u2028b", "c"]]),
        (
            "question;reference;n\na, b, c;d, e;f\ng, h;i, j, k;l\n",
            [["a, b, c", "d, e", "f"], ["g, h", "i, j, k", "l"]],
        ),
    ],
)
def test_rows(text: str, rows: list[list[object]]) -> None:
    assert cells(text) == rows


def test_a_blank_cell_is_missing_and_the_only_one() -> None:
    assert cells("question,reference,id\na, ,NA\n") == [["a", None, "NA"]]


def test_bad_rows_are_left_out_with_their_lines() -> None:
    table = read_separated('question,reference\n"open,a\nfine?,yes\n"a" b,c\nq,1,2\n"two\nlines",x\nlast,y\n')
    assert [(row.place, row.number) for row in table.rows] == [("line 3", 2), ("line 6", 5), ("line 8", 6)]
    assert [entry.name for entry in table.skipped] == ["line 2", "line 4", "line 5"]
    assert table.skipped[0].reason.startswith("its quotes do not match")
    assert table.skipped[2].reason == "it has 3 cells, the header 2; put text that holds ',' in double quotes"


def test_a_quote_that_is_never_closed_costs_one_row() -> None:
    table = read_separated('question,reference\na,b\n"open,c\n' + "d,e\n" * 50)
    assert len(table.rows) == 51
    assert [entry.name for entry in table.skipped] == ["line 3"]


def test_a_column_that_is_there_twice() -> None:
    table = read_separated("question,reference,question\na,b,c\n")
    assert table.rows[0].values == {"question": "a", "reference": "b"}
    assert "column 'question' is there twice; the first is read" in table.notes


def test_a_very_long_cell() -> None:
    assert len(str(cells(f"question,contexts\na,{'x' * 300_000}\n")[0][1])) == 300_000


def test_many_broken_rows_do_not_take_long() -> None:
    begun = time.perf_counter()
    assert len(read_separated("question,reference\n" + '"a" b,c\n' * 20_000).skipped) == 20_000
    assert time.perf_counter() - begun < 5
