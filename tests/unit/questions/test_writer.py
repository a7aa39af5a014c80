"""Questions → JSONL and back."""

import json
import random
from pathlib import Path

import pytest

from rag_variants.errors import QuestionsError
from rag_variants.questions.reader import load_questions
from rag_variants.questions.writer import as_lines, write_questions
from rag_variants.types import Evidence, Question, Trap

TEXTS = [
    "NA",
    "None",
    "007",
    "1e5",
    "[Rent] is due",
    "['a']",
    '["a"]',
    "true",
    "null",
    "[",
    "a\u2028b",
    "zażółć",
    "退款",
    "=1+1",
]
TEXTS += ["__import__('os')", 'say "no"', "two\nlines", "\\n", "a,b;c\td|e", "🙂", "[[1]]", '{"a": 1}', "sep=;"]


def test_one_object_a_line() -> None:
    (line,) = as_lines([Question("1", "Ile?", None, False, tags=(("kind", "x"),))])
    assert json.loads(line) == {
        "id": "1",
        "user_input": "Ile?",
        "reference": None,
        "answerable": False,
        "tags": {"kind": "x"},
    }
    assert "\n" not in line


@pytest.mark.parametrize("seed", range(40))
def test_round_trip(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)

    def some(most: int) -> tuple[str, ...]:
        return tuple(chance.choice(TEXTS) for _ in range(chance.randint(0, most)))

    questions = tuple(
        Question(
            id=f"{chance.choice(TEXTS)} {number}".strip(),
            user_input=chance.choice(TEXTS),
            reference=chance.choice([None, *TEXTS]),
            answerable=chance.choice([None, True]),
            evidence=tuple(
                Evidence("a b/ż.md", f" {text} ", chance.randint(1, 3), chance.choice([None, text])) for text in some(3)
            ),
            answer_keys=tuple((*some(2), "x") for _ in range(chance.randint(0, 2))),
            avoid=some(2),
            traps=tuple(Trap("b.md", text, "twin") for text in some(2)),
            tags=tuple(sorted((name, chance.choice(TEXTS)) for name in ("kind", "Team", "language"))),
        )
        for number in range(3)
    )
    write_questions(questions, tmp_path / "out.jsonl")
    loaded = load_questions(tmp_path / "out.jsonl")
    assert loaded.questions == questions
    assert (loaded.skipped, loaded.notes) == ((), ())


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(QuestionsError, match=r"cannot be written .* Choose another place"):
        write_questions([Question("1", "q")], tmp_path / "no" / "out.jsonl")
