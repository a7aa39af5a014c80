"""`--forecast` asks nothing and names the calls that the same command then makes, in every command that has it."""

import json
from pathlib import Path

import pytest

from rag_variants.cli import main
from tests.stub import Stub, filled

A, B = "keyword:answerer=stub:small,top_k=1", "keyword:answerer=stub:small,top_k=2,prompt=free"
QUESTIONS = [
    {"id": each, "user_input": f"What of the {each}?", "reference": f"The {each} is so."}
    for each in ("deposit", "refund")
]


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    folder = tmp_path / "documents"
    folder.mkdir()
    for name, text in {
        "deposit": "The deposit is 450 EUR, no refund.",
        "refund": "A refund of the deposit takes 14 days.",
    }.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    (tmp_path / "questions.jsonl").write_text("\n".join(map(json.dumps, QUESTIONS)), encoding="utf-8")
    monkeypatch.setenv("RAG_VARIANTS_HOME", str(tmp_path / "home"))
    return ["--kb", str(folder), "--questions", str(tmp_path / "questions.jsonl"), "--quiet", "--json"]


@pytest.mark.parametrize(
    "command",
    [
        ["run", A],
        ["compare", A, B],
        ["compare", A, B, "--repeats", "2"],
        ["ladder", A, B],
        ["questions-needed", A, B],
        ["attribution", A, B],
    ],
    ids=lambda command: " ".join(part for part in command if "stub" not in part),
)
def test_the_forecast_is_what_the_command_then_asks(command, sources, monkeypatch, capsys):
    with Stub(filled) as stub:
        monkeypatch.setenv("RAG_VARIANTS_ENDPOINTS__STUB__BASE_URL", stub.url)
        whole = [*command, *sources, "--metrics", "faithfulness,mrr", "--judge", "stub:large"]
        assert main([*whole, "--forecast"]) == 0
        forecast = json.loads(capsys.readouterr().out)
        assert stub.requests == []
        assert main(whole) == 0
        assert sum(need["calls"] for need in forecast["calls"].values()) == len(stub.requests) > 0


def test_the_forecast_of_a_ladder_counts_every_rung_and_no_kept_run(sources, monkeypatch, capsys):
    with Stub(filled) as stub:
        monkeypatch.setenv("RAG_VARIANTS_ENDPOINTS__STUB__BASE_URL", stub.url)
        whole = [*sources, "--metrics", "mrr", "--forecast"]
        calls = []
        for sides in ([A, A], [A, B]):
            assert main(["ladder", *sides, *whole]) == 0
            calls.append(sum(need["calls"] for need in json.loads(capsys.readouterr().out)["calls"].values()))
    # Two questions: A alone asks 2 answers; the rungs A, top_k=2, and prompt=free on top ask 2 each.
    assert calls == [2, 3 * 2]


def test_a_without_any_difference_from_itself(sources, monkeypatch, capsys):
    with Stub(filled) as stub:
        monkeypatch.setenv("RAG_VARIANTS_ENDPOINTS__STUB__BASE_URL", stub.url)
        judged = ["--metrics", "faithfulness,mrr", "--judge", "stub:large"]
        assert main(["compare", A, A, *sources, *judged]) == 0
    document = json.loads(capsys.readouterr().out)
    deltas = [each["delta"] for each in document["metrics"].values()]
    assert deltas and all(each["mean"] in (0, None) for each in deltas)
    assert not {each["verdict"] for each in deltas} & {"better", "worse"}
