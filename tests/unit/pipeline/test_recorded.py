"""Recorded answers: which one is replayed, what is said where none is, and what a broken line costs."""

import json
from pathlib import Path
from typing import Any

import pytest

from rag_variants.pipeline import read_variant
from rag_variants.pipeline.answer import found_answerers, open_answerer
from rag_variants.pipeline.answer.recording_lines import RecordedAnswer, RecordingError
from rag_variants.pipeline.answer.recordings import (
    load_recording,
    print_recording,
    recording_folders,
    recording_names,
    recording_stamp,
)
from rag_variants.pipeline.records import answer_question
from rag_variants.settings import Settings, packaged
from rag_variants.types import Answer, Fault, Question
from tests.making import bench

TEXTS = {"a.md": "The deposit is 450 EUR.", "b.md": "A refund takes 14 days."}
QUESTION = "What is the deposit?"
FOUND = "a.md:0-23"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RAG_VARIANTS_HOME", str(tmp_path))
    (tmp_path / "recorded").mkdir()
    return tmp_path


def keep(home: Path, *lines: Any, name: str = "replies") -> Path:
    path = home / "recorded" / f"{name}.jsonl"
    path.write_text("\n".join(each if isinstance(each, str) else json.dumps(each) for each in lines), encoding="utf-8")
    return path


def ask(question: str = QUESTION, variant: str = "keyword:top_k=1"):
    place, chosen = bench(TEXTS), read_variant(f"{variant},answerer=recorded:replies")
    return answer_question(chosen, Question("q", question), place, open_answerer(chosen, place))


def test_an_answer_is_replayed_with_what_is_known_of_it(home: Path):
    line = {
        "user_input": f" {QUESTION}\n",
        "answer": "450 EUR [1]",
        "citations": [1],
        "origin": {"model": "m", "created": 5},
    }
    keep(home, line)
    assert ask().answer == Answer("450 EUR [1]", citations=(1,), origin=(("model", "m"), ("created", "5")))


def test_chunks_go_before_the_variant_and_the_variant_before_neither(home: Path):
    for_any = {"user_input": QUESTION, "answer": "any"}
    for_variant = {"user_input": QUESTION, "answer": "variant", "variant": "keyword:top_k=1,answerer=embedded:digest"}
    for_chunks = {"user_input": QUESTION, "answer": "chunks", "variant": "vector", "chunks": [FOUND]}
    keep(home, for_any, for_variant, for_chunks)
    assert ask().answer.text == "chunks"
    keep(home, for_any, for_variant, {**for_chunks, "chunks": ["a.md:0-9"]})
    assert ask().answer.text == "variant"
    assert ask(variant="keyword:top_k=2").answer.text == "any"


def test_a_question_without_an_answer_is_an_error_of_its_row(home: Path):
    keep(home, {"user_input": "Another?", "answer": "yes"}, "{")
    record = ask()
    assert record.answer is None
    assert "holds no answer to this question. 1 of its lines cannot be read" in record.error
    assert "choose another answerer" in record.error
    assert [hit.chunk.id for hit in record.hits] == [FOUND], "what was found stays"


def test_other_chunks_are_an_error_and_no_answer(home: Path):
    keep(home, {"user_input": QUESTION, "answer": "x", "chunks": ["b.md:0-23"], "variant": "vector"})
    record = ask()
    assert record.answer is None
    assert "from other chunks than were found here. It holds answers for vector." in record.error


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "it is not JSON"),
        ("[1]", "it is no JSON object"),
        ({"answer": "x"}, "it has no user_input"),
        ({"user_input": "x", "answer": " "}, "it has no answer"),
        ({"user_input": "x", "answer": "y", "declined": "no"}, "use true or false"),
        ({"user_input": "x", "answer": "y", "citations": [0]}, "use ranks from 1"),
        ({"user_input": "x", "answer": "y", "cost_usd": "free"}, "use a number from 0"),
        ({"user_input": "x", "answer": "y", "chunks": "a.md:0-9"}, "chunks is no list"),
        ({"user_input": "x", "answer": "y", "variant": "keywrd"}, "Did you mean keyword"),
        ({"user_input": "x", "answer": "y", "faults": [{"kind": "typo", "said": "a", "source": "b"}]}, "kind of fault"),
        ({"user_input": "x", "answer": "y", "faults": [{"kind": "date", "said": "a"}]}, "'source' is missing"),
    ],
)
def test_a_broken_line_is_named_and_the_others_work(home: Path, line: Any, reason: str):
    path = keep(home, {"user_input": QUESTION, "answer": "450 EUR"}, "", line)
    read = load_recording(path)
    assert [each.answer.text for each in read.answers] == ["450 EUR"]
    assert [each.name for each in read.skipped] == ["line 3"]
    assert reason in read.skipped[0].reason
    variant = read_variant("keyword:answerer=recorded:replies")
    assert open_answerer(variant, bench(TEXTS)).notes == (
        f"Recording replies, line 3 left out: {read.skipped[0].reason}",
    )


@pytest.mark.parametrize("content", ["", "{\n[", "\n"])
def test_a_file_without_an_answer_is_refused(home: Path, content: str):
    with pytest.raises(RecordingError, match=r"Nothing in .* could be used"):
        load_recording(keep(home, content))


def test_a_file_that_is_no_text_is_refused(home: Path):
    path = keep(home)
    path.write_bytes(b"\xff\xfe\x00\xd8")
    with pytest.raises(RecordingError, match="Save it as UTF-8"):
        load_recording(path)


def test_an_unknown_name_lists_the_known_and_the_folder(home: Path):
    keep(home, {"user_input": "x", "answer": "y"}, name="replys")
    with pytest.raises(
        RecordingError, match=r"Did you mean replys\? Known: replys, smollm2. Put replies.jsonl into .*recorded"
    ):
        ask()


def test_names_are_those_of_the_files_that_can_be_named(home: Path):
    assert recording_folders(home) == (packaged("sample_kb") / "recorded", home / "recorded")
    for name in ("b", "a.1", "no name"):
        keep(home, {"user_input": "x", "answer": "y"}, name=name)
    assert {"a.1", "b", "no name"} <= set(recording_names(home))
    assert {"recorded:a.1", "recorded:b"} <= set(found_answerers(Settings()))
    assert "recorded:no name" not in found_answerers(Settings())


def test_a_changed_file_has_another_stamp(home: Path):
    keep(home, {"user_input": "x", "answer": "y"})
    before = recording_stamp("recorded:replies", home)
    keep(home, {"user_input": "x", "answer": "yes"})
    assert before is not None
    assert recording_stamp("recorded:replies", home) != before
    assert recording_stamp("embedded", home) is None
    assert recording_stamp("recorded:none", home) is None


def test_what_is_written_reads_back_equal(home: Path):
    fault = Fault("number", "It takes 9 days.", "It takes 7 days.")
    added = Fault("elsewhere", "The gate is green.", None)
    kept = (
        RecordedAnswer("Q1?\n„x”", Answer("A1", citations=(1, 2), origin=(("model", "m"),)), "keyword", (FOUND,)),
        RecordedAnswer("Q2?", Answer("none", declined=True), None, ()),
        RecordedAnswer(
            "Q2\u2028?", Answer("one\u2028two\u0085three\u2029four")
        ),  # ends of lines in a text, not in JSONL
        RecordedAnswer("问题？", Answer("A3", simulated=True, faults=(fault, added))),
    )
    path = home / "recorded" / "kept.jsonl"
    path.write_text(print_recording(kept), encoding="utf-8")
    assert load_recording(path).answers == kept
