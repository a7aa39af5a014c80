"""A document's text around a piece of evidence with the borders of its chunks, as rows and as HTML."""

from collections.abc import Sequence
from dataclasses import dataclass

from rag_variants.questions.gold import Gold, Occurrence
from rag_variants.report.border_words import CHUNK, border_sentences, name_evidence
from rag_variants.report.evidence_marks import mark_chunks, mark_evidence
from rag_variants.report.marked_text import Highlight, mark_up
from rag_variants.types import Chunk, Document

AROUND = 260  # characters shown on either side of the evidence
MOST_EVIDENCE = 1_500  # characters of it shown: evidence without a quote is a whole document
_WORD = 24  # characters that an end of the window gives way to stand between words


@dataclass(frozen=True, slots=True)
class BorderView:
    """What is shown: `[start, end)` of a text with its highlights, what lies before and after, and sentences."""

    text: str
    start: int
    end: int
    highlights: tuple[Highlight, ...]
    before: str
    after: str
    sentences: tuple[str, ...]


def places_in(document: Document, gold: Gold) -> tuple[Occurrence, ...]:
    """Where a question's evidence stands in a document, in the order of the text."""
    found = (each for each in gold.occurrences if each.document == document.path)
    return tuple(sorted(found, key=lambda each: (each.start, each.end, each.group)))


def view_borders(
    document: Document,
    chunks: Sequence[Chunk],
    gold: Gold,
    place: Occurrence,
    around: int = AROUND,
    piece: str = CHUNK,
) -> BorderView:
    """The borders around one of the document's `places_in`, and what they do to it.

    What is shown depends on the evidence alone, so that the text stands still while a chunk size moves. `chunks` may
    hold other documents' chunks too; those of this one are numbered from 1 and called `piece`.
    """
    own = sorted((chunk for chunk in chunks if chunk.document == document.path), key=lambda chunk: chunk.order)
    start, end = _window(document.text, place, around)
    return BorderView(
        text=document.text,
        start=start,
        end=end,
        highlights=(*mark_chunks(own, gold), *mark_evidence(document.path, gold)),
        before=_before_words(start, own, piece),
        after=f"… {_characters(len(document.text) - end)} after" if end < len(document.text) else "",
        sentences=border_sentences(place, own, name_evidence(place, gold), piece),
    )


def borders_html(view: BorderView) -> str:
    """The text with its marks, for `marked_text.CSS`; every foreign character is escaped.

    Without its tags the block `kb-text` is what is shown of the document, character for character.
    """
    text = mark_up(view.text, view.highlights, view.start, view.end, ends=False)
    return "".join((_aside(view.before), text, _aside(view.after)))


def _aside(words: str) -> str:
    """Our own words: numbers, and nothing of the document's."""
    return f'<div class="kb-aside">{words}</div>' if words else ""


def _window(text: str, place: Occurrence, around: int) -> tuple[int, int]:
    """The evidence with its surroundings, from the beginning of a word to the end of one where there are words."""
    start = place.start - around
    end = min(place.end, place.start + MOST_EVIDENCE) + around
    start = 0 if start <= _WORD else next((at for at in range(start, start + _WORD) if text[at - 1].isspace()), start)
    if end >= len(text) - _WORD:
        return start, len(text)
    return start, next((at for at in range(end, end - _WORD, -1) if text[at].isspace()), end)


def _before_words(start: int, chunks: Sequence[Chunk], piece: str) -> str:
    """How much lies before, and how much of it belongs to the chunk that the window begins in."""
    if not start:
        return ""
    inside = [number for number, chunk in enumerate(chunks, start=1) if chunk.start < start < chunk.end]
    begun = f", the last {start - chunks[inside[-1] - 1].start:,} of them in {piece} {inside[-1]}" if inside else ""
    return f"… {_characters(start)} before{begun}"


def _characters(count: int) -> str:
    return f"{count:,} character{'' if count == 1 else 's'}"
