"""Agreements measured here are kept, and are shown for the judge that was measured."""

from pathlib import Path

import pytest

from rag_variants.judges import known_agreement
from rag_variants.judges.measured_agreements import SAMPLE, find_agreement, save_agreement
from rag_variants.settings import Settings

MEASURED = {"judge": "house:m", "n": 168, "accuracy": 0.9, "kappa": 0.8, "unsure": 0, "by": {}, "disagreements": []}


def test_a_measured_judge_is_known_from_then_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAG_VARIANTS_HOME", str(tmp_path))
    assert known_agreement("house:m", Settings().home) is None
    save_agreement(tmp_path, SAMPLE, MEASURED)
    assert known_agreement("house:m", Settings().home) == MEASURED
    assert known_agreement("house:other", Settings().home) is None
    assert find_agreement(tmp_path, "0123", "house:m") is None, "other labels are another agreement"


def test_what_comes_with_the_product_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAG_VARIANTS_HOME", str(tmp_path))
    save_agreement(tmp_path, SAMPLE, {**MEASURED, "judge": "embedded"})
    found = known_agreement("embedded", Settings().home)
    assert found is not None
    assert found["accuracy"] != 0.9


def test_a_broken_file_is_measured_again(tmp_path: Path) -> None:
    save_agreement(tmp_path, SAMPLE, MEASURED)
    (file,) = (tmp_path / "agreements").iterdir()
    file.write_text('{"judge": "house', encoding="utf-8")
    assert find_agreement(tmp_path, SAMPLE, "house:m") is None
