"""What the answerer quotes from a chunk is supported by that chunk, and changing it makes it unsupported."""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from rag_variants.llm.embedding import Vectors
from rag_variants.sample import sample_folder
from rag_variants.text.frequencies import TermFrequencies
from rag_variants.text.language import Language, detect_language
from rag_variants.text.statements import split_statements
from rag_variants.text.table_rows import cells_of, read_rows, said_cells, say_row
from rag_variants.types import Chunk, Hit
from rag_variants_embedded.answer.candidates import find_candidates
from rag_variants_embedded.answer.extractive import say_sentences
from rag_variants_embedded.judge.support import SupportJudge

TABLES = 200
# Long enough for a few paragraphs, short enough to cut tables from their headers.
CHUNK = 500


def embed(texts: Sequence[str]) -> Vectors:
    """One vector for all: closeness in meaning may not decide here."""
    return np.full((len(texts), 4), 0.5, dtype=np.float32)


JUDGE = SupportJudge(embed, TermFrequencies(0, {}))


def refused(answer: str, contexts: Sequence[str], language: Language) -> list[tuple[str, str, str | None]]:
    found = []
    for statement in split_statements(answer, "", language):
        verdict = JUDGE.judge(statement, contexts, language=language)
        if verdict.label != "supported":
            found.append((statement, verdict.label, verdict.veto))
    return found


def answers_of(text: str, language: Language) -> Iterator[str]:
    """Every extract alone, then three at a time, each with its citation at the end of its line."""
    candidates = find_candidates([Hit(1, Chunk("d.md", 0, len(text), text, language), 1.0)])
    yield from (say_sentences([one]).text for one in candidates)
    yield from (say_sentences(candidates[at : at + 3]).text for at in range(0, len(candidates), 3))


ROOMS = "# Rooms\n\n| Room | Fee |\n|---|---:|\n| Loft | 900 EUR |\n| Attic | 450 EUR |\n"
ERRORS = (
    "| Code | Status | Meaning |\n|---|---|---|\n"
    "| ERR-77 | 429 | 30 requests a minute are allowed, not 31; wait 60 s. Then retry |\n"
    "| ERR-78 | 503 | down for 2 minutes |\n"
)


@pytest.mark.parametrize(
    ("language", "text", "answer"),
    [
        ("en", ROOMS, "Room: Loft; Fee: 900 EUR [1]"),
        ("en", ROOMS, "Room: Loft; Fee: 900 EUR"),
        ("en", ROOMS, "Fee: 450 EUR; Room: Attic"),
        ("en", ROOMS, "| Loft | 900 EUR |"),
        ("en", "| Loft | 900 EUR |", "Loft | 900 EUR [1]"),
        ("en", ERRORS, "Code: ERR-77; Status: 429; Meaning: 30 requests a minute are allowed, not 31; wait 60 s. "
         "Then retry [1]"),
        ("en", ERRORS, "| ERR-78 | 503 | down for 2 minutes |"),
        ("en", "The tower opens at nine\n\nLudmila sells the tickets",
         "The tower opens at nine [1]\nLudmila sells the tickets [2]"),
        ("en", "Bring:\n- a lamp for each of 2 cellars\n- no dogs", "a lamp for each of 2 cellars [1]\nno dogs [1]"),
        ("pl", "| Pokój | Opłata |\n|:--|--:|\n| Strych | 24,00 zł |", "Pokój: Strych; Opłata: 24,00 zł [1]"),
        ("pl", "Wieża otwiera się o 9\n\nBilety sprzedaje Ludmiła",
         "Wieża otwiera się o 9 [1]\nBilety sprzedaje Ludmiła [1]"),
        ("zh", "| 房间 | 价格 |\n|---|---|\n| 阁楼 | 900元 |", "房间: 阁楼; 价格: 900元 [1]"),
        ("zh", "塔楼九点开门\n\n门票由李梅出售", "塔楼九点开门 [1]\n门票由李梅出售 [1]"),
        ("en", "A cancellation\nmust reach us within **thirty days**.",
         "A cancellation must reach us within thirty days. [1]"),
    ],
)  # fmt: skip
def test_a_copy_is_supported(language: Language, text: str, answer: str) -> None:
    assert split_statements(answer, "", language)
    assert refused(answer, text.split("\n\n"), language) == []


@pytest.mark.parametrize(
    ("language", "text", "answer"),
    [
        ("en", ROOMS, "Room: Loft; Fee: 450 EUR"),
        ("en", ROOMS, "Room: Attic; Fee: 900 EUR [1]"),
        ("en", ERRORS, "Code: ERR-78; Status: 429; Meaning: down for 2 minutes"),
        ("en", ERRORS, "Code: ERR-77; Status: 503"),
        ("pl", "| Pokój | Opłata |\n|---|---|\n| Strych | 24 zł |\n| Loft | 42 zł |", "Pokój: Strych; Opłata: 42 zł"),
        ("zh", "| 房间 | 价格 |\n|---|---|\n| 阁楼 | 900元 |\n| 大厅 | 300元 |", "房间: 阁楼; 价格: 300元"),
        ("en", "It is wrong that the tower opens at nine.", "The tower opens at ten."),
    ],
)
def test_a_row_put_together_from_two_is_refused(language: Language, text: str, answer: str) -> None:
    assert len(refused(answer, [text], language)) == 1


def test_a_row_in_one_chunk_with_its_header_in_another() -> None:
    assert refused("Room: Loft; Fee: 900 EUR [1][2]", ["| Room | Fee |\n|---|---|", "| Loft | 900 EUR |"], "en") == []


def test_every_extract_of_the_sample_is_supported_by_its_chunk() -> None:
    wrong = []
    for file in sorted(Path(sample_folder()).rglob("*.md")):
        text = file.read_text(encoding="utf-8")
        language = detect_language(text)
        for chunk in (text, *_cut(text)):
            wrong += [each for answer in answers_of(chunk, language) for each in refused(answer, [chunk], language)]
    assert wrong == []


def _cut(text: str) -> Iterator[str]:
    """Whole lines, up to so many characters."""
    kept = ""
    for line in text.splitlines(keepends=True):
        if kept and len(kept) + len(line) > CHUNK:
            yield kept
            kept = ""
        kept += line
    yield kept


HEADERS: dict[Language, tuple[str, ...]] = {
    "en": ("Part", "Max. load", "Price (net)", "Valid from", "Note", "No.", "Port / plug", ""),
    "pl": ("Część", "Maks. obciążenie", "Cena netto", "Ważne od", "Uwagi", "Nr", "Godz. otwarcia", ""),
    "zh": ("部件", "最大负荷", "价格（净）", "生效日期", "备注", "编号", "开放时间", ""),
}
NOTES: dict[Language, tuple[str, ...]] = {
    "en": ("not for outdoor use", "see ch. 4. Ask first", "on request; no refund", "a \\| b", "ratio 2:1", "**new**"),
    "pl": ("nie na zewnątrz", "zob. pkt 3. Pytać w biurze", "na życzenie; bez zwrotu", "a \\| b", "stosunek 2:1"),
    "zh": ("不适用于室外", "见第四章。请先询问", "按需提供；不退款", "甲 \\| 乙", "比例 2:1"),
}


def _cell(draw: random.Random, language: Language) -> str:
    number = draw.randrange(2, 99_999)
    money = {"en": f"EUR {number:,}.00", "pl": f"{number},50 zł", "zh": f"{number}元"}[language]
    return draw.choice(
        [f"LK-{number}", f"{number}", money, f"{number % 90 + 10} %", f"20{number % 90 + 10}-0{number % 9 + 1}-17",
         f"{number % 24}:30", "", "–", f"{number} kg", f"≤ {number} V", draw.choice(NOTES[language])]
    )  # fmt: skip


def _table(seed: int) -> tuple[Language, str]:
    draw = random.Random(seed)
    language: Language = draw.choice(("en", "pl", "zh"))
    columns = draw.sample(HEADERS[language], draw.randrange(2, 6))
    rule = "|".join(draw.choice(("---", ":--", "--:", ":-:", " --- ")) for _ in columns)
    rows = [[f"X-{seed}{row}", *(_cell(draw, language) for _ in columns[1:])] for row in range(draw.randrange(1, 6))]
    lines = [f"|{rule}|", *("| " + " | ".join(row) + " |" for row in rows)]
    return language, "\n".join(["| " + " | ".join(columns) + " |", *lines])


@pytest.mark.parametrize("seed", range(TABLES))
def test_every_row_of_a_table_is_supported_by_it(seed: int) -> None:
    language, text = _table(seed)
    answers = [*answers_of(text, language), *text.splitlines()[2:]]
    assert len(answers) > 1
    assert [each for answer in answers for each in refused(answer, [text], language)] == []


@pytest.mark.parametrize(
    ("line", "cells"),
    [("| a | b |", ("a", "b")), ("| a \\| b | c |", ("a | b", "c")), ("|a||", ("a", "")), ("| a | b", ("a", "b"))],
)
def test_cells(line: str, cells: tuple[str, ...]) -> None:
    assert cells_of(line) == cells


def test_a_row_is_said_and_read_back() -> None:
    (row,) = read_rows("| Room | Fee | Note |\n|---|---|---|\n| Loft | | quiet; warm |\n\nLoft")
    assert say_row(row.header, row.cells) == "Room: Loft; Note: quiet; warm"
    assert said_cells("Room: Loft; Note: quiet; warm") == (("Room", "Loft"), ("Note", "quiet; warm"))
    assert said_cells("It is open; it is free") == ()
