import sqlite3
from contextlib import closing

import numpy as np

from rag_variants.cli import main
from rag_variants.llm.cached_replies import open_cached_replies
from rag_variants.llm.completion import Completion
from rag_variants.llm.stored_vectors import StoredVectors
from rag_variants.llm.vectors import CachedEmbeddings
from rag_variants.settings import Settings
from tests.making import WordVectors


def test_kept_replies_are_counted_and_emptied(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("RAG_VARIANTS_HOME", str(tmp_path))
    kept = open_cached_replies(Settings())
    for number in (1, 2):
        kept.write(bytes([number] * 32), Completion("reply", 1, 1, None))
    shown = []
    for options in ([], ["--empty"], []):
        assert main(["replies", *options]) == 0
        shown.append(capsys.readouterr().out)
    assert shown[0].startswith("2 replies in 0.")
    assert shown[1:] == ["2 replies removed\n", "0 replies in 0.0 MB\n"]


class Remote(WordVectors):
    """A model of an endpoint, by its spec and its address."""

    name, version = "house:small", "http://127.0.0.1:9/v1"


def test_vectors_of_endpoints_are_counted_by_model_and_emptied_and_the_embedded_ones_stay(
    monkeypatch, tmp_path, capsys
):
    monkeypatch.setenv("RAG_VARIANTS_HOME", str(tmp_path))

    def keep(model, texts):
        CachedEmbeddings(model, None, StoredVectors(tmp_path, lambda: tmp_path)).embed_passages(texts)

    keep(Remote(), ["a", "b"])
    keep(WordVectors(), ["a", "b", "c"])
    StoredVectors(tmp_path, lambda: tmp_path).write(
        {b"k" * 16: np.ones(2, np.float16)}
    )  # as an earlier version kept it
    shown = []
    for options in ([], ["--empty"], []):
        assert main(["replies", *options]) == 0
        shown.append(capsys.readouterr().out.splitlines()[1:])
    unknown, named = "1 vectors whose model is not known", "2 vectors of house:small http://127.0.0.1:9/v1"
    assert shown == [[unknown, named], [f"{unknown} removed", f"{named} removed"], []]
    again, embedded = Remote(), WordVectors()
    keep(again, ["a", "b"])
    keep(embedded, ["a", "b", "c"])
    assert (sorted(again.asked), embedded.asked) == (["a", "b"], [])


def test_a_file_of_an_earlier_version_is_read_and_written(tmp_path):
    """Its table has no column for the model."""
    with closing(sqlite3.connect(tmp_path / "vectors.sqlite")) as database, database:
        database.execute("CREATE TABLE vectors (key BLOB PRIMARY KEY, vector BLOB) WITHOUT ROWID")
        database.execute("INSERT INTO vectors VALUES (?, ?)", (b"k" * 16, np.ones(2, np.float16).tobytes()))
    kept = StoredVectors(tmp_path, lambda: tmp_path)
    assert kept.counts() == {"": 1}
    kept.write({b"l" * 16: np.ones(2, np.float16)}, "house:small x")
    assert kept.counts() == {"": 1, "house:small x": 1}
    assert kept.read([b"k" * 16, b"l" * 16]).keys() == {b"k" * 16, b"l" * 16}
    assert kept.answering("house:small x") is None
