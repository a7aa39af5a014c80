"""Document → chunks with their exact spans."""

import re
from functools import cache
from typing import TYPE_CHECKING

from rag_variants.corpus.fences import find_fences
from rag_variants.errors import VariantError
from rag_variants.types import Chunk, Document

if TYPE_CHECKING:
    from langchain_text_splitters import RecursiveCharacterTextSplitter

# No chunk begins with one of these: stops, what closes a quotation or bracket, marks that belong to the letter before.
CLOSING = "。！？；，、：…．｡､”’」』）】》〉"
_CLOSING = re.compile(rf"[{CLOSING}\u0300-\u036f\u200d\ufe0f]")
_NOT_BEFORE_CLOSING = rf"(?!\s?{_CLOSING.pattern})"
# From coarse to fine; each matches a place, not text, so that the pieces always join to the text.
SEPARATORS = (
    r"(?<=\n)(?=#{1,2} )",  # Markdown headings
    r"(?<=\n)(?=#{3,6} )",
    r"(?<=\n)(?=[ \t]*\n)",  # paragraphs
    r"(?<=\n)",  # lines
    r"(?:(?<=[。！？；｡])|(?<=[。！？；｡][”’」』）】》])|(?<=[.!?…]\s)|(?<=[.!?…][\"”’)]\s))",  # sentence ends
    r"(?:(?<=[，、：])|(?<=[,;:]\s))",  # parts of sentences
    r"(?<=\s)(?=\S)",  # words
    r"(?<=[\s\S])",  # characters
)
_HEADING = re.compile(r"#{1,6} ")
_COMMENT = re.compile(r"^#", re.MULTILINE)
_COVER = "\ue000"  # a letter to all separators, and no mark
_LEAST_SIZE = 2


class _Piece(str):
    """A text that knows where it begins."""

    start: int = 0


def split_into_chunks(document: Document, chunk_size: int, chunk_overlap: int) -> tuple[Chunk, ...]:
    """The chunks of a document, in order; none is longer than `chunk_size` characters, none is blank.

    `document.text[start:end] == chunk.text` holds for each; blank edges are left out. Fenced code stays whole where it
    fits. Raises VariantError.
    """
    _check(chunk_size, chunk_overlap)
    text = _with_fences_covered(document.text, chunk_size)
    chunks: list[Chunk] = []
    reached = 0
    for piece in _splitter(chunk_size, chunk_overlap).split_text(text):
        chunk = None if piece.isspace() else _chunk(document, text, piece)
        if chunk and chunk.end > reached:  # with an overlap, a last piece of blanks would repeat what was there
            if (
                chunks
                and _is_heading(text[chunks[-1].start : chunks[-1].end])
                and chunk.end - chunks[-1].start <= chunk_size
            ):
                chunk = _span(document, chunks.pop().start, chunk.end)  # a heading stays with what it heads
            chunks.append(chunk)
            reached = chunk.end
    return tuple(chunks)


def _check(chunk_size: int, chunk_overlap: int) -> None:
    if chunk_size < _LEAST_SIZE:
        raise VariantError(f"chunk_size={chunk_size} is too small. Choose {_LEAST_SIZE} characters or more.")
    if chunk_overlap < 0:
        raise VariantError(f"chunk_overlap={chunk_overlap} is below 0. Choose 0 for no overlap.")
    if chunk_overlap >= chunk_size:
        raise VariantError(
            f"chunk_overlap={chunk_overlap} is not smaller than chunk_size={chunk_size}, so chunks would never "
            f"advance. Choose an overlap below {chunk_size}, or a larger chunk_size."
        )


def _with_fences_covered(text: str, chunk_size: int) -> str:
    """The text, as long as it was, where no border is seen in fenced code that fits, and no heading in any."""
    parts, reached = [], 0
    for start, end in find_fences(text):
        code = text[start:end]
        parts += [text[reached:start], _COVER * len(code) if len(code) <= chunk_size else _COMMENT.sub(_COVER, code)]
        reached = end
    return "".join([*parts, text[reached:]])


def _chunk(document: Document, text: str, piece: str) -> Chunk:
    start = getattr(piece, "start", 0)
    assert text.startswith(piece, start), "the splitter lost its place; see _splitter_class"
    end = start + len(piece.rstrip())
    blanks = len(piece) - len(piece.lstrip())
    if blanks and _CLOSING.match(piece[blanks]):
        blanks -= 1  # a blank stays rather than a stop at the beginning
    return _span(document, start + blanks, end)


def _span(document: Document, start: int, end: int) -> Chunk:
    return Chunk(document.path, start, end, document.text[start:end], document.language)


def _is_heading(text: str) -> bool:
    return text.startswith("#") and all(_HEADING.match(line) for line in text.split("\n") if line.strip())


def _splitter(chunk_size: int, chunk_overlap: int) -> "RecursiveCharacterTextSplitter":
    return _splitter_class()(
        separators=[*(separator + _NOT_BEFORE_CLOSING for separator in SEPARATORS), ""],
        is_separator_regex=True,
        keep_separator="end",
        strip_whitespace=False,
        chunk_size=chunk_size,
        chunk_overlap=chunk_overlap,
    )


@cache
def _splitter_class() -> "type[RecursiveCharacterTextSplitter]":
    """LangChain's splitter with pieces that carry their place.

    Its own `add_start_index` searches for the chunk's text and finds another place where text repeats. Here nothing is
    searched: pieces pass `_merge_splits` once each and in order, so that a running sum of their lengths is their place,
    and a merged chunk begins where its first piece does.
    """
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    class Splitter(RecursiveCharacterTextSplitter):
        _place = 0

        def split_text(self, text: str) -> list[str]:
            self._place = 0
            return super().split_text(text)

        def _merge_splits(self, splits: "list[str]", separator: str) -> list[str]:  # type: ignore[override]
            return super()._merge_splits([self._placed(split) for split in splits], separator)

        def _join_docs(self, docs: list[str], separator: str) -> str | None:
            if not docs:
                return None
            joined = _Piece(separator.join(docs))
            joined.start = getattr(docs[0], "start", 0)
            return joined

        def _placed(self, split: str) -> _Piece:
            piece = _Piece(split)
            piece.start, self._place = self._place, self._place + len(split)
            return piece

    return Splitter
