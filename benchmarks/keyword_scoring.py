"""Keyword search over 100,000 chunks beside rank-bm25, in one run: time, memory, and whether the scores are equal.

Words are drawn by Zipf's law, chunks have 60 to 140 of them. A question is 8 unlike words of which each was drawn as
those of the chunks are, so that frequent words are asked for too: long columns are what takes time.
"""

import gc
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from rag_variants.pipeline.bench import open_files
from rag_variants.pipeline.retrieve.chunk_terms import count_terms
from rag_variants.pipeline.retrieve.keyword import KeywordIndex, KeywordSettings
from rag_variants.settings import Settings
from rag_variants.types import Chunk
from tests.okapi import Okapi

CHUNKS, VOCABULARY, EXPONENT = 100_000, 200_000, 1.07
QUESTIONS, WORDS, DEPTH, ROUNDS = 5, 8, 30, 3
SETTINGS = KeywordSettings(tokens="words")
Dice = np.random.Generator
T = TypeVar("T")


def keyword_rows() -> None:
    """Prints the rows of keyword scoring."""
    dice = np.random.default_rng(6)
    chunks, questions = make_chunks(dice), [make_question(dice) for _ in range(QUESTIONS)]
    with TemporaryDirectory() as home:
        files = open_files(Settings(home=Path(home)))

        def make() -> KeywordIndex:
            return KeywordIndex(chunks, SETTINGS, count_terms(chunks, SETTINGS.tokens, files))

        index, built = timed(make)
        index, read = timed(make)
    scorer, theirs_built = timed(lambda: Okapi(terms_of(chunks)))
    matched = statistics.mean(np.count_nonzero(index_scores(index, each)) for each in questions)
    print(f"{CHUNKS:,} chunks, {WORDS} words a question, one of which stands in {matched:,.0f} of them on average")
    print(f"built in {built:.1f} s, read from disk in {read:.1f} s; rank-bm25 built in {theirs_built:.1f} s")
    apart = max(np.abs(index_scores(index, each) - scorer.get_scores(each)).max() for each in questions)
    row("largest difference of a score", f"{apart:.0e}", "≤ 1e-6", apart <= 1e-6)
    compare("scores", 120, questions, lambda each: index_scores(index, each), scorer.get_scores)
    compare(
        f"with the top {DEPTH}",
        60,
        questions,
        lambda each: tuple(index.search(" ".join(each), DEPTH)),
        lambda each: np.argsort(scorer.get_scores(each))[::-1][:DEPTH],
    )
    memory_row(chunks)


def compare(
    words: str,
    target: int,
    questions: Sequence[list[str]],
    ours: Callable[[list[str]], object],
    theirs: Callable[[list[str]], object],
) -> None:
    """One row: the quickest of some rounds for each question, in turns; then the median of questions."""
    mine, plain = [], []
    for question in questions:
        rounds = [(timed(lambda: ours(question))[1], timed(lambda: theirs(question))[1]) for _ in range(ROUNDS)]  # noqa: B023
        mine.append(min(one for one, _ in rounds))
        plain.append(min(other for _, other in rounds))
    quick, slow = statistics.median(mine), statistics.median(plain)
    print(f"{words}: {quick * 1000:.2f} ms, rank-bm25 {slow * 1000:.0f} ms")
    row(f"{words}, times faster than rank-bm25", f"{slow / quick:.0f}", f"≥ {target}", slow / quick >= target)


def memory_row(chunks: Sequence[Chunk]) -> None:
    """Bytes that each index holds when it is built, by tracemalloc: arrays, dicts, and each word once."""
    mine = held(lambda: KeywordIndex(chunks, SETTINGS))
    plain = held(lambda: Okapi(terms_of(chunks)))
    print(f"memory held: {mine / 1e6:.0f} MB, rank-bm25 {plain / 1e6:.0f} MB")
    row("memory of the index ÷ rank-bm25's", f"{mine / plain:.2f}", "≤ 0.5", mine <= 0.5 * plain)


def held(make: Callable[[], object]) -> int:
    """Bytes that were allocated for what a call makes and are still in use."""
    gc.collect()
    tracemalloc.start()
    try:
        made = make()
        gc.collect()
        used, _ = tracemalloc.get_traced_memory()
        del made
    finally:
        tracemalloc.stop()
    return used


def make_chunks(dice: Dice) -> list[Chunk]:
    """Chunks of one document, in its order."""
    lengths = dice.integers(60, 141, CHUNKS)
    words = draw(dice, int(lengths.sum()))
    ends = np.cumsum(lengths)
    chunks, begin = [], 0
    for end, length in zip(ends.tolist(), lengths.tolist(), strict=True):
        text = " ".join(f"w{word}" for word in words[end - length : end].tolist())
        chunks.append(Chunk("large.txt", begin, begin + len(text), text, "en"))
        begin += len(text) + 1
    return chunks


def make_question(dice: Dice) -> list[str]:
    """Unlike words, drawn as those of the chunks are."""
    return [f"w{word}" for word in list(dict.fromkeys(draw(dice, 1_000).tolist()))[:WORDS]]


def draw(dice: Dice, size: int) -> npt.NDArray[np.int64]:
    """Numbers of words; the n-th most frequent is n^-1.07 as frequent as the first."""
    shares = 1 / np.arange(1, VOCABULARY + 1) ** EXPONENT
    return dice.choice(VOCABULARY, size, p=shares / shares.sum())


def terms_of(chunks: Sequence[Chunk]) -> Iterator[list[str]]:
    """The terms of each chunk, equal words one string: 100 bytes a word would be held against rank-bm25 else."""
    return ([sys.intern(word) for word in chunk.text.split()] for chunk in chunks)


def index_scores(index: KeywordIndex, question: list[str]) -> npt.NDArray[np.float64]:
    """The scores of all chunks."""
    return index.matrix.scores((term, 1.0) for term in question)


def timed(make: Callable[[], T]) -> tuple[T, float]:
    """What a call makes, and the seconds it takes."""
    begin = time.perf_counter()
    made = make()
    return made, time.perf_counter() - begin


def row(words: str, value: str, target: str, reached: bool) -> None:
    """One row of the table."""
    print(f"{words:48} {value:>6}   target {target}{'' if reached else '   MISS'}")


if __name__ == "__main__":
    keyword_rows()
