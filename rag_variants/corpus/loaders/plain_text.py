"""Plain text."""

from rag_variants.corpus.loaders.loader import Loader, read_text

PLAIN_TEXT = Loader("text", (".txt",), read_text)
