"""What docs/gates.md and the workflow beside it say can be done, done."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

from rag_variants.cli import main
from rag_variants.cli.exits import COULD_NOT_START, DONE, INTERRUPTED, NOT_MET, UNDECIDED
from rag_variants.evaluation.gates.requirements import RequirementError, read_requirement
from rag_variants.settings import Settings

DOCS = Path(__file__).parent.parent / "docs"
GATES = (DOCS / "gates.md").read_text(encoding="utf-8")
WORKFLOW = yaml.safe_load((DOCS / "gate-workflow.yml").read_text(encoding="utf-8"))
STEPS = WORKFLOW["jobs"]["gate"]["steps"]
FACTS = {
    "How much is the deposit for a studio?": ("The deposit for a studio is 450 EUR.", "450"),
    "How many days does a refund take?": ("A refund takes 14 days.", "14"),
    "At which desk do visitors register?": ("Visitors register at desk 3.", "3"),
    "How many messages does the Orchard plan include?": ("The Orchard plan includes 200 messages.", "200"),
    "What does ERR-4031 mean?": ("ERR-4031 means that the token has expired.", "expired"),
    "What does parking in the yard cost?": ("Parking in the yard costs 5 EUR a day.", "5 EUR"),
    "How long does the battery of the logger last?": ("The battery of the logger lasts 6 years.", "6 years"),
    "When does the safety course begin?": ("The safety course begins at 9:30.", "9:30"),
}


@pytest.fixture
def own_base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Eight documents and as many questions, each answered by one of them."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RAG_VARIANTS_HOME", str(tmp_path / "home"))
    (tmp_path / "my-documents").mkdir()
    questions: list[dict[str, Any]] = []
    for at, (asked, (text, key)) in enumerate(FACTS.items()):
        (tmp_path / "my-documents" / f"{at}.md").write_text(text + "\n", encoding="utf-8")
        known = {"reference": text, "answerable": True, "answer_keys": [[key]]}
        questions.append({"user_input": asked, **known, "evidence": [{"document": f"{at}.md", "quote": text}]})
    lines = [json.dumps(each) for each in questions]
    (tmp_path / "my-questions.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path


def command_of(text: str) -> list[str]:
    return shlex.split(text)[1:]


def shell_commands() -> list[str]:
    blocks = re.findall(r"^```sh\n(.*?)^```$", GATES, re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line.strip()]


def test_the_workflow_runs_as_far_as_its_commands_go(own_base: Path) -> None:
    comment = (DOCS / "gate-workflow.yml").read_text(encoding="utf-8")
    made_with = re.search(r"Made once with: (.*)", comment)
    assert made_with
    assert main([*command_of(made_with[1]), "--quiet"]) == DONE
    (gate,) = [step["run"] for step in STEPS if "rag-variants compare" in step.get("run", "")]
    assert main(command_of(gate)) == DONE
    kept = next(step["with"]["path"] for step in STEPS if "upload-artifact" in step.get("uses", "")).split()
    assert all((own_base / name).stat().st_size for name in [*kept, "result.md"])
    requirements = json.loads((own_base / "result.json").read_text(encoding="utf-8"))["requirements"]
    assert [each["outcome"] for each in requirements] == ["met"] * 3
    assert main(command_of(gate.replace(">=0.9", ">1"))) == NOT_MET
    assert "✗ not met" in (own_base / "result.md").read_text(encoding="utf-8")


def test_what_is_shown_and_kept_is_also_shown_when_the_gate_fails() -> None:
    after = STEPS[[("rag-variants compare" in step.get("run", "")) for step in STEPS].index(True) + 1 :]
    assert after
    assert all(step["if"] == "always()" for step in after)


def test_the_commands_shown_run(own_base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    commands = [command_of(line) for line in shell_commands()]
    assert {command[0] for command in commands} == {"run", "compare", "runs", "show"}
    key = "ID"
    for command in commands:
        assert main([key if part == "ID" else part for part in command]) == DONE, (command, capsys.readouterr().err)
        if command == ["runs"]:
            key = next(line.split()[0] for line in capsys.readouterr().out.splitlines() if " hybrid " in line)


def test_the_table_of_codes_is_that_of_the_code() -> None:
    named = [int(code) for code in re.findall(r"^\| (\d+) \|", GATES, re.MULTILINE)]
    assert named == [DONE, NOT_MET, COULD_NOT_START, UNDECIDED, INTERRUPTED]
    assert f"Beyond {Settings().runs_kept} " in GATES


def test_every_requirement_shown_can_be_read() -> None:
    shown = re.findall(r"`([^`\n]*(?:not worse|[<>]=)[^`\n]*)`", GATES) + re.findall(r'--require "([^"]+)"', GATES)
    whole = [text for text in shown if not text.startswith(("…", "-", ">", "<"))]
    assert len(whole) >= 5
    for text in whole:
        try:
            read_requirement(text)
        except RequirementError as error:
            raise AssertionError(text) from error
