"""Which question's evidence to look at first while a chunk size moves."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from rag_variants.questions.gold import Gold, Occurrence
from rag_variants.types import Chunk, Question


def first_cut(located: Iterable[tuple[Question, Gold]], chunks: Sequence[Chunk]) -> Question | None:
    """The first question, in file order, with a piece of evidence that no chunk holds whole; None if all are whole."""
    by_document: dict[str, list[Chunk]] = {}
    for chunk in chunks:
        by_document.setdefault(chunk.document, []).append(chunk)
    for own in by_document.values():
        own.sort(key=lambda chunk: chunk.start)
    for question, gold in located:
        for group in gold.groups:
            places = [each for each in gold.occurrences if each.group == group]
            if places and not any(_is_whole(each, by_document.get(each.document, [])) for each in places):
                return question
    return None


def _is_whole(place: Occurrence, chunks: Sequence[Chunk]) -> bool:
    """Whether a chunk holds the place from end to end; `chunks` are its document's, by start."""
    before = bisect_right(chunks, place.start, key=lambda chunk: chunk.start)
    return any(chunk.end >= place.end for chunk in reversed(chunks[:before]))
