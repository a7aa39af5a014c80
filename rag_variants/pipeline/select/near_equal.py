"""Chunks that say nearly the same in the same words."""

import re
import zlib
from collections.abc import Iterable, Iterator

from rag_variants.pipeline.bench import RANKINGS_HELD, Bench
from rag_variants.pipeline.ranking import Ranking
from rag_variants.text.terms import CJK

Shingles = frozenset[int]

WIDTH = 3  # words in a row: fewer and common phrases count as repetition, more and one changed word weighs too much
TEXTS_HELD = 5_000  # some 10 KB each at 600 characters
_WORD = re.compile(rf"[{CJK}]|[^\W{CJK}]+")


def without_repeats(
    ranking: Ranking, places: Iterable[int], least: float, bench: Bench, repeats: list[int]
) -> Iterator[int]:
    """Of some places of a ranking, in their order, those that resemble none before them by `least` or more.

    The places left out are added to `repeats`. Neighbours in a document count the border that both hold as shared text,
    so that they are near-equal only where the overlap is most of the chunk.
    """
    kept: list[Shingles] = []
    for at in places:
        text = ranking.chunks[ranking.places[at]].text
        found = bench.cache.get("shingles", text, lambda text=text: shingles(text), TEXTS_HELD)  # type: ignore[misc]
        if any(resemblance(found, each) >= least for each in kept):
            repeats.append(at)
        else:
            kept.append(found)
            yield at


def all_without_repeats(
    ranking: Ranking, count: int, least: float, bench: Bench
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The same for the first `count` places at once: those that stay and those left out.

    Kept by the chunks, so that what comes after can be moved without comparing them again.
    """

    def compare() -> tuple[tuple[int, ...], tuple[int, ...]]:
        repeats: list[int] = []
        return tuple(without_repeats(ranking, range(count), least, bench, repeats)), tuple(repeats)

    key = (bench.knowledge, least, tuple(ranking.chunks[ranking.places[at]].id for at in range(count)))
    return bench.cache.get("repeats", key, compare, RANKINGS_HELD)


def resemblance(one: Shingles, other: Shingles) -> float:
    """Shingles in both ÷ shingles in either, 0…1 (Broder 1997); 1 for two texts without words."""
    shared = len(one & other)
    either = len(one) + len(other) - shared
    return shared / either if either else 1.0


def shingles(text: str) -> Shingles:
    """Every run of WIDTH words, letters small, each as a number; a Chinese character is a word.

    A text of fewer words has one run.
    """
    words = [word.casefold() for word in _WORD.findall(text)]
    runs = range(max(1, len(words) - WIDTH + 1)) if words else ()
    return frozenset(zlib.crc32(" ".join(words[at : at + WIDTH]).encode("utf-8", "surrogatepass")) for at in runs)
