"""A variant that is no pipeline of ours through compare, its files and kept runs; what does not apply is a sentence."""

import json
from pathlib import Path

import pytest

from rag_variants.cli import main
from rag_variants.evaluation.compare import compare_runs
from rag_variants.evaluation.plan import make_plan
from rag_variants.evaluation.run import run_variant
from rag_variants.pipeline import VARIANTS, print_variant, read_variant
from rag_variants.settings import packaged
from rag_variants.storage.run_files import load_run
from tests.foreign import MEMO
from tests.making import WordVectors
from tests.plugins import Install

MINI = packaged("sample_kb") / "mini"
SOURCES = ["--kb", str(MINI / "documents"), "--questions", str(MINI / "questions.jsonl")]
COMPARE = ["compare", "keyword", "theirs:pages=1", *SOURCES, "--metrics", "retrieval,answer", "--quiet"]


@pytest.fixture(autouse=True)
def theirs(install: Install, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RAG_VARIANTS_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("rag_variants.llm.embedded.open_embedded", lambda name: WordVectors())
    install(VARIANTS, theirs="tests.foreign:Theirs")


def test_it_has_a_written_form_and_bounds_like_any_other() -> None:
    assert print_variant(read_variant("theirs:memo=off,pages=3")) == "theirs:pages=3,memo=off"
    assert read_variant("theirs").can == frozenset()


@pytest.mark.parametrize("ending", ["json", "csv", "md", "html"])
def test_its_comparison_is_written_in_every_form(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], ending: str
) -> None:
    file = tmp_path / f"found.{ending}"
    assert main([*COMPARE, "--out", str(file)]) == 0
    assert capsys.readouterr().err == ""
    text = file.read_text(encoding="utf-8")
    assert {"csv": "mini-001", "md": "theirs:pages=1"}.get(ending, MEMO) in text
    if ending == "json":
        document = json.loads(text)
        assert document["b"]["settings"] == {"pages": 1, "memo": True}
        assert document["b"]["versions"]["service"] == "theirs 7"
        first = document["rows"][0]["b"]
        assert (first["ranking"], first["hits"][1]["text"], first["timing_ms"]) == ([], MEMO, {"answer": 12.5})


def test_a_run_of_it_is_read_back_equal_and_compared(tmp_path: Path) -> None:
    file = tmp_path / "theirs.json"
    assert main(["run", "theirs:pages=1", *SOURCES, "--metrics", "retrieval", "--quiet", "--out", str(file)]) == 0
    run = load_run(file)
    assert run.variant == read_variant("theirs:pages=1")
    found = compare_runs(run, run)
    assert {each.delta.mean for each in found.metrics.values() if each.delta.n} == {0.0}


def test_what_an_ideal_search_could_find_is_not_known_of_it() -> None:
    plan = make_plan(MINI / "documents", MINI / "questions.jsonl", "retrieval")
    from rag_variants.pipeline.bench import open_bench

    scores = run_variant(read_variant("theirs"), plan, open_bench(plan.knowledge)).rows[0].scores
    assert scores["ndcg"].value is None
    assert "it is not known how this variant cuts the documents" in (scores["ndcg"].reason or "")
    assert scores["hit_rate"].value is not None


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (["ladder", "keyword", "theirs"], "so there is no way from A to B one setting at a time"),
        (["attribution", "theirs", "keyword"], "so its chunks cannot be answered as another one answers"),
    ],
)
def test_what_does_not_apply_is_a_sentence(command: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command, *SOURCES, "--metrics", "retrieval", "--quiet"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert f"Their service: it is no pipeline of ours, {why}" in shown.err
