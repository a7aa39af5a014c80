"""The cases H-16, H-17 and H-18 of imported question sets."""

import json
from pathlib import Path

import pytest

from rag_variants.corpus.knowledge import KnowledgeBase
from rag_variants.errors import QuestionsError
from rag_variants.questions.gold import locate_evidence
from rag_variants.questions.reader import load_questions
from rag_variants.questions.writer import write_questions
from rag_variants.types import Chunk, Document

EXCEL = '\ufeffquestion;reference\r\nIle dni mam na zwrot, dokładnie?;30 dni\r\n"Czy kwota 1;5 jest poprawna?";nie\r\n'
NA = """id,question,reference,reference_context_ids
007,Country code of Namibia?,NA,0012
008,What is the default of retries?,None,
009,Is 1e5 a valid code?,1e5,0013
"""


def test_h16_saved_by_a_european_excel(tmp_path: Path) -> None:
    (tmp_path / "qs.csv").write_bytes(EXCEL.encode())
    loaded = load_questions(tmp_path / "qs.csv")
    assert [(question.user_input, question.reference) for question in loaded.questions] == [
        ("Ile dni mam na zwrot, dokładnie?", "30 dni"),
        ("Czy kwota 1;5 jest poprawna?", "nie"),
    ]
    assert loaded.notes == ("columns are separated by ';' (guessed)", "question → user_input")
    assert loaded.skipped == ()


@pytest.mark.parametrize(("mark", "told"), [("\t", "tab"), ("|", "'|'"), (",", "','")])
def test_h16_other_separators(tmp_path: Path, mark: str, told: str) -> None:
    text = f'question{mark}reference\r\n"Ile dni, dokładnie{mark}?"{mark}30 dni\r\n'
    (tmp_path / "qs.csv").write_bytes(text.encode())
    loaded = load_questions(tmp_path / "qs.csv")
    assert (loaded.questions[0].user_input, loaded.questions[0].reference) == (f"Ile dni, dokładnie{mark}?", "30 dni")
    assert loaded.notes[0] == f"columns are separated by {told} (guessed)"


def test_h16_no_question_column(tmp_path: Path) -> None:
    (tmp_path / "qs.csv").write_text("pytanie;odpowiedz\na;b\n")
    with pytest.raises(QuestionsError, match="columns found: pytanie, odpowiedz"):
        load_questions(tmp_path / "qs.csv")


def test_h17_na_none_and_007_are_data(tmp_path: Path) -> None:
    (tmp_path / "qs.csv").write_text(NA)
    loaded = load_questions(tmp_path / "qs.csv")
    assert [question.id for question in loaded.questions] == ["007", "008", "009"]
    assert [question.reference for question in loaded.questions] == ["NA", "None", "1e5"]
    assert [[each.document for each in question.evidence] for question in loaded.questions] == [["0012"], [], ["0013"]]


def test_h17_import_export_import_is_equal(tmp_path: Path) -> None:
    (tmp_path / "qs.csv").write_text(NA)
    first = load_questions(tmp_path / "qs.csv")
    write_questions(first.questions, tmp_path / "out.jsonl")
    assert load_questions(tmp_path / "out.jsonl") == first


def test_h17_every_format_gives_the_same(tmp_path: Path) -> None:
    (tmp_path / "qs.csv").write_text(NA)
    names, *rows = [line.split(",") for line in NA.splitlines()]
    entries = [{name: value for name, value in zip(names, row, strict=True) if value} for row in rows]
    (tmp_path / "qs.jsonl").write_text("\n".join(map(json.dumps, entries)))
    (tmp_path / "qs.json").write_text(json.dumps([entry | {"zip": None} for entry in entries]))
    loaded = [load_questions(tmp_path / name) for name in ("qs.csv", "qs.jsonl", "qs.json")]
    assert loaded[0] == loaded[1] == loaded[2]


def test_h17_a_number_in_json_matches_the_text(tmp_path: Path) -> None:
    (tmp_path / "qs.jsonl").write_text('{"id": 12, "question": "q", "reference_context_ids": [12, "0012"]}')
    (question,) = load_questions(tmp_path / "qs.jsonl").questions
    assert (question.id, [each.document for each in question.evidence]) == ("12", ["12", "0012"])


def test_h17_the_right_hit_counts_whole(tmp_path: Path) -> None:
    (tmp_path / "qs.csv").write_text(NA)
    question = load_questions(tmp_path / "qs.csv").questions[0]
    base = KnowledgeBase("kb", (Document("0012.txt", "Namibia: NA", "0012", "en"), Document("12.txt", "x", "12", "en")))
    gold = locate_evidence(question, base)
    assert gold.covered_share(1, [Chunk("0012.txt", 0, 11, "Namibia: NA", "en")]) == 1.0
    assert gold.covered_share(1, [Chunk("12.txt", 0, 1, "x", "en")]) == 0.0


def test_h18_older_names(tmp_path: Path) -> None:
    (tmp_path / "qs.csv").write_text(
        'question,answer,contexts,ground_truths\nq1,a1,"[""c1""]","[""30 days""]"\n'
        "q2,a2,,\"['30 days', 'a month']\"\n"
    )
    loaded = load_questions(tmp_path / "qs.csv")
    assert [question.reference for question in loaded.questions] == ["30 days", "30 days a month"]
    assert loaded.skipped == ()
    assert loaded.notes[1:] == (
        "question → user_input",
        "answer → response: read, but not used in a comparison, because variants answer themselves",
        "contexts → retrieved_contexts: read, but not used in a comparison, because variants retrieve themselves",
        "ground_truths → reference",
        "several references of one row are joined with a blank (line 3)",
    )


@pytest.mark.parametrize(
    "column", ["question", "ground_truths", "contexts", "reference", "avoid", "reference_contexts"]
)
def test_h18_a_cell_is_never_run_as_code(tmp_path: Path, column: str) -> None:
    cell = "__import__('os').system('touch ran')"
    header = "question," + column if column != "question" else "question,id"
    (tmp_path / "qs.csv").write_text(f'{header}\n"{cell if column == "question" else "q"}","{cell}"\n')
    (question,) = load_questions(tmp_path / "qs.csv").questions
    kept = {
        "question": question.user_input,
        "ground_truths": question.reference,
        "reference": question.reference,
        "avoid": "".join(question.avoid),
        "reference_contexts": "".join(each.quote for each in question.evidence),
        "contexts": cell,
    }
    assert kept[column] == cell
    assert not Path("ran").exists()
