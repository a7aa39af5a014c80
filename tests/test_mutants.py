"""The tool that makes conditions wrong: what it makes of each, and that a mutant is loaded in its module's place."""

from pathlib import Path

import pytest

from tools import mutants

SOURCE = '''"""Żółw."""
def f(a, b, c):
    if a:
        return [x for x in b if not x]
    return a < b <= c and "ż" in c
'''


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    path = tmp_path / "rag_variants" / "room" / "part.py"
    path.parent.mkdir(parents=True)
    path.write_text(SOURCE, encoding="utf-8")
    return path


def test_every_condition_is_made_wrong_in_each_of_its_ways(file: Path) -> None:
    found = {ways[0].before: [each.after for each in ways] for ways in mutants.sites(file)}
    assert found == {
        "a": ["not a"],
        "not x": ["x"],
        "a < b <= c and 'ż' in c": ["a < b <= c or 'ż' in c"],
        "a < b <= c": ["a <= b <= c", "a >= b <= c", "a < b < c", "a < b > c"],
        "'ż' in c": ["'ż' not in c"],
    }


def test_a_mutant_differs_in_its_condition_alone(file: Path) -> None:
    wrong = {each.after: each for ways in mutants.sites(file) for each in ways}["'ż' not in c"]
    assert wrong.source == SOURCE.replace('"ż" in c', "('ż' not in c)")
    assert (wrong.line, wrong.module, wrong.tests) == (5, "rag_variants.room.part", ("tests/unit/room",))


def test_a_sample_is_the_same_for_the_same_seed(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert mutants.choose(["room"], 3, seed=1) == mutants.choose(["room/part.py"], 3, seed=1)
    assert len(mutants.choose(["room"], 100, seed=1)) == 5
    assert capsys.readouterr().out.endswith("5 conditions in 1 files; 5 of them are made wrong, seed 1.\n")
