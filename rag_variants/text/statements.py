"""Answer or reference → the statements it makes."""

import re
from collections.abc import Iterator
from functools import lru_cache

from rag_variants.text.citations import citation_spans, strip_citations
from rag_variants.text.language import Language, detect_language
from rag_variants.text.sentences import split_sentences
from rag_variants.text.table_rows import said_cells

_CLAUSES = re.compile("[;；]")
_LINE_END = re.compile(r"[.。!！;；,，]?[ \t]*\r?(?:\n|$)")


@lru_cache(maxsize=16_384)
def split_statements(text: str, question: str = "", language: Language | None = None) -> tuple[str, ...]:
    """The statements of an answer, in order: sentences, parted at semicolons, without citations and questions.

    A line that ends with a citation ends a statement. A table row, copied or said with its header
    (`Room: Loft; Fee: 900 EUR`), is one statement: its cells mean nothing apart.
    """
    language = language or detect_language(strip_citations(text))
    found: list[str] = []
    for part in _cited_parts(text):
        bare = strip_citations(part)
        found.extend(_of_part(bare, language))
    asked = " ".join(question.split())
    return tuple(piece for piece in found if not piece.endswith(("?", "？")) and piece != asked)


def _cited_parts(text: str) -> Iterator[str]:
    """The text, parted behind each line that ends with a citation."""
    begin = 0
    for _, end in citation_spans(text):
        line_end = _LINE_END.match(text, end)
        if line_end:
            yield text[begin : line_end.end()]
            begin = line_end.end()
    yield text[begin:]


def _of_part(text: str, language: Language) -> Iterator[str]:
    lines, prose = text.splitlines(keepends=True), ""
    for line in lines:
        if " | " in line or len(said_cells(line.strip())) > 1:
            yield from _of_prose(prose, language)
            if any(map(str.isalnum, line)):
                yield line.strip().strip("|").strip()
            prose = ""
        else:
            prose += line
    yield from _of_prose(prose, language)


def _of_prose(text: str, language: Language) -> Iterator[str]:
    for sentence in split_sentences(text, language) if text.strip() else ():
        for piece in _CLAUSES.split(sentence.text):
            if any(map(str.isalnum, piece)):
                yield piece.strip()
