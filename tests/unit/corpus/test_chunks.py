"""Chunks and their spans."""

import random
import subprocess
import sys

import pytest

from rag_variants.corpus.chunks import split_into_chunks
from rag_variants.errors import VariantError
from rag_variants.types import Chunk, Document

PAIR = "退款期限为三十天，自签收之日起计算。超过期限的申请不予受理。"


def document(text: str, language: str = "en") -> Document:
    return Document("a.md", text, "A", language)


def chunks_of(text: str, size: int, overlap: int = 0) -> tuple[Chunk, ...]:
    return split_into_chunks(document(text), size, overlap)


def test_h15_chinese_without_spaces_ends_after_its_stops() -> None:
    text = PAIR * 20
    chunks = chunks_of(text, 100)
    assert len(text) == 600
    assert max(len(chunk.text) for chunk in chunks) <= 100
    assert not any(chunk.text[0] in "。，！？" for chunk in chunks)
    assert all(chunk.text.endswith("。") for chunk in chunks)
    assert "".join(chunk.text for chunk in chunks) == text


def test_h15_a_line_without_any_break_is_cut_hard() -> None:
    chunks = chunks_of("x" * 5000, 100)
    assert [(chunk.start, chunk.end) for chunk in chunks] == [(at, at + 100) for at in range(0, 5000, 100)]


@pytest.mark.parametrize("overlap", [50, 80])
def test_h15_an_overlap_as_large_as_the_size_is_refused(overlap: int) -> None:
    with pytest.raises(VariantError, match=rf"chunk_overlap={overlap} .*chunk_size=50.* Choose an overlap below 50"):
        chunks_of(PAIR, 50, overlap)


@pytest.mark.parametrize(("size", "overlap"), [(0, 0), (-5, 0), (1, 0), (50, -1)])
def test_impossible_sizes_are_refused(size: int, overlap: int) -> None:
    with pytest.raises(VariantError, match="Choose"):
        chunks_of("text", size, overlap)


def test_spans_are_right_where_text_repeats_and_chunks_overlap() -> None:
    # A search for the chunk's text would find 1, 2, 3 …: each chunk begins 100 − 10 = 90 after the one before.
    chunks = chunks_of("x" * 5000, 100, 10)
    assert [chunk.start for chunk in chunks[:4]] == [0, 90, 180, 270]
    assert chunks[-1].end == 5000


def test_equal_chunks_of_one_file_have_different_ids() -> None:
    chunks = chunks_of("Same words here.\n\n" * 3, 17)
    assert [chunk.text for chunk in chunks] == ["Same words here."] * 3
    assert [chunk.id for chunk in chunks] == ["a.md:0-16", "a.md:18-34", "a.md:36-52"]


@pytest.mark.parametrize("text", ["", " ", "\n\n \t\n" * 200])
def test_blanks_are_no_chunk(text: str) -> None:
    assert chunks_of(text, 50) == ()


def test_chunks_break_at_headings_paragraphs_and_sentences() -> None:
    text = "# One\n\nFirst part.\n\n# Two\n\nSecond part. It goes on! Does it?"
    assert [chunk.text for chunk in chunks_of(text, 32)] == [
        "# One\n\nFirst part.",
        "# Two\n\nSecond part. It goes on!",
        "Does it?",
    ]


def test_a_heading_stays_with_what_it_heads() -> None:
    body = "word " * 8
    text = f"# Prices\n\n{body}end.\n{body}end."
    assert not any(chunk.text == "# Prices" for chunk in chunks_of(text, 60))


def test_a_heading_that_does_not_fit_is_a_chunk_of_its_own() -> None:
    assert chunks_of("# Prices\n\n" + "x" * 40, 20)[0].text == "# Prices"


def test_polish_and_english_sentences_are_not_cut_inside() -> None:
    text = "Zwrot trwa 14 dni. Liczymy od dostawy! Czy zawsze? Tak, zawsze."
    for chunk in chunks_of(text, 25):
        assert chunk.text[-1] in ".!?"


def test_a_quotation_mark_stays_with_its_sentence() -> None:
    assert [chunk.text for chunk in chunks_of("他说：“退款三十天。”我们同意。", 12)] == [
        "他说：“退款三十天。”",
        "我们同意。",
    ]


def test_a_letter_keeps_its_accent() -> None:
    text = "e\u0301" * 30  # e and a combining acute
    assert all(chunk.text[0] == "e" for chunk in chunks_of(text, 7))


def test_the_language_is_that_of_the_document() -> None:
    assert split_into_chunks(document(PAIR, "zh"), 100, 0)[0].language == "zh"


ALPHABET = [
    "。",
    "，",
    " ",
    "\n",
    "a",
    "字",
    "b。",
    "# h",
    "\n\n",
    "\n## x\n",
    ". ",
    "!",
    "e\u0301",
    "”",
    "word ",
    "x" * 30,
]
ALPHABET += ["   ", "\t", "-", "[x]", "🙂", "\u2028", "；", "？\n"]


@pytest.mark.parametrize("seed", range(8))
def test_random_texts(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(150):
        text = "".join(chance.choice(ALPHABET) for _ in range(chance.randrange(120)))
        size = chance.randrange(12, 60)
        overlap = chance.choice([0, chance.randrange(size)])
        chunks = chunks_of(text, size, overlap)
        for chunk in chunks:
            assert text[chunk.start : chunk.end] == chunk.text
            assert chunk.text.strip()
            assert len(chunk.text) <= size
            run_of_stops = text[max(0, chunk.start - 1) : chunk.start + 1].strip("。，！？；”") == ""
            assert chunk.text[0] not in "。，！？；" or run_of_stops
        covered = {at for chunk in chunks for at in range(chunk.start, chunk.end)}
        assert all(text[at].isspace() for at in range(len(text)) if at not in covered)
        assert [chunk.end for chunk in chunks] == sorted({chunk.end for chunk in chunks})
        if overlap == 0:
            assert sum(len(chunk.text) for chunk in chunks) == len(covered)
        assert chunks == chunks_of(text, size, overlap)


def test_langchain_is_not_imported_with_the_module() -> None:
    code = "import sys, rag_variants.corpus.chunks; print([m for m in sys.modules if m.startswith('langchain')])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


SHELL = "# install it\npip install x\n\n# and run it.\nx --all"
FENCES = [
    f"```\n{SHELL}\n```",
    f"```sh\n{SHELL}\n```",
    f"~~~sh title='a'\n{SHELL}\n~~~",
    f"~~~~\n~~~\n{SHELL}\n~~~~",
    f"   ```python\n{SHELL}\n   ```  ",
]


@pytest.mark.parametrize("fence", FENCES)
@pytest.mark.parametrize("size", [80, 90, 120])
def test_a_fence_that_fits_stays_whole(fence: str, size: int) -> None:
    before, after = "# Setup\n\nPoniższe polecenia instalują program. " * 2, "\n\n## Dalej\n\n安装完成后重启。" * 3
    chunks = chunks_of(f"{before}\n{fence}\n{after}", size)
    assert max(len(chunk.text) for chunk in chunks) <= size
    assert sum(fence.strip() in chunk.text for chunk in chunks) == 1


def test_a_fence_that_does_not_fit_is_cut_at_its_lines_and_not_for_its_comments() -> None:
    code = "\n".join(f"# step {at}\nrun {at}\n" for at in range(9))
    text = f"Intro.\n\n```sh\n{code}```\n\nEnd."
    chunks = chunks_of(text, 60)
    assert max(len(chunk.text) for chunk in chunks) <= 60
    # paragraphs of the code, `# step 0` and `run 0` among them, hold together
    assert all(any(f"# step {at}\nrun {at}" in chunk.text for chunk in chunks) for at in range(9))
    assert all(text[chunk.start : chunk.end] == chunk.text for chunk in chunks)


def test_two_backticks_and_code_in_a_line_are_no_fence() -> None:
    text = "``` `x` ``` is code.\n\n# Head\n\nText of the section.\n"
    assert [chunk.text for chunk in chunks_of(text, 40)] == ["``` `x` ``` is code.", "# Head\n\nText of the section."]
