"""Kept vectors are the fresh ones; what cannot be read or written is said in a sentence."""

import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from rag_variants.errors import StateError
from rag_variants.llm.stored_vectors import PackedVectors, StoredVectors, content_key, halve, restore
from rag_variants.llm.vectors import CachedEmbeddings
from rag_variants.settings import Settings
from tests.making import WordVectors

ROOT = Path(__file__).parents[3]
TEXTS = ["The deposit is 450 EUR.", "Zwrot trwa 14 dni.", "押金是四百五十欧元。"]


def stored(home: Path) -> StoredVectors:
    return StoredVectors(home, Settings(home=home).state_folder)


def test_kept_vectors_are_the_fresh_ones(tmp_path):
    fresh = CachedEmbeddings(WordVectors(), None, stored(tmp_path)).embed_passages(TEXTS)
    later = WordVectors()
    kept = CachedEmbeddings(later, None, stored(tmp_path)).embed_passages(TEXTS)
    assert later.asked == []
    assert kept.dtype == fresh.dtype == np.float32
    assert kept.tobytes() == fresh.tobytes()
    assert fresh.tobytes() == restore(halve(WordVectors().embed_passages(TEXTS))).tobytes()
    assert np.allclose(np.linalg.norm(kept, axis=1), 1, atol=1e-6)


def test_halving_what_was_restored_is_worked_out_by_hand():
    # (3, 4) has the length 5; both halves are exact, so the row is (0.6, 0.8).
    assert restore(halve(np.array([[3.0, 4.0]], np.float32))).tolist() == [[np.float32(0.6), np.float32(0.8)]]
    assert restore(halve(np.zeros((1, 2), np.float32))).tolist() == [[0.0, 0.0]]


def test_each_text_is_embedded_once(tmp_path):
    model = WordVectors()
    kept = CachedEmbeddings(model, None, stored(tmp_path))
    many = [f"text {number}" for number in range(40)]
    rows = kept.embed_passages([*many, *many[:5]])
    assert rows.shape == (45, 64)
    assert np.array_equal(rows[:5], rows[40:])
    kept.embed_passages(many[::-1])
    assert sorted(model.asked) == sorted(many)
    kept.embed_queries(many[:1])  # a question is not a passage
    assert model.asked.count(many[0]) == 2
    assert kept.embed_passages([]).shape[0] == 0


def test_what_is_missing_is_told_without_embedding(tmp_path):
    model = WordVectors()
    kept = CachedEmbeddings(model, None, stored(tmp_path))
    kept.embed_passages(TEXTS[:1])
    later = CachedEmbeddings(model, None, stored(tmp_path))
    assert later.missing("passage", [TEXTS[1], *TEXTS, TEXTS[1]]) == [TEXTS[1], TEXTS[2]]
    assert later.missing("query", TEXTS) == TEXTS
    assert model.asked == TEXTS[:1]


def test_what_was_done_before_a_stop_is_kept_and_the_rest_is_not_begun(tmp_path):
    """400 texts are 25 batches of 16; at a stop after the first, at most 4 have been begun, and those are kept."""
    many = [f"text {number}" for number in range(400)]
    first = WordVectors()
    steps = CachedEmbeddings(first, None, stored(tmp_path)).fill("passage", many)
    assert next(steps) in {(16 * batches, 400) for batches in range(1, 5)}
    steps.close()
    assert 16 <= len(first.asked) <= 16 * 4
    later = WordVectors()
    told = list(CachedEmbeddings(later, None, stored(tmp_path)).fill("passage", many))
    rest = 400 - len(first.asked)
    assert told[-1] == (rest, rest)
    assert [done for done, _ in told] == sorted({done for done, _ in told})
    assert sorted(first.asked + later.asked) == sorted(many)


FILLER = """
import sys
from pathlib import Path
from rag_variants.llm.stored_vectors import StoredVectors
from rag_variants.llm.vectors import CachedEmbeddings
from tests.making import WordVectors
home, model = Path(sys.argv[1]), WordVectors()
kept = CachedEmbeddings(model, None, StoredVectors(home, lambda: home))
for done, _ in kept.fill("passage", [f"text {number}" for number in range(int(sys.argv[2]))]):
    print(done, flush=True)
"""


def test_what_was_embedded_outlives_kill_minus_nine(tmp_path):
    """Killed after 10 steps of progress: as many texts as it told of are kept, and only others are embedded."""
    command = [sys.executable, "-c", FILLER, str(tmp_path), "20000"]
    killed = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert killed.stdout is not None
    told = [int(killed.stdout.readline()) for _ in range(10)]
    killed.kill()
    told += [int(line) for line in killed.communicate()[0].split("\n")[:-1]]
    assert 16 * 10 <= told[-1] < 20_000
    model = WordVectors()
    later = CachedEmbeddings(model, None, stored(tmp_path))
    missing = later.missing("passage", [f"text {number}" for number in range(20_000)])
    assert len(missing) <= 20_000 - told[-1]
    few = [f"text {number}" for number in range(told[-1] + 200)]
    later.embed_passages(few)
    assert sorted(model.asked) == sorted(set(few) & set(missing))
    assert len(model.asked) <= 200


def test_two_threads_that_want_the_same_texts_embed_each_once(tmp_path):
    model = WordVectors()
    kept = CachedEmbeddings(model, None, stored(tmp_path))
    many = [f"text {number}" for number in range(400)]
    with ThreadPoolExecutor() as pool:
        rows = list(pool.map(kept.embed_passages, [many, many, many[::-1], many[100:]]))
    assert sorted(model.asked) == sorted(many)
    assert np.array_equal(rows[0], rows[2][::-1])


def test_vectors_of_another_version_or_role_are_not_mixed():
    newer = WordVectors()
    newer.version = "2"
    keys = {content_key(model, role, "a") for model in (WordVectors(), newer) for role in ("passage", "query")}
    assert len(keys) == 4
    assert {len(key) for key in keys} == {16}


def test_a_folder_without_write_access_is_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr("rag_variants.settings.os.access", lambda *_: False)
    with pytest.raises(StateError, match=r"cannot be written\. Set RAG_VARIANTS_HOME to a folder"):
        CachedEmbeddings(WordVectors(), None, stored(tmp_path)).embed_passages(TEXTS)
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_place_of_the_folder_is_a_sentence(tmp_path):
    home = tmp_path / "file"
    home.write_text("x")
    with pytest.raises(StateError, match=r"cannot be made .*Set RAG_VARIANTS_HOME"):
        CachedEmbeddings(WordVectors(), None, stored(home)).embed_passages(TEXTS)


def test_a_corrupted_database_is_a_sentence_and_can_be_removed(tmp_path):
    path = tmp_path / "vectors.sqlite"
    path.write_bytes(b"this is no database, and long enough to be read as one" * 40)
    with pytest.raises(StateError, match=r"vectors\.sqlite cannot be used .*remove the file; it is made again"):
        CachedEmbeddings(WordVectors(), None, stored(tmp_path)).embed_passages(TEXTS)
    path.unlink()
    assert CachedEmbeddings(WordVectors(), None, stored(tmp_path)).embed_passages(TEXTS).shape == (3, 64)


def test_more_keys_than_one_question_to_the_database_takes(tmp_path):
    rows = {number.to_bytes(16, "big"): np.full(2, number, np.float16) for number in range(1_203)}
    stored(tmp_path).write(rows)
    found = stored(tmp_path).read([*rows, b"x" * 16])
    assert found.keys() == rows.keys()
    assert all(np.array_equal(found[key], rows[key]) for key in rows)
    stored(tmp_path).write({next(iter(rows)): np.full(2, 9, np.float16)})  # the first one written stays
    with closing(sqlite3.connect(tmp_path / "vectors.sqlite")) as database:
        assert database.execute("SELECT count(*) FROM vectors").fetchone() == (1_203,)
    assert stored(tmp_path).read(list(rows)[:1]) == {next(iter(rows)): pytest.approx([0, 0])}


def test_a_packed_file_reads_back_and_has_one_form(tmp_path):
    model = WordVectors()
    kept = CachedEmbeddings(model, None, None)
    fresh = kept.embed_passages(TEXTS)
    rows = kept.rows()
    PackedVectors.write(tmp_path / "a.npz", rows)
    PackedVectors.write(tmp_path / "b.npz", dict(reversed(rows.items())))
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    later = WordVectors()
    packed = CachedEmbeddings(later, PackedVectors(tmp_path / "a.npz"), stored(tmp_path / "none"))
    assert packed.embed_passages(TEXTS).tobytes() == fresh.tobytes()
    assert later.asked == []
    assert not (tmp_path / "none").exists()


def test_no_packed_file_holds_nothing(tmp_path):
    assert PackedVectors(tmp_path / "none.npz").read([b"k" * 16]) == {}


@pytest.mark.parametrize("name", ["a b", "50%", "what?", "part#2", "Żółte", "退款"])
def test_the_state_folder_may_have_any_name(tmp_path, name):
    home = tmp_path / name
    CachedEmbeddings(WordVectors(), None, stored(home)).embed_passages(TEXTS)
    later = WordVectors()
    CachedEmbeddings(later, None, stored(home)).embed_passages(TEXTS)
    assert later.asked == []
    assert [path.name for path in tmp_path.iterdir()] == [name]
