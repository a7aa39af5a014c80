"""An endpoint called `house` that answers and judges, and the command line run against it."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from rag_variants.cli import main
from tests.stub import Request, Stub
from tests.ticking_clock import TickingClock

KEY = "sk-hidden-0123456789"
Said = Mapping[str, Any] | str


def schema_of(request: Request) -> str | None:
    """The name of the schema that a reply is asked for in, None for a reply in words."""
    form = request.body.get("response_format", {}).get("json_schema")
    if form is not None:
        return str(form["name"])
    titles = re.findall(r'"title": "(\w+)"', request.prompt.rpartition("of this schema and nothing else:")[2])
    return titles[-1] if titles else None


def data_of(request: Request) -> dict[str, Any]:
    """The input that ragas put at the end of its prompt."""
    text = re.search(r"\ninput: (\{(?:(?!\ninput: ).)*?\})\nOutput: (?!.*\ninput: )", request.prompt, re.DOTALL)
    assert text is not None
    return dict(json.loads(text[1]))


def asked_about(request: Request) -> str | None:
    """The question that an answer is asked for: `q07`; None for a call of the judge."""
    found = re.search(r"Question: How long is the stay (q\d+)\?$", request.prompt)
    return found[1] if found else None


def reply(request: Request, answer: str = "The stay is {} days [1].", **other: Said) -> str:
    """A reply to whatever this project asks; `other` replies by the name of their schema. Every verdict is 1."""
    name = schema_of(request)
    if name is None:
        return answer.format(asked_about(request))
    if name in other:
        given = other[name]
        return given if isinstance(given, str) else json.dumps(given)
    return json.dumps(_verdicts(name, request))


def _verdicts(name: str, request: Request) -> Mapping[str, Any]:
    if name == "SmallestReply":  # of `rag-variants check`
        return {"verdict": 1}
    data = data_of(request)
    if name == "StatementGeneratorOutput":
        return {"statements": [data["answer"]]}
    if name == "StatementVerdicts":
        return {"statements": [{"statement": each, "reason": "r", "verdict": 1} for each in data["statements"]]}
    if name == "UsefulnessVerdict":
        return {"reason": "r", "verdict": 1}
    if name == "AttributionVerdicts":
        return {"classifications": [{"statement": data["answer"], "reason": "r", "attributed": 1}]}
    assert name == "GuessedQuestion"
    return {"question": "How long is it?", "noncommittal": 0}


@dataclass
class Shown:
    """What a command left behind; `document` is what `--json` printed."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> dict[str, Any]:
        return dict(json.loads(self.out))

    def scores(self, metric: str = "faithfulness", side: str = "a") -> list[dict[str, Any]]:
        return [row[side]["scores"][metric] for row in self.document["rows"]]


class House:
    """Documents and questions q01… in a folder, and the settings of the endpoint."""

    def __init__(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, clock: TickingClock, read: Callable[[], tuple[str, str]]
    ) -> None:
        self.folder, self.clock = folder, clock
        self._monkeypatch, self._read = monkeypatch, read
        (folder / "kb").mkdir()
        for at in range(1, 5):
            (folder / "kb" / f"{at}.md").write_text(f"The stay is {at} days long in house {at}.\n", encoding="utf-8")

    def write_questions(self, count: int) -> None:
        """So many questions, each with a reference."""
        lines = [
            {"id": f"q{at:02}", "user_input": f"How long is the stay q{at:02}?", "reference": "The stay is 3 days."}
            for at in range(1, count + 1)
        ]
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (self.folder / "questions.jsonl").write_text(text, encoding="utf-8")

    def settle(self, stub: Stub, **limits: object) -> None:
        """Names the server as the endpoint."""
        for name, value in {"base_url": stub.url, "api_key": KEY, **limits}.items():
            self._monkeypatch.setenv(f"RAG_VARIANTS_ENDPOINTS__HOUSE__{name.upper()}", str(value))

    def run(
        self, *command: str, questions: int = 1, metrics: str = "faithfulness", judge: str = "house:judge"
    ) -> Shown:
        """`run` or `compare` as JSON."""
        self.write_questions(questions)
        sources = ["--kb", str(self.folder / "kb"), "--questions", str(self.folder / "questions.jsonl")]
        code = main([*command, *sources, "--metrics", metrics, "--judge", judge, "--json", "--quiet"])
        return Shown(code, *self._read())


def of_answers(requests: Sequence[Request]) -> list[str]:
    """The question of every call that asked for an answer, in their order."""
    return [about for request in requests if (about := asked_about(request)) is not None]
