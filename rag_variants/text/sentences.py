"""Text → sentences with their spans, aware of Markdown and of three languages."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from rag_variants.text.language import Language, detect_language

# A line that stands alone in Markdown: heading, list item, quote, table row, rule.
_OWN_LINE = re.compile(r"\s*(#{1,6}\s|[-*+]\s|\d{1,3}[.)]\s|>|\||-{3,}\s*$|[一二三四五六七八九十]+、)")
_TABLE_RULE = re.compile(r"[\s|:\-]+")
_MARKER = re.compile(r"(?:\s*(?:#{1,6}\s|[-*+]\s|\d{1,3}[.)]\s|>|\||[一二三四五六七八九十]+、)\s*)+")
# sentencex knows no Polish abbreviations: a break after one of these is none.
_POLISH_ABBREVIATION = re.compile(
    r"(?:^|[\s(„])(?:m\.in|tj|tzn|tzw|np|ok|zob|por|ust|art|pkt|lit|nr|godz|str|ul|al|pl|tel|wg|ww|dr|mgr|inż|prof|sp|o\.o|r|w|min|maks|al|os)\.\s*$",
    re.IGNORECASE,
)


class Sentence(NamedTuple):
    """A sentence with the half-open span `[start, end)` of characters it has in its text."""

    start: int
    end: int
    text: str


@lru_cache(maxsize=8_192)
def split_sentences(text: str, language: Language | None = None) -> tuple[Sentence, ...]:
    """The sentences of a text, in order, without blank edges and list or heading marks.

    Headings, list items and table rows are sentences of their own; lines of one paragraph belong together.
    `text[start:end] == sentence.text` holds for each.
    """
    language = language or detect_language(text)
    found = []
    for start, end in _blocks(text):
        for left, right in _breaks(text[start:end], language):
            piece = text[start + left : start + right]
            mark = _MARKER.match(piece)
            skipped = mark.end() if mark and left == 0 else len(piece) - len(piece.lstrip())
            body = piece[skipped:].rstrip().rstrip("|").rstrip()
            if body and not _TABLE_RULE.fullmatch(body):
                found.append(Sentence(start + left + skipped, start + left + skipped + len(body), body))
    return tuple(found)


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Spans that no sentence crosses: paragraphs, and each heading, list item or table row alone."""
    begin: int | None = None
    position = 0
    for line in text.splitlines(keepends=True):
        here, position = position, position + len(line)
        own, blank = bool(_OWN_LINE.match(line)), not line.strip()
        if (own or blank) and begin is not None:
            yield begin, here
            begin = None
        if own and (line.lstrip().startswith(("#", "|")) or _TABLE_RULE.fullmatch(line)):
            yield here, position
        elif not blank and begin is None:
            begin = here
    if begin is not None:
        yield begin, position


def _breaks(block: str, language: Language) -> Iterator[tuple[int, int]]:
    """Sentence spans of a block; breaks that only an abbreviation caused are closed again."""
    from sentencex import get_sentence_boundaries

    begin = 0
    spans = [(piece["start_index"], piece["end_index"]) for piece in get_sentence_boundaries(language, block)]
    for (_, end), following in zip(spans, [*spans[1:], None], strict=True):
        rest = block[end : following[1]].lstrip() if following else ""
        lowercase = rest[:1].islower()
        abbreviation = language == "pl" and rest and _POLISH_ABBREVIATION.search(block[begin:end])
        if not (lowercase or abbreviation):
            yield begin, end
            begin = end
