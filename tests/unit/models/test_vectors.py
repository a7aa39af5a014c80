"""Vectors kept by content."""

from pathlib import Path

import numpy as np
import pytest

from rag_variants.errors import StateError
from rag_variants.models.vectors import KeptEmbeddings, PackedVectors, StoredVectors
from rag_variants.settings import Settings
from tests.making import WordVectors

TEXTS = ["alpha beta", "gamma", "alpha beta"]


def stored(home: Path) -> StoredVectors:
    return StoredVectors(home, Settings(home=home).state_folder)


def test_each_text_is_embedded_once_ever(tmp_path: Path) -> None:
    first, second = WordVectors(), WordVectors()
    fresh = KeptEmbeddings(first, None, stored(tmp_path)).embed_passages(TEXTS)
    kept = KeptEmbeddings(second, None, stored(tmp_path)).embed_passages(TEXTS)
    assert first.asked == ["alpha beta", "gamma"]
    assert second.asked == []
    assert np.array_equal(fresh, kept)


def test_questions_and_passages_are_kept_apart(tmp_path: Path) -> None:
    model = WordVectors()
    kept = KeptEmbeddings(model, None, stored(tmp_path))
    kept.embed_passages(["alpha"])
    kept.embed_queries(["alpha"])
    assert model.asked == ["alpha", "alpha"]


def test_a_packed_file_gives_the_same_vectors_and_the_same_bytes(tmp_path: Path) -> None:
    fresh = KeptEmbeddings(WordVectors(), None, None)
    expected = fresh.embed_passages(TEXTS)
    for name in ("a.npz", "b.npz"):
        PackedVectors.write(tmp_path / name, fresh.rows())
    silent = WordVectors()
    packed = KeptEmbeddings(silent, PackedVectors(tmp_path / "a.npz"), None)
    assert np.array_equal(packed.embed_passages(TEXTS), expected)
    assert silent.asked == []
    assert packed.rows() == {key: pytest.approx(row) for key, row in fresh.rows().items()}
    with np.load(tmp_path / "a.npz") as one, np.load(tmp_path / "b.npz") as other:
        assert all(np.array_equal(one[name], other[name]) for name in ("keys", "vectors"))


def test_vectors_have_unit_length(tmp_path: Path) -> None:
    rows = KeptEmbeddings(WordVectors(), None, None).embed_passages(TEXTS)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0)


def test_a_broken_store_is_named_with_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "vectors.sqlite").write_bytes(b"not a database" * 100)
    with pytest.raises(StateError, match="Remove the file"):
        KeptEmbeddings(WordVectors(), None, stored(tmp_path)).embed_passages(TEXTS)


def test_a_stopped_filling_keeps_what_was_done(tmp_path: Path) -> None:
    texts = [f"text {at}" for at in range(100)]
    steps = KeptEmbeddings(WordVectors(), None, stored(tmp_path)).fill("passage", texts)
    done, of = next(steps)
    steps.close()
    model = WordVectors()
    KeptEmbeddings(model, None, stored(tmp_path)).embed_passages(texts)
    assert of == 100
    assert len(model.asked) == 100 - done
