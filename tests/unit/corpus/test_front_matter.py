"""What a document says about itself."""

from datetime import date

import pytest

from rag_variants.corpus.front_matter import FrontMatter, split_front_matter


def test_all_fields() -> None:
    said, body = split_front_matter(
        "---\ntitle: Returns\nversion: 5.10\nvalid_from: 2026-01-01\nvalid_until: 2026-12-31\n"
        "supersedes: [a.md, b.md]\nlanguage: pl\nowner: nobody\n---\n\n# Body\n"
    )
    assert said == FrontMatter("Returns", "5.10", date(2026, 1, 1), date(2026, 12, 31), ("a.md", "b.md"), "pl")
    assert body == "\n# Body\n"


@pytest.mark.parametrize(
    ("typed", "version"), [("5.4", "5.4"), ("5.10", "5.10"), ("2026-01-01", "2026-01-01"), ("007", "007")]
)
def test_a_version_is_the_text_that_was_typed(typed: str, version: str) -> None:
    assert split_front_matter(f"---\nversion: {typed}\n---\nx")[0].version == version


@pytest.mark.parametrize(
    "text",
    [
        "no front matter",
        "--- \nnot closed",
        "---\nprose between rules\n---\nmore",
        "a\n---\nb: c\n---\n",
        "---\na: b\n" + "x\n" * 9000 + "---\n",
    ],
)
def test_text_without_front_matter_is_all_body(text: str) -> None:
    assert split_front_matter(text) == (FrontMatter(), text)


@pytest.mark.parametrize(
    "block",
    [
        "title: Returns: the rules",
        "title: [",
        "\tx: 1",
        "a: *nobody",
        "a: &a [*a, *a]\nb: !!python/name:os.system",
        "[" * 3000,
    ],
)
def test_broken_front_matter_is_a_note_and_the_body_lives(block: str) -> None:
    said, body = split_front_matter(f"---\n{block}\n---\nBody.")
    assert body == "Body." or said.notes == ()
    assert said.title is None


def test_the_note_names_the_line_and_the_way_out() -> None:
    (note,) = split_front_matter("---\nversion: 1\ntitle: Returns: the rules\n---\nx")[0].notes
    assert note.startswith("its front matter was ignored: line 3: ")
    assert note.endswith("put values that hold a colon in quotes")


@pytest.mark.parametrize("typed", ["2026-02-30", "1.2.2026", "20260101", "2026-W01-1", "soon", "2026-01-01T10:00:00"])
def test_dates_are_read_strictly(typed: str) -> None:
    said, _ = split_front_matter(f"---\nvalid_from: {typed}\ntitle: T\n---\nx")
    assert said.valid_from is None
    assert said.title == "T"
    assert said.notes == (f"valid_from {typed!r} is no date and was ignored; write it as 2026-01-31",)


def test_a_time_that_ends_before_it_begins_is_noted() -> None:
    said, _ = split_front_matter("---\nvalid_from: 2026-02-01\nvalid_until: 2026-01-01\n---\nx")
    assert said.notes == ("valid_until 2026-01-01 lies before valid_from 2026-02-01",)


@pytest.mark.parametrize(
    ("typed", "paths"),
    [("a.md", ("a.md",)), ("[a.md, a.md, '']", ("a.md",)), ("", ()), ("null", ()), ("{a: b}", ()), ("[[a], b]", ())],
)
def test_supersedes(typed: str, paths: tuple[str, ...]) -> None:
    assert split_front_matter(f"---\nsupersedes: {typed}\n---\nx")[0].supersedes == paths


def test_empty_front_matter() -> None:
    assert split_front_matter("---\n---\nx") == (FrontMatter(), "x")


def test_a_title_that_is_no_text_is_noted() -> None:
    assert split_front_matter("---\ntitle: [a]\n---\nx")[0].notes == (
        "title is a list or mapping and was ignored; write one text",
    )


@pytest.mark.parametrize("block", ["title: [unclosed\n# Head", "version: 2", "supersedes: a.md\n\nText"])
def test_front_matter_without_an_end_is_text_and_a_note(block: str) -> None:
    text = f"---\n{block}\nMore text."
    said, body = split_front_matter(text)
    assert (said.title, body) == (None, text)
    assert said.notes == (
        "its front matter has no closing line `---`, so all of it was read as text; write one below the last field",
    )


@pytest.mark.parametrize("text", ["---\nTwo people met.\n", "---\n\ntitle: x\n", "title: x\n", "---\nname: x\n"])
def test_a_rule_above_prose_is_no_remark(text: str) -> None:
    assert split_front_matter(text)[0].notes == ()
