"""Answer or reference → the statements it makes."""

from functools import lru_cache

from rag_variants.text.citations import strip_citations
from rag_variants.text.language import Language, detect_language
from rag_variants.text.sentences import split_sentences

_CLAUSES = (";", "；")


@lru_cache(maxsize=16_384)
def split_statements(text: str, question: str = "", language: Language | None = None) -> tuple[str, ...]:
    """The statements of an answer, in order: sentences, parted at semicolons, without citations and questions."""
    bare = strip_citations(text)
    language = language or detect_language(bare)
    found: list[str] = []
    for sentence in split_sentences(bare, language):
        pieces = [sentence.text]
        for mark in _CLAUSES:
            pieces = [part for piece in pieces for part in piece.split(mark)]
        found.extend(piece.strip() for piece in pieces if any(map(str.isalnum, piece)))
    asked = " ".join(question.split())
    return tuple(piece for piece in found if not piece.endswith(("?", "？")) and piece != asked)
