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
    assert note.startswith("line 3 of its front matter was ignored: ")
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


UNTIL = date(2026, 11, 30)


@pytest.mark.parametrize(
    ("block", "line"),
    [
        ("title: Returns: the rules\nvalid_until: 2026-11-30", 2),
        ("valid_until: 2026-11-30\ntitle: Zwroty: zasady", 3),
        ("owner: me: myself\nvalid_until: 2026-11-30", 2),
        ("title: [\nvalid_until: 2026-11-30", 2),
        ("valid_until: 2026-11-30\ntags:\n  - a: b: c\n  - d", 3),
        ("valid_until: 2026-11-30\noops", 3),
        ("title: *nobody\nvalid_until: 2026-11-30", 2),
        ('title: "half\nvalid_until: 2026-11-30', 2),
    ],
)
def test_a_line_that_cannot_be_read_costs_no_other(block: str, line: int) -> None:
    said, body = split_front_matter(f"---\n{block}\n---\nBody.")
    assert (said.valid_until, body) == (UNTIL, "Body.")
    assert len(said.notes) == 1
    assert said.notes[0].startswith(f"line {line} of its front matter was ignored: ")


@pytest.mark.parametrize(
    "block",
    [
        "title:\tReturns\nvalid_until:\t2026-11-30",
        "title: Returns\t\nvalid_until: 2026-11-30",
        "Title: Returns\nValid_Until: 2026-11-30",
        "TITLE: Returns\nvalid-until: 2026-11-30",
        "title: Returns\nvalidUntil: 2026-11-30",
        "title: 'Returns'\n\n# a remark: of ours\nvalid_until: \"2026-11-30\"",
    ],
)
@pytest.mark.parametrize("above", ["", "\n", " \n\n"])
def test_keys_in_any_case_tabs_and_blank_lines_above(block: str, above: str) -> None:
    said, body = split_front_matter(f"{above}---\n{block}\n---\nBody.")
    assert (said.title, said.valid_until, said.notes, body) == ("Returns", UNTIL, (), "Body.")


@pytest.mark.parametrize(
    ("block", "said"),
    [
        ('title = "Returns"\nvalid_until = 2026-11-30', FrontMatter("Returns", valid_until=UNTIL)),
        ("version = 5.10\n[extra]\ntitle = 'no'", FrontMatter(version="5.10")),
        ('Version = 3\nsupersedes = [\n  "a.md",\n  "b.md",\n]', FrontMatter(version="3", supersedes=("a.md", "b.md"))),
        ('language = "pl"\ndraft = true', FrontMatter(language="pl")),
    ],
)
def test_toml(block: str, said: FrontMatter) -> None:
    assert split_front_matter(f"+++\n{block}\n+++\nBody.") == (said, "Body.")


def test_a_line_of_toml_that_cannot_be_read_costs_no_other() -> None:
    said, body = split_front_matter("+++\ntitle = Returns\nvalid_until = 2026-11-30\n+++\nBody.")
    assert (said.title, said.valid_until, body) == (None, UNTIL, "Body.")
    assert said.notes[0].startswith("line 2 of its front matter was ignored: ")


@pytest.mark.parametrize(
    "text",
    [
        "---\nHello: a quote.\nSome text.\n---\nBody",
        "---\nNote: the office is closed.\n---\nBody",
        "---\nnote: the office is closed on Monday.\n---\nBody",
        "---\nUwaga: biuro jest nieczynne.\nZapraszamy jutro.\n---\nTreść",
        "---\n注意: 办公室关闭。\n---\n正文",
        "---\nTitle: a story of two.\nOnce upon a time.\n---\nBody",
        "---\nAnna: Are you there?\nJan: Yes.\n---\nBody",
        "---\n- one\n- two\n---\nBody",
        "+++\nSome words between.\n+++\nBody",
    ],
)
def test_prose_between_two_rules_is_kept(text: str) -> None:
    assert split_front_matter(text) == (FrontMatter(), text)


def test_toml_without_an_end_is_text_and_a_note() -> None:
    said, body = split_front_matter('+++\ntitle = "x"\nText')
    assert body.startswith("+++")
    assert "no closing line `+++`" in said.notes[0]
