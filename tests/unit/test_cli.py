"""The command line: results on standard output, progress and mistakes on standard error, exit codes."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from rag_variants.cli import main
from rag_variants.experiment.run import Experiment, Progress

DOCUMENTS = {
    "refunds.md": "# Refunds\n\nA refund is paid within 14 days.\n",
    "parking.md": "# Parking\n\nParking is free for guests.\n",
    "codes.md": "# Codes\n\nERR-4031 means that the certificate has expired.\n",
}
QUESTIONS = [
    {
        "id": "q1",
        "user_input": "When is a refund paid?",
        "evidence": [{"document": "refunds.md", "quote": "A refund is paid within 14 days."}],
        "tags": {"area": "billing"},
    },
    {
        "id": "q2",
        "user_input": "=cmd: is parking free?",
        "evidence": [{"document": "parking.md", "quote": "Parking is free for guests."}],
        "tags": {"area": "site"},
    },
]


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RAG_VARIANTS_HOME", str(tmp_path / "home"))
    folder = tmp_path / "documents"
    folder.mkdir()
    for name, text in DOCUMENTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    lines = "\n".join(json.dumps(question) for question in QUESTIONS)
    (tmp_path / "questions.jsonl").write_text(lines, encoding="utf-8")
    return tmp_path


def options(base: Path) -> list[str]:
    return ["--kb", str(base / "documents"), "--questions", str(base / "questions.jsonl"), "--metrics", "retrieval"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["compare", "bm25", "keyword"], "Known: keyword, vector, hybrid"),
        (["compare", "keyword:top_k=0", "keyword"], "1 to 50"),
        (["compare", "keyword", "keyword", "--kb", "no/such/folder", "--questions", "q.jsonl"], "no/such/folder"),
        (["compare", "keyword", "keyword", "--kb", "documents"], "no questions for them"),
        (["compare", "keyword", "keyword", "--kb", "empty", "--questions", "questions.jsonl"], "empty"),
        (["compare", "keyword", "keyword", "--questions", "missing.jsonl"], "missing.jsonl"),
        (["compare", "keyword", "keyword", "--metrics", "recal"], "recal"),
        (["compare", "keyword", "keyword", "--slice", "language"], "TAG=VALUE"),
        (["compare", "keyword", "keyword", "--slice", "language=de"], "language=pl"),
        (["compare", "keyword", "keyword", "--judge", "oracle"], "oracle"),
        (["compare", "keyword", "keyword", "--out", "result.xlsx"], ".json, .csv, .md"),
        (["compare", "keyword", "keyword", "--out", "no/such/folder/result.json"], "does not exist"),
        (["run", "missing.json"], "missing.json"),
        (["compare", "questions.jsonl.json", "keyword"], "questions.jsonl.json"),
    ],
)
def test_what_cannot_start_says_why_in_one_sentence_and_exits_2(
    base: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    monkeypatch.chdir(base)
    (base / "empty").mkdir()
    before = sorted(base.rglob("*"))
    assert main([*arguments, "--quiet"]) == 2
    shown = capsys.readouterr()
    assert says in shown.err
    assert "Traceback" not in shown.err
    assert shown.out == ""
    assert sorted(base.rglob("*")) == before


def test_a_state_folder_that_cannot_be_made_is_named(
    base: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (base / "home").write_text("a file where the folder should be", encoding="utf-8")
    assert main(["compare", "keyword", "vector", *options(base), "--quiet"]) == 2
    assert "RAG_VARIANTS_HOME" in capsys.readouterr().err


def test_a_broken_line_is_listed_and_the_others_live(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (base / "questions.jsonl").open("a", encoding="utf-8") as file:
        file.write("\n{broken\n")
    assert main(["run", "keyword", *options(base), "--json", "--quiet"]) == 0
    shown = capsys.readouterr()
    assert "line 3" in shown.err
    assert [row["id"] for row in json.loads(shown.out)["rows"]] == ["q1", "q2"]


def test_json_holds_no_nan_and_every_metric_on_every_row(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "keyword", "keyword:top_k=1", *options(base), "--json", "--quiet"]) == 0
    found = json.loads(capsys.readouterr().out, parse_constant=lambda name: pytest.fail(name))
    assert found["schema"] == "rag-variants/comparison/1"
    assert found["metrics"]["hit_rate"]["delta"]["mean"] == 0
    assert all(set(row["a"]["scores"]) == set(row["b"]["scores"]) for row in found["rows"])


def test_files_are_written_whole_and_formulas_are_text(base: Path) -> None:
    targets = [base / name for name in ("r.json", "r.csv", "r.md")]
    out = [part for target in targets for part in ("--out", str(target))]
    assert main(["compare", "keyword", "keyword:top_k=1", *options(base), *out, "--quiet"]) == 0
    assert json.loads(targets[0].read_text(encoding="utf-8"))["complete"] is True
    rows = list(csv.DictReader(io.StringIO(targets[1].read_text(encoding="utf-8"))))
    assert {row["question"][0] for row in rows if row["id"] == "q2"} == {"'"}
    assert "| Found it? | Hit rate |" in targets[2].read_text(encoding="utf-8")
    assert not list(base.glob("*.part"))


def test_slice_and_limit_restrict_the_run(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "keyword", *options(base), "--slice", "area=site", "--json", "--quiet"]) == 0
    assert [row["id"] for row in json.loads(capsys.readouterr().out)["rows"]] == ["q2"]
    assert main(["run", "keyword", *options(base), "--limit", "1", "--json", "--quiet"]) == 0
    assert [row["id"] for row in json.loads(capsys.readouterr().out)["rows"]] == ["q1"]


def test_a_kept_run_compares_like_a_fresh_one(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = str(base / "kept.json")
    assert main(["run", "keyword", *options(base), "--out", kept, "--quiet"]) == 0
    capsys.readouterr()
    shown = []
    for side in (kept, "keyword"):
        assert main(["compare", side, "keyword:top_k=1", *options(base), "--json", "--quiet"]) == 0
        shown.append(json.loads(capsys.readouterr().out)["metrics"])
    assert shown[0] == shown[1]


def test_runs_over_unlike_questions_are_refused(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = str(base / "kept.json")
    assert main(["run", "keyword", *options(base), "--limit", "1", "--out", kept, "--quiet"]) == 0
    assert main(["compare", kept, "keyword", *options(base), "--quiet"]) == 2
    assert "differ in questions" in capsys.readouterr().err


def test_an_interrupted_run_keeps_what_was_finished(
    base: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = Experiment.steps

    def interrupted(self: Experiment) -> Iterator[Progress]:
        for step in whole(self):
            yield step
            if step.step == "questions":
                raise KeyboardInterrupt

    monkeypatch.setattr(Experiment, "steps", interrupted)
    assert main(["compare", "keyword", "keyword:top_k=1", *options(base), "--json", "--quiet"]) == 130
    found = json.loads(capsys.readouterr().out)
    assert found["complete"] is False
    assert [row["id"] for row in found["rows"]] == ["q1"]


def test_list_and_check_name_everything(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    shown = capsys.readouterr().out
    assert all(word in shown for word in ("hybrid", "rrf_k", "faithfulness", "embedded", "on or off"))
    assert main(["check", "--kb", str(base / "documents"), "--questions", str(base / "questions.jsonl")]) == 0
    assert "3 documents, 2 questions" in capsys.readouterr().out
