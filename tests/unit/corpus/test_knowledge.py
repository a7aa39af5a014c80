"""The identity of a knowledge base and which of its documents are current."""

from dataclasses import replace
from datetime import date

import pytest

from rag_variants.corpus.knowledge import KnowledgeBase, Skipped
from rag_variants.types import Document

TODAY = date(2026, 6, 1)
A = Document("a.md", "A", "A", "en")
B = Document("b.md", "B", "B", "en")


def current(*documents: Document) -> list[str]:
    return [each.path for each in KnowledgeBase("kb", documents).current(TODAY).documents]


def test_equal_documents_are_an_equal_base_whatever_its_name() -> None:
    one, other = KnowledgeBase("one", (A, B)), KnowledgeBase("other", (A, B), (Skipped("c.pdf", "no text"),), ("note",))
    assert one == other
    assert len({one, other}) == 1
    assert len(one.fingerprint) == 16


@pytest.mark.parametrize(
    "changed",
    [replace(B, text="b"), replace(B, path="c.md"), replace(B, valid_from=TODAY), replace(B, supersedes=("a.md",))],
)
def test_whatever_can_change_a_result_changes_the_fingerprint(changed: Document) -> None:
    assert KnowledgeBase("kb", (A, B)) != KnowledgeBase("kb", (A, changed))


def test_current_leaves_out_what_is_superseded() -> None:
    assert current(A, replace(B, supersedes=("a.md",))) == ["b.md"]


def test_a_version_whose_time_has_not_come_supersedes_nothing() -> None:
    assert current(A, replace(B, supersedes=("a.md",), valid_from=date(2026, 6, 2))) == ["a.md"]


def test_a_version_whose_time_is_over_keeps_its_place() -> None:
    assert current(A, replace(B, supersedes=("a.md",), valid_until=date(2026, 5, 31))) == []


@pytest.mark.parametrize(
    ("valid_from", "valid_until", "kept"),
    [
        (None, None, True),
        (TODAY, TODAY, True),
        (date(2026, 6, 2), None, False),
        (None, date(2026, 5, 31), False),
    ],
)
def test_time(valid_from: date | None, valid_until: date | None, kept: bool) -> None:
    assert current(replace(A, valid_from=valid_from, valid_until=valid_until)) == (["a.md"] if kept else [])


def test_current_keeps_name_skipped_and_notes() -> None:
    base = KnowledgeBase("kb", (A,), (Skipped("c.pdf", "no text"),), ("note",)).current(TODAY)
    assert (base.name, len(base.skipped), base.notes) == ("kb", 1, ("note",))


def test_lone_surrogates_do_not_break_the_fingerprint() -> None:
    assert KnowledgeBase("kb", (replace(A, text="\udbff"),)).fingerprint
