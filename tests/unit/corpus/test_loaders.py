"""The contract of every format of documents, and formats of other packages."""

from contextlib import suppress
from pathlib import Path

import pytest

from rag_variants.corpus.folder import load_knowledge
from rag_variants.corpus.knowledge import KnowledgeBase
from rag_variants.corpus.loaders import LOADERS, Loaded
from rag_variants.errors import KnowledgeError

ODD = [
    b"",
    b"\x00",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    bytes(range(256)) * 20,
    b"---\ntitle: [\n---\n",
    b"\xed\xa0\x80",
    b"%PDF-1.7",
]


def load(folder: Path, **files: bytes) -> KnowledgeBase:
    (folder / "usual.md").write_text("# Usual\nIt opens at nine.", encoding="utf-8")
    for name, data in files.items():
        (folder / name.replace("_", ".")).write_bytes(data)
    return load_knowledge(folder)


@pytest.mark.parametrize("name", LOADERS)
def test_every_format_says_which_files_it_reads(name: str) -> None:
    loader = LOADERS[name]
    assert loader.endings
    for ending in loader.endings:
        assert ending == ending.lower() and ending.startswith(".")
        assert LOADERS.of(ending) is LOADERS.of(ending.upper()) is loader
    assert LOADERS.of("") is LOADERS.of(".nothing") is None


@pytest.mark.parametrize("data", ODD, ids=repr)
@pytest.mark.parametrize("name", LOADERS)
def test_bytes_become_a_text_or_a_reason(name: str, data: bytes) -> None:
    with suppress(ValueError):
        loaded = LOADERS[name].read(data, "a" + LOADERS[name].endings[0])
        assert isinstance(loaded, Loaded)
        loaded.text.encode("utf-8")
        assert not set("\r\x00") & set(loaded.text)


@pytest.mark.parametrize("name", LOADERS)
def test_the_same_bytes_become_the_same_text(name: str) -> None:
    loader = LOADERS[name]
    data = b"# Zwroty\nMasz 14 dni.\n"
    assert loader.read(data, "a.md") == loader.read(data, "a.md")


def test_a_format_of_another_package_is_read(tmp_path: Path, install) -> None:
    assert (
        load(tmp_path, a_SHOUT=b"SHOUT HELLO").skipped[0].reason.startswith("files .SHOUT are not read; save it as .md")
    )
    install(LOADERS, shouted="tests.unit.plugin_formats:SHOUTED")
    base = load(tmp_path, b_shout=b"whispered")
    document = base.by_path["a.SHOUT"]
    assert (document.text, document.title) == ("hello\nend", "A.SHOUT"), "line ends and NUL as everywhere"
    assert base.notes == ("a.SHOUT: it was loud",)
    assert [(each.name, each.reason) for each in base.skipped] == [("b.shout", "it does not shout")]
    with pytest.raises(KnowledgeError, match=r"Put \.md or \.txt or \.shout files"):
        load_knowledge(_empty(tmp_path))


def _empty(folder: Path) -> Path:
    (folder / "empty").mkdir()
    return folder / "empty"


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("BROKEN", "it cannot be read as broken (KeyError: 'page')"),
        ("NO_TEXT", "it cannot be read as no text (TypeError: it gave 'HELLO', which is nothing loaded)"),
    ],
)
def test_a_loader_that_breaks_costs_its_file_alone(tmp_path: Path, install, target: str, reason: str) -> None:
    install(LOADERS, extra=f"tests.unit.plugin_formats:{target}")
    base = load(tmp_path, a_shout=b"HELLO")
    assert [document.path for document in base.documents] == ["usual.md"]
    assert [(each.name, each.reason) for each in base.skipped] == [("a.shout", reason)]


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("TAKEN", "takes '.md', which is in use"),
        ("TAKEN_NAME", "takes the name 'markdown', which is in use"),
        ("BAD_ENDING", "reads files ending in 'shout'; an ending is written like '.abc'"),
        ("NO_ENDING", "reads no ending"),
        ("PAIRS", "is no rag_variants.corpus.loaders.loader.Loader"),
    ],
)
def test_a_broken_package_is_named_and_left_out(install, target: str, message: str) -> None:
    markdown = LOADERS.of(".md")
    install(LOADERS, extra=f"tests.unit.plugin_formats:{target}")
    assert LOADERS.of(".md") is markdown
    assert tuple(LOADERS.endings) == (".md", ".txt")
    [sentence] = LOADERS.left_out
    assert sentence.startswith("The document loader 'extra' of an installed package ")
    assert message in sentence
