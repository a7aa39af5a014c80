"""A small knowledge base of a test's own, and the home page over it in Streamlit's AppTest."""

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest, local_script_runner

APP = Path(__file__).parents[2] / "app.py"
DOCUMENTS = {
    "returns.md": "# Returns\n\nGoods can be returned within 14 days. The label is valid for 10 days.",
    "plans.md": "# Plans\n\nThe Orchard plan includes 200 text messages a month. A further message costs 0.11 EUR.",
    "codes.md": "# Codes\n\nERR-4031 means that the token has expired. Sign in again to get a new token.",
    "visits.md": "# Visits\n\nThe office is open on weekdays from 9 to 17. Visitors register at the desk.",
}
QUESTIONS: list[dict[str, Any]] = [
    {
        "id": "q1", "user_input": "Within how many days can goods be returned?", "reference": "Within 14 days.",
        "answerable": True, "answer_keys": [["14 days"]], "tags": {"kind": "lookup", "language": "en"},
        "evidence": [{"document": "returns.md", "quote": "Goods can be returned within 14 days."}],
    },
    {
        "id": "q2", "user_input": "What does ERR-4031 mean?", "reference": "The token has expired.",
        "answerable": True, "answer_keys": [["expired"]], "tags": {"kind": "exact_id", "language": "en"},
        "evidence": [{"document": "codes.md", "quote": "ERR-4031 means that the token has expired."}],
    },
    {
        "id": "q3", "user_input": "When may guests come by?", "reference": "On weekdays from 9 to 17.",
        "answerable": True, "answer_keys": [["9 to 17"]], "tags": {"kind": "paraphrase", "language": "en"},
        "evidence": [{"document": "visits.md", "quote": "The office is open on weekdays from 9 to 17."}],
    },
]  # fmt: skip


def write_base(
    folder: Path, documents: dict[str, str] = DOCUMENTS, questions: list[dict[str, Any]] = QUESTIONS
) -> dict[str, str]:
    """Writes documents and questions; the URL parameters that choose them, with metrics that need no judge."""
    (folder / "documents").mkdir(parents=True)
    for name, text in documents.items():
        (folder / "documents" / name).write_text(text, encoding="utf-8")
    lines = [json.dumps(question, ensure_ascii=False) for question in questions]
    (folder / "questions.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return {"kb": str(folder / "documents"), "questions": str(folder / "questions.jsonl"), "metrics": "retrieval"}


def visit(parameters: Mapping[str, str], page_file: str | None = None) -> AppTest:
    """A page (by default the home page) at URL parameters, run until nothing is left to do."""
    page = AppTest.from_file(str(APP), default_timeout=120)
    if page_file:
        page.switch_page(page_file)
    for name, value in parameters.items():
        page.query_params[name] = value
    page.run()
    assert not page.exception
    return page


@pytest.fixture(scope="session", autouse=True)
def quick_visits() -> Iterator[None]:
    """Streamlit's own work around each visit, once or not at all: a quarter of what these tests took.

    AppTest reads the metadata of all installed packages for each visit, to find custom components; they are the same
    every time. It looks a thousand times a second whether a script has ended, through all events so far; the end of
    its thread says so too.
    """
    find, look = manifest_scanner.scan_component_manifests, local_script_runner.require_widgets_deltas

    def wait(runner: local_script_runner.LocalScriptRunner, timeout: float = 3) -> None:
        if runner._script_thread is not None:
            runner._script_thread.join(timeout)
        look(runner, 0.01)  # raises unless it has ended

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(find))
        patch.setattr(local_script_runner, "require_widgets_deltas", wait)
        yield


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, remembered_vectors: None) -> None:
    """A state folder of the test's own, and nothing kept from other tests but the encoder's work."""
    monkeypatch.setenv("RAG_VARIANTS_HOME", str(tmp_path / "home"))
    st.cache_resource.clear()


@pytest.fixture
def base(tmp_path: Path) -> dict[str, str]:
    return write_base(tmp_path / "base")


OpenPage = Callable[[dict[str, str]], AppTest]


@pytest.fixture
def open_page() -> OpenPage:
    """Opens the home page at URL parameters and runs it until its result is there."""

    def open_at(parameters: dict[str, str]) -> AppTest:
        return visit(parameters)

    return open_at
