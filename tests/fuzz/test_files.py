"""Files of any content: read, or refused in a sentence. No traceback, no hang, nothing left out in silence."""

import gzip
import json
import zlib
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_variants.corpus.decoding import decode
from rag_variants.corpus.folder import load_knowledge
from rag_variants.corpus.front_matter import split_front_matter
from rag_variants.evaluation.runs import Run
from rag_variants.questions.check import check_evidence
from rag_variants.questions.reader import load_questions
from rag_variants.report.reading import ReadComparison, load_result
from rag_variants.storage.run_files import MOST_BYTES, RunFileError, load_run
from tests.fuzz.inputs import Refused, contents, names, outcome, texts, values

Way = tuple[Any, ...]


@pytest.fixture(scope="module")
def knowledge(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("documents")
    (folder / "a.md").write_text("# Fees\n\nThe fee is 900 EUR.\n", encoding="utf-8")
    return load_knowledge(folder)


@given(content=contents)
def test_any_bytes_decode_or_are_no_text(content: bytes) -> None:
    found = outcome(decode, content)
    if not isinstance(found, Refused):
        assert "\x00" not in found.text and "\r" not in found.text
        found.text.encode("utf-8")


@given(text=texts)
def test_any_text_has_a_front_matter_or_none(text: str) -> None:
    said, body = split_front_matter(text)
    assert body == "" or body in text
    assert all(note.strip() for note in said.notes)


@given(content=contents, name=st.sampled_from(["a.md", "b.txt"]))
def test_a_folder_with_any_file_is_read_or_says_why(content: bytes, name: str, tmp_path_factory: Any) -> None:
    folder = tmp_path_factory.mktemp("fuzz")
    (folder / name).write_bytes(content)
    (folder / "whole.md").write_text("# Whole\n\nA sentence.\n", encoding="utf-8")
    found = load_knowledge(folder)
    read = {document.path for document in found.documents}
    assert "whole.md" in read, "one bad file takes no other down"
    assert name in read or any(each.name == name for each in found.skipped), "nothing is left out in silence"


def _json_lines(rows: list[Any]) -> bytes:
    return "\n".join(json.dumps(row) for row in rows).encode()


def _cells(rows: list[list[str]]) -> bytes:
    return "\n".join(["user_input,id,tags", *map(",".join, rows)]).encode("utf-8", "replace")


question_files = st.one_of(
    contents,
    st.lists(st.dictionaries(names, values, max_size=6), max_size=5).map(_json_lines),
    values.map(lambda value: json.dumps(value).encode()),
    st.lists(st.lists(texts, max_size=5), max_size=6).map(_cells),
)


@given(content=question_files, ending=st.sampled_from(["jsonl", "json", "csv", "tsv"]))
def test_any_question_file_is_read_or_refused(
    content: bytes, ending: str, tmp_path_factory: Any, knowledge: Any
) -> None:
    file = tmp_path_factory.mktemp("fuzz") / f"q.{ending}"
    file.write_bytes(content)
    found = outcome(load_questions, file)
    if isinstance(found, Refused):
        return
    ids = [question.id for question in found.questions]
    assert ids and len(set(ids)) == len(ids)
    assert all(question.user_input.strip() for question in found.questions)
    check_evidence(found.questions, knowledge)


def _ways(part: Any, way: Way = ()) -> list[Way]:
    """The way to every part of a document, the whole first."""
    inside = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    return [way, *(found for key, each in inside for found in _ways(each, (*way, key)))]


def _with(document: Any, way: Way, value: Any) -> Any:
    if not way:
        return value
    changed = deepcopy(document)
    at = changed
    for key in way[:-1]:
        at = at[key]
    at[way[-1]] = value
    return changed


@pytest.fixture(scope="module")
def saved() -> list[tuple[Any, list[Way]]]:
    """Files of the product as they were saved, each with the ways to its parts."""
    files = sorted((Path(__file__).parents[1] / "fixtures" / "runs").iterdir())
    unpacked = (gzip.decompress(each.read_bytes()) if each.suffix == ".gz" else each.read_bytes() for each in files)
    return [(document, _ways(document)) for document in map(json.loads, unpacked)]


@given(data=st.data())
def test_a_saved_file_with_any_change_is_read_or_refused(
    data: st.DataObject, saved: Any, tmp_path_factory: Any
) -> None:
    document, ways = data.draw(st.sampled_from(saved))
    content = json.dumps(_with(document, data.draw(st.sampled_from(ways)), data.draw(values))).encode()
    content = gzip.compress(content, 1) if data.draw(st.booleans()) else content
    file = tmp_path_factory.mktemp("fuzz") / "run.json"
    file.write_bytes(content[: data.draw(st.integers(0, len(content)))] if data.draw(st.booleans()) else content)
    for load in (load_run, load_result):
        assert isinstance(outcome(load, file), (Refused, Run, ReadComparison))


@pytest.mark.parametrize("filling", [b" ", b"[", b'{"schema": '], ids=["blanks", "brackets", "objects"])
def test_a_compressed_bomb_is_refused(filling: bytes, tmp_path: Path) -> None:
    packer = zlib.compressobj(1, wbits=31)
    block = filling * (2**20 // len(filling))
    packed = b"".join(packer.compress(block) for _ in range(MOST_BYTES // len(block) + 2)) + packer.flush()
    file = tmp_path / "bomb.json.gz"
    file.write_bytes(packed)
    assert len(packed) < MOST_BYTES / 50
    with pytest.raises(RunFileError, match="holds more than 256 MB"):
        load_run(file)
