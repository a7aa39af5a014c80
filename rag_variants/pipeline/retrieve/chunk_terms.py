"""The terms of chunks, counted once and, of large bases, kept on disk."""

import hashlib
from collections.abc import Sequence

from rag_variants.llm.cached_arrays import CachedArrays
from rag_variants.pipeline.retrieve.term_counts import TermCounts
from rag_variants.text.language import as_language
from rag_variants.text.search_terms import marks, terms_version
from rag_variants.text.terms import extract_terms, split_at_blanks
from rag_variants.types import Chunk

# Below, counting takes a fifth of a second at most.
CACHED_FROM_CHUNKS = 5_000
FORM = "term counts 2"  # to be raised when the arrays change


def chunk_terms(chunk: Chunk, tokens: str) -> tuple[str, ...]:
    """The terms of a chunk in order, repeats kept, under the setting `tokens`."""
    if tokens == "words":
        return split_at_blanks(chunk.text)
    return extract_terms(chunk.text, as_language(chunk.language))


def chunk_marks(chunk: Chunk, tokens: str) -> tuple[str, ...]:
    """What stands beside the terms of a chunk: forms of words, parts of identifiers; nothing under `words`."""
    return () if tokens == "words" else marks(chunk.text, as_language(chunk.language))


def count_terms(chunks: Sequence[Chunk], tokens: str, files: CachedArrays | None = None) -> TermCounts:
    """The counts of chunks; those of many chunks are read from the files, or kept there for the next time."""
    if files is None or len(chunks) < CACHED_FROM_CHUNKS:
        return _counted(chunks, tokens)
    key = _key(chunks, tokens)
    if (kept := files.read(key)) is not None:
        try:
            return TermCounts.from_arrays(kept)
        except ValueError:
            pass  # a file of that name, and not ours: counted again, and written over
    counted = _counted(chunks, tokens)
    files.write(key, counted.to_arrays())
    return counted


def _counted(chunks: Sequence[Chunk], tokens: str) -> TermCounts:
    return TermCounts.count(
        (chunk_terms(chunk, tokens) for chunk in chunks), (chunk_marks(chunk, tokens) for chunk in chunks)
    )


def _key(chunks: Sequence[Chunk], tokens: str) -> str:
    """By everything that decides the counts: texts and languages in order, the way they are cut into terms."""
    digest = hashlib.sha256(repr((FORM, tokens, terms_version())).encode())
    for chunk in chunks:
        text = chunk.text.encode("utf-8", "surrogatepass")
        digest.update(f"\0{chunk.language}\0{len(text)}\0".encode("utf-8", "surrogatepass"))
        digest.update(text)
    return f"terms-{digest.hexdigest()[:32]}"
