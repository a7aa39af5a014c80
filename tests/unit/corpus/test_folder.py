"""A folder → a knowledge base."""

import os
from datetime import date
from pathlib import Path

import pytest

from rag_variants.corpus.folder import load_knowledge
from rag_variants.corpus.knowledge import Skipped
from rag_variants.errors import KnowledgeError


def write(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def reasons(folder: Path) -> dict[str, str]:
    return {entry.name: entry.reason for entry in load_knowledge(folder).skipped}


def test_documents_in_the_order_of_their_paths(tmp_path: Path) -> None:
    write(tmp_path, {"b/z.md": "Z", "a.txt": "A", "B.MD": "B", "b/a.md": "a", ".hidden.md": "x", ".git/x.md": "x"})
    base = load_knowledge(tmp_path)
    assert [document.path for document in base.documents] == ["B.MD", "a.txt", "b/a.md", "b/z.md"]
    assert base.skipped == ()
    assert base.name == tmp_path.name
    assert load_knowledge(tmp_path, "Sample").name == "Sample"


def test_a_document_with_front_matter(tmp_path: Path) -> None:
    old = "---\nvalid_until: 2025-12-31\n---\nStare."
    new = "---\ntitle: Zwroty\nversion: 2\nvalid_from: 2026-01-01\nsupersedes: old.md\nlanguage: pl-PL\n---\nNowe."
    base = load_knowledge(write(tmp_path, {"pl/old.md": old, "pl/new.md": new}))
    document = base.by_path["pl/new.md"]
    assert (document.title, document.version, document.language, document.text) == ("Zwroty", "2", "pl", "Nowe.")
    assert document.supersedes == ("pl/old.md",)  # given from its own folder
    assert [each.path for each in base.current(date(2025, 6, 1)).documents] == ["pl/old.md"]
    assert [each.path for each in base.current(date(2026, 6, 1)).documents] == ["pl/new.md"]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("intro\n\n## The rules ##\nx", "The rules"),
        ("# C#\nx", "C#"),
        ("#\n# Second\n", "Second"),
        ("#no heading", "terms"),
        ("plain", "terms"),
    ],
)
def test_the_title_falls_back_to_heading_then_file_name(tmp_path: Path, text: str, title: str) -> None:
    assert load_knowledge(write(tmp_path, {"terms.md": text})).documents[0].title == title


def test_the_language_is_detected(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "a.md": "Returns are accepted within 30 days of delivery.",
        "b.md": "Zwroty przyjmujemy w ciągu 30 dni od dostawy.",
        "c.md": "退款期限为三十天。",
        "d.md": "---\nlanguage: de\n---\nReturns are accepted within 30 days.",
    }
    base = load_knowledge(write(tmp_path, files))
    assert [document.language for document in base.documents] == ["en", "pl", "zh", "en"]
    assert base.notes == ("d.md: language 'de' is not one of en, pl, zh; read as en",)


def test_h14_what_cannot_be_read_is_listed_and_takes_nothing_down(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "ok.md": "Parking is free.",
        "scan.pdf": b"%PDF",
        "empty.md": "",
        "blank.txt": "\ufeff \n",
        "Makefile": "x",
    }
    write(tmp_path, {**files, "only.md": "---\ntitle: T\n---\n", "photo.txt": bytes(range(256)) * 4})
    base = load_knowledge(tmp_path)
    assert [document.text for document in base.documents] == ["Parking is free."]
    assert base.skipped == (
        Skipped("Makefile", "files without an ending are not read; save it as .md or .txt"),
        Skipped("blank.txt", "no text"),
        Skipped("empty.md", "no text"),
        Skipped("only.md", "no text"),
        Skipped("photo.txt", "it does not look like text; remove it, or save its text as UTF-8"),
        Skipped("scan.pdf", "files .pdf are not read; save it as .md or .txt"),
    )


def test_h14_a_folder_with_nothing_to_read_ends_with_the_reasons(tmp_path: Path) -> None:
    write(tmp_path, {"scan.pdf": b"%PDF"})
    with pytest.raises(
        KnowledgeError, match=r"scan\.pdf: files \.pdf are not read.*Put \.md or \.txt files with text into it"
    ):
        load_knowledge(tmp_path)


def test_only_the_first_reasons_are_listed(tmp_path: Path) -> None:
    write(tmp_path, {f"{number}.md": "" for number in range(8)})
    with pytest.raises(KnowledgeError, match=r"4\.md: no text; and 3 more"):
        load_knowledge(tmp_path)


@pytest.mark.parametrize(
    ("name", "message"), [("none", "There is no folder"), ("file.md", "is a file"), ("empty", "no files")]
)
def test_folders_that_are_none(tmp_path: Path, name: str, message: str) -> None:
    write(tmp_path, {"file.md": "x"})
    (tmp_path / "empty").mkdir()
    with pytest.raises(KnowledgeError, match=message):
        load_knowledge(tmp_path / name)


def test_a_name_that_no_folder_can_have(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError):
        load_knowledge(Path("a\x00b"))


def test_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"a.md": "A", "b.md": "B"})
    read = Path.read_bytes

    def refuse(path: Path) -> bytes:
        if path.name == "a.md":
            raise PermissionError(13, "Permission denied")
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert reasons(tmp_path) == {"a.md": "it may not be read; allow reading it"}


def test_a_folder_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(KnowledgeError, match=r"may not be read\. Allow reading it"):
        load_knowledge(tmp_path)


def test_links_that_lead_outside_are_refused_by_name(tmp_path: Path) -> None:
    outside = write(tmp_path / "outside", {"secret.md": "secret", "deep/x.md": "x"})
    inside = write(tmp_path / "inside", {"a.md": "A", "sub/b.md": "B"})
    (inside / "link.md").symlink_to(outside / "secret.md")
    (inside / "far").symlink_to(outside / "deep")
    (inside / "loop").symlink_to(inside)
    (inside / "nowhere.md").symlink_to(inside / "gone.md")
    (inside / "self.md").symlink_to(inside / "self.md")
    (inside / "twin.md").symlink_to(inside / "a.md")
    assert [document.path for document in load_knowledge(inside).documents] == ["a.md", "sub/b.md", "twin.md"]
    assert {name: reason.split(";")[0] for name, reason in reasons(inside).items()} == {
        "far": "a link that leads outside the folder",
        "link.md": "a link that leads outside the folder",
        "loop": "a link to a folder that is read where it is",
        "nowhere.md": "a link that leads nowhere",
        "self.md": "a link that leads nowhere",
    }


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes are a thing of Unix")
def test_a_pipe_does_not_hold_up_the_reading(tmp_path: Path) -> None:
    os.mkfifo(write(tmp_path, {"a.md": "A"}) / "pipe.md")
    assert reasons(tmp_path) == {"pipe.md": "not a regular file; remove it"}


@pytest.mark.skipif(os.name == "nt", reason="names are Unicode there")
def test_a_name_that_is_not_utf8(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "A"})
    try:
        Path(os.fsdecode(bytes(tmp_path) + b"/\xff.md")).write_text("x")
    except OSError:
        pytest.skip("this file system refuses such names")
    assert reasons(tmp_path) == {"?.md": "its name is not UTF-8; rename it"}


def test_names_in_any_script(tmp_path: Path) -> None:
    write(tmp_path, {"Dokumenty Żółte/ą.md": "A", "退款政策/一.md": "B"})
    assert [document.path for document in load_knowledge(tmp_path).documents] == [
        "Dokumenty Żółte/ą.md",
        "退款政策/一.md",
    ]


def test_a_guessed_encoding_is_noted(tmp_path: Path) -> None:
    text = "# Zwroty\n\nTermin zwrotu wynosi 30 dni. Święta się nie liczą, żółte też."
    base = load_knowledge(write(tmp_path, {"a.txt": text.encode("cp1250")}))
    assert base.documents[0].text == text
    assert base.notes[0].startswith("a.txt: read as cp1250 (guessed, confidence ")


def test_supersedes_of_unknown_paths_and_of_itself(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "---\nsupersedes: [gone.md, a.md]\n---\nA", "b.md": "---\nsupersedes: ./a.md\n---\nB"})
    base = load_knowledge(tmp_path)
    assert base.skipped == (
        Skipped("a.md", "supersedes 'gone.md', which is not in the folder"),
        Skipped("a.md", "supersedes itself; name the older document"),
    )
    assert base.by_path["b.md"].supersedes == ("a.md",)
    assert [each.path for each in base.current(date(2026, 1, 1)).documents] == ["b.md"]


def test_broken_front_matter_is_noted(tmp_path: Path) -> None:
    base = load_knowledge(write(tmp_path, {"a.md": "---\ntitle: a: b\n---\n# Real\n"}))
    assert base.documents[0].title == "Real"
    assert base.notes[0].startswith("a.md: line 2 of its front matter was ignored: ")


def test_line_ends_do_not_change_the_identity(tmp_path: Path) -> None:
    unix = load_knowledge(write(tmp_path / "u", {"a.md": "---\ntitle: T\n---\nA\nB\n"}))
    windows = load_knowledge(write(tmp_path / "w", {"a.md": "\ufeff---\r\ntitle: T\r\n---\r\nA\r\nB\r\n"}))
    assert unix == windows


@pytest.mark.parametrize(
    "text", ["", " \n", "\u200b", "\ufeff\u200b\n\u2060", "...", "---", "…", "。。。", "***\n\n---", "🙂"]
)
def test_a_file_without_letters_or_digits_is_named_and_left_out(tmp_path: Path, text: str) -> None:
    base = load_knowledge(write(tmp_path, {"a.md": "Text.", "b.md": text}))
    assert [document.path for document in base.documents] == ["a.md"]
    (left_out,) = base.skipped
    assert left_out.name == "b.md"
    assert left_out.reason.startswith("no ")


def test_zero_width_characters_are_blanks_and_joiners_stay(tmp_path: Path) -> None:
    text = "thirty\u200bdays, 30\ufeffdni\u2060, می\u200cخواهم, 👩\u200d💻"
    base = load_knowledge(write(tmp_path, {"a.md": text}))
    assert base.documents[0].text == "thirty days, 30 dni , می\u200cخواهم, 👩\u200d💻"
    assert base.notes == ("a.md: 3 zero-width character(s) read as blanks",)


def test_names_and_texts_are_composed(tmp_path: Path) -> None:
    old, new = "Z\u0307o\u0301łw.md", "---\nsupersedes: z\u0307o\u0301łw.md\n---\nZ\u0307o\u0301łw śpi."
    base = load_knowledge(write(tmp_path, {old.lower(): "Sta\u0301ry.", "nowy.md": new}))
    assert [document.path for document in base.documents] == ["nowy.md", "żółw.md"]
    assert base.by_path["nowy.md"].text == "Żółw śpi."
    assert base.by_path["nowy.md"].supersedes == ("żółw.md",)
    assert base.skipped == ()


def test_of_two_names_that_differ_in_composition_one_is_read(tmp_path: Path) -> None:
    write(tmp_path, {"o\u0301.md": "One.", "ó.md": "Two."})
    base = load_knowledge(tmp_path)
    assert len(base.documents) == 1
    assert [each.name for each in base.skipped] == ["ó.md"]


@pytest.mark.parametrize(
    "fence",
    [
        "```\n# load the settings\nx = 1\n```",
        "```python\n# load the settings\n```",
        "~~~sh\n# load the settings\n```\n~~~",
        "  ```\n  # load the settings\n  ```",
    ],
)
def test_a_comment_in_a_fence_is_no_title(tmp_path: Path, fence: str) -> None:
    files = {"a.md": f"{fence}\n\n# Real Title\n", "b.md": f"{fence}\n", "c.md": f"Wstęp\n\n{fence}\n\n# 标题\n"}
    base = load_knowledge(write(tmp_path, files))
    assert [document.title for document in base.documents] == ["Real Title", "b", "标题"]


def test_an_open_fence_ends_with_the_text(tmp_path: Path) -> None:
    base = load_knowledge(write(tmp_path, {"a.md": "# Head\n\n```\n# no title", "b.md": "```\n# no title"}))
    assert [document.title for document in base.documents] == ["Head", "b"]
