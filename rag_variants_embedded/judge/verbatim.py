"""Whether a statement stands in the texts word for word: whole sentences, list items or table rows."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from rag_variants.text.citations import strip_citations
from rag_variants.text.language import Language
from rag_variants.text.sentences import split_sentences
from rag_variants.text.table_rows import Row, read_headers, read_rows, said_cells, say_row

_BLANK = re.compile(r"[\s*`]+")
_END = ".。;；!！,，"
_PIECES = re.compile("(?<=[;；])")


def find_verbatim(statement: str, contexts: Sequence[str], language: Language) -> str | None:
    """What the statement repeats, as it stands there; None if it says anything in words of its own.

    Part of a sentence is no repetition: what surrounds it may turn it around. A row may be said without some of its
    cells, each under its own header.
    """
    wanted = "".join(piece for piece, _ in _pieces(statement, language))
    if not wanted:
        return None
    row = _find_row(statement, contexts)
    if row is not None:
        return row
    for context in contexts:
        whole, places = _places(context, language)
        at = whole.find(wanted)
        while at >= 0:
            if at in places and at + len(wanted) in places:
                said = (places[place] for place in sorted(places) if at <= place < at + len(wanted))
                return " … ".join(dict.fromkeys(said))
            at = whole.find(wanted, at + 1)
    return None


def is_said_row(statement: str) -> bool:
    """Whether a statement has the form of a table row said with its header."""
    return len(said_cells(statement)) > 1


def _level(text: str) -> str:
    """A text without blanks, emphasis, citations and the sign at its end."""
    return _BLANK.sub("", strip_citations(text)).rstrip(_END)


def _pieces(text: str, language: Language) -> Iterator[tuple[str, str]]:
    """The levelled pieces of a text, each with its sentence as it stands there."""
    for sentence in split_sentences(text, language):
        for piece in _PIECES.split(sentence.text):
            if levelled := _level(piece):
                yield levelled, sentence.text


@lru_cache(maxsize=2_048)
def _places(context: str, language: Language) -> tuple[str, Mapping[int, str]]:
    """The pieces of a text, joined, and the sentence that stands at each of their borders."""
    whole, places = "", {}
    for piece, sentence in _pieces(context, language):
        places[len(whole)] = sentence
        whole += piece
    return whole, {**places, len(whole): ""}


def _find_row(statement: str, contexts: Sequence[str]) -> str | None:
    """The row that a statement says, from its header and cells, or from its cells alone."""
    said = _level(statement)
    cells = tuple((_level(name), _level(cell)) for name, cell in said_cells(statement))
    for row in _rows(contexts):
        whole = say_row(row.header or ("",) * len(row.cells), row.cells)
        if said in (_level(whole), _level("|".join(row.cells))):
            return row.line
        if row.header and cells:
            known = {(_level(name), _level(cell)) for name, cell in zip(row.header, row.cells, strict=True)}
            if known.issuperset(cells):
                return row.line
    return None


def _rows(contexts: Sequence[str]) -> Iterator[Row]:
    """The rows of all tables; one cut from its header, under each header of as many cells that the texts hold."""
    headers = read_headers(contexts)
    for context in contexts:
        for row in read_rows(context):
            yield row
            if not row.header:
                yield from (row._replace(header=header) for header in headers if len(header) == len(row.cells))
