"""Counts of large bases come back from disk as they were; whatever decides them gives them another name."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rag_variants.pipeline import read_variant
from rag_variants.pipeline.bench import open_bench, open_files
from rag_variants.pipeline.retrieve import chunk_terms as cached_terms
from rag_variants.pipeline.retrieve.chunk_terms import count_terms
from rag_variants.pipeline.retrieve.keyword import KeywordIndex, KeywordSettings, keyword_index
from rag_variants.pipeline.retrieve.term_counts import TermCounts
from rag_variants.settings import Settings
from rag_variants.text import search_terms as terms
from rag_variants.types import Chunk
from tests.making import bench, knowledge

TEXTS = (
    "Refunds take 14 days.",
    "Zwrot trwa 14 dni, żółw.",
    "退款需要14天。",
    "",
    "a \ud800 lone surrogate",
    "x " * 300,
)
LANGUAGES = ("en", "pl", "zh", "en", "en", "en")


def chunks(texts=TEXTS, languages=LANGUAGES) -> tuple[Chunk, ...]:
    return tuple(
        Chunk("d", at * 1000, at * 1000 + len(text), text, language)
        for at, (text, language) in enumerate(zip(texts, languages, strict=True))
    )


@pytest.fixture
def home(tmp_path: Path, monkeypatch) -> Path:
    """A state folder in which the counts of bases of any size are kept."""
    monkeypatch.setattr(cached_terms, "CACHED_FROM_CHUNKS", 1)
    return tmp_path / "home"


@pytest.fixture
def read(monkeypatch) -> list[str]:
    """The chunks whose terms were extracted."""
    seen: list[str] = []
    extract = cached_terms.chunk_terms
    monkeypatch.setattr(
        cached_terms, "chunk_terms", lambda chunk, tokens: (seen.append(chunk.id), extract(chunk, tokens))[1]
    )
    return seen


def files(home: Path):
    return open_files(Settings(home=home))


def same(one: TermCounts, other: TermCounts) -> bool:
    arrays, others = one.to_arrays(), other.to_arrays()
    return one.columns == other.columns and all(
        arrays[name].dtype == others[name].dtype and np.array_equal(arrays[name], others[name]) for name in arrays
    )


@pytest.mark.parametrize("tokens", ["language", "words"])
def test_counts_come_back_as_they_were(home, read, tokens):
    fresh = count_terms(chunks(), tokens, files(home))
    assert len(read) == len(TEXTS)
    kept = count_terms(chunks(), tokens, files(home))
    assert len(read) == len(TEXTS)
    assert same(fresh, kept)


def test_another_process_finds_the_same_scores(home, read):
    """Counted here, searched there: the child extracts no chunk's terms, and its scores have the same digits."""
    counts = count_terms(chunks(), "language", files(home))
    found = KeywordIndex(chunks(), KeywordSettings(), counts).search("zwrot refunds 退款 14", 10)
    assert len(list(found)) == 3
    program = """
import sys
from dataclasses import replace
from pathlib import Path
from tests.unit.pipeline.test_cached_terms import chunks, files, cached_terms
from rag_variants.pipeline.retrieve.keyword import KeywordIndex, KeywordSettings
cached_terms.CACHED_FROM_CHUNKS = 1
cached_terms.chunk_terms = None
counts = cached_terms.count_terms(chunks(), "language", files(Path(sys.argv[1])))
found = KeywordIndex(chunks(), KeywordSettings(), counts).search("zwrot refunds 退款 14", 10)
print([(hit.chunk.start, hit.score.hex()) for hit in found])
"""
    shown = subprocess.run(
        [sys.executable, "-c", program, str(home)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
        cwd=Path(__file__).parents[3],
    )
    assert shown.stdout.strip() == str([(hit.chunk.start, hit.score.hex()) for hit in found])


def test_a_damaged_file_is_counted_again_and_mended(home, read):
    fresh = count_terms(chunks(), "language", files(home))
    (path,) = (home / "indexes").iterdir()
    path.write_bytes(path.read_bytes()[:-40])
    assert same(count_terms(chunks(), "language", files(home)), fresh)
    assert len(read) == 2 * len(TEXTS)
    assert same(count_terms(chunks(), "language", files(home)), fresh)
    assert len(read) == 2 * len(TEXTS)


@pytest.mark.parametrize(
    "arrays",
    [
        {},
        {"terms": np.zeros(3, np.uint8), "starts": np.zeros(1), "rows": np.zeros(0), "counts": np.zeros(0)},
        {name: np.frombuffer(b"[]", np.uint8) for name in ("terms", "starts", "rows", "counts", "lengths")},
    ],
)
def test_a_file_of_that_name_and_another_form_is_counted_again(home, read, arrays):
    fresh = count_terms(chunks(), "language", files(home))
    (path,) = (home / "indexes").iterdir()
    files(home).write(path.stem, arrays)
    assert same(count_terms(chunks(), "language", files(home)), fresh)
    assert len(read) == 2 * len(TEXTS)


def test_whatever_decides_the_counts_gives_them_another_file(home, monkeypatch):
    def kept() -> int:
        return len(list((home / "indexes").iterdir()))

    count_terms(chunks(), "language", files(home))
    count_terms(chunks(), "words", files(home))
    assert kept() == 2
    count_terms(chunks(languages=("pl", *LANGUAGES[1:])), "language", files(home))
    assert kept() == 3
    count_terms(chunks(texts=("Refunds take 30 days.", *TEXTS[1:])), "language", files(home))
    assert kept() == 4
    count_terms(chunks()[::-1], "language", files(home))
    assert kept() == 5
    # the same letters, cut elsewhere
    count_terms(chunks(("ab", "c"), ("en", "en")), "language", files(home))
    count_terms(chunks(("a", "bc"), ("en", "en")), "language", files(home))
    assert kept() == 7
    monkeypatch.setattr(cached_terms, "FORM", "another")
    count_terms(chunks(), "language", files(home))
    assert kept() == 8
    monkeypatch.setattr(cached_terms, "terms_version", lambda: "another")
    count_terms(chunks(), "language", files(home))
    assert kept() == 9


def test_the_rules_and_their_libraries_decide_the_version_of_terms(monkeypatch):
    before = terms.terms_version()
    for name, other in (("version", lambda name: "0"), ("languages", terms), ("terms", terms)):
        terms.terms_version.cache_clear()
        with monkeypatch.context() as change:
            change.setattr(terms, name, other)
            assert terms.terms_version() != before
    terms.terms_version.cache_clear()
    assert terms.terms_version() == before


def test_small_bases_and_a_bench_without_files_write_nothing(tmp_path, monkeypatch):
    count_terms(chunks(), "language", files(tmp_path / "home"))
    assert not (tmp_path / "home").exists()
    monkeypatch.setattr(cached_terms, "CACHED_FROM_CHUNKS", 1)
    place = open_bench(knowledge({"a": "alpha beta"}), settings=Settings(home=tmp_path / "home"))
    assert len(keyword_index(read_variant("keyword"), replace(place, files=None)).search("alpha", 5)) == 1
    assert not (tmp_path / "home").exists()


def test_a_bench_keeps_large_bases_in_its_settings_home(home, read):
    base = knowledge({"a": "alpha beta", "b": "beta gamma"})
    for _ in range(2):
        place = open_bench(base, settings=Settings(home=home))
        found = keyword_index(read_variant("keyword"), place).search("gamma", 5)
        assert [hit.chunk.document for hit in found] == ["b"]
    assert len(read) == 2  # two chunks, once
    assert len(list((home / "indexes").iterdir())) == 1


def test_few_indexes_of_large_bases_stay_in_memory(monkeypatch):
    """Of 24 of any stage, 24 of small bases are kept; of a base that fills the room alone, the latest 4."""
    sizes = range(200, 230)
    for room, expected in ((120_000, 24), (1, 4)):
        monkeypatch.setattr("rag_variants.pipeline.retrieve.keyword.CHUNKS_HELD", room)
        place = bench({"a": "alpha beta", "b": "beta gamma"})
        for size in sizes:
            keyword_index(read_variant(f"keyword:chunk_size={size}"), place)
        assert [len(place.cache._held[stage]) for stage in ("tokens", "keyword index")] == [expected, expected]
