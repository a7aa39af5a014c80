"""The contract of every format of question files, and formats of other packages."""

from pathlib import Path

import pytest

from rag_variants.errors import QuestionsError
from rag_variants.questions.importers import IMPORTERS
from rag_variants.questions.reader import load_questions
from rag_variants.questions.rows import read_rows
from rag_variants.questions.table import Table

ODD = [
    b"",
    b"  \n",
    b"\x00",
    b"[",
    b"{}",
    b"[1, 2]",
    b'{"a":',
    bytes(range(256)) * 20,
    b"a\tb\n1\t2\n",
    b'"',
    b"\xed\xa0\x80",
]


@pytest.mark.parametrize("name", IMPORTERS)
def test_every_format_says_which_files_it_reads(name: str) -> None:
    importer = IMPORTERS[name]
    assert importer.endings
    for ending in importer.endings:
        assert ending == ending.lower() and ending.startswith(".")
        assert IMPORTERS.of(ending) is IMPORTERS.of(ending.upper()) is importer


@pytest.mark.parametrize("data", ODD, ids=repr)
@pytest.mark.parametrize("name", IMPORTERS)
def test_bytes_become_rows_or_a_sentence(name: str, data: bytes, tmp_path: Path) -> None:
    path = tmp_path / f"asked{IMPORTERS[name].endings[0]}"
    path.write_bytes(data)
    try:
        table = read_rows(path)
    except QuestionsError as error:
        said = str(error)
    else:
        said = f"{path} was read."
        check_table(table)
    assert str(path) in said
    assert said.endswith(".")


def check_table(table: Table) -> None:
    assert isinstance(table, Table)
    assert [row.number for row in table.rows] == sorted({row.number for row in table.rows})
    assert all(row.place.split()[-1].isdigit() for row in (*table.rows,))
    assert all(each.reason for each in table.skipped)


@pytest.mark.parametrize("name", IMPORTERS)
def test_a_question_is_the_same_in_every_format(name: str, tmp_path: Path) -> None:
    """The three questions as each format writes them."""
    texts = ["When does it open?", "Kiedy otwiera się biuro?", "几点开门？"]
    written = {
        ".jsonl": "".join(f'{{"question": "{text}"}}\n' for text in texts),
        ".json": "[" + ", ".join(f'{{"question": "{text}"}}' for text in texts) + "]",
        ".csv": "question,id\n" + "".join(f"{text},{at}\n" for at, text in enumerate(texts)),
        ".tsv": "question\tid\n" + "".join(f"{text}\t{at}\n" for at, text in enumerate(texts)),
    }
    ending = IMPORTERS[name].endings[0]
    if ending not in written:
        pytest.skip("a format of another package")
    path = tmp_path / f"asked{ending}"
    path.write_text(written[ending], encoding="utf-8")
    found = load_questions(path)
    assert [question.user_input for question in found.questions] == texts
    assert found.skipped == ()


def test_a_format_of_another_package_is_read(tmp_path: Path, install) -> None:
    path = tmp_path / "asked.pairs"
    path.write_text("q1 = When does it open?\nnothing\nq2 = When does it close?\n", encoding="utf-8")
    with pytest.raises(QuestionsError, match=r"is not read\. Save it as one of \.jsonl"):
        load_questions(path)
    install(IMPORTERS, pairs="tests.unit.plugin_formats:PAIRS")
    found = load_questions(path)
    assert [(each.id, each.user_input) for each in found.questions] == [
        ("q1", "When does it open?"),
        ("q2", "When does it close?"),
    ]
    assert [(each.name, each.reason) for each in found.skipped] == [
        ("line 2", "it has no equals sign; write id = question")
    ]
    assert found.notes == ("read as pairs", "question → user_input")


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("REFUSING", "cannot be read as pairs: its sheet is locked. Mend it, or save it as .jsonl or .csv."),
        ("BREAKING", "cannot be read as pairs: KeyError: 'page'. Mend it"),
        ("NO_TABLE", "cannot be read as pairs: TypeError: it gave '[]', which is no Table. Mend it"),
    ],
)
def test_an_importer_that_breaks_is_a_sentence(tmp_path: Path, install, target: str, said: str) -> None:
    install(IMPORTERS, extra=f"tests.unit.plugin_formats:{target}")
    path = tmp_path / "asked.pairs"
    path.write_text("q1 = When?", encoding="utf-8")
    with pytest.raises(QuestionsError) as raised:
        load_questions(path)
    assert said in str(raised.value)


def test_an_ending_that_is_read_already_is_nobody_elses(install) -> None:
    separated = IMPORTERS.of(".csv")
    install(IMPORTERS, extra="tests.unit.plugin_formats:TAKEN_ENDING")
    assert IMPORTERS.of(".csv") is separated
    [sentence] = IMPORTERS.left_out
    assert "takes '.csv', which is in use, so it is left out" in sentence
