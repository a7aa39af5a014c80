"""Markdown: read as the text it is, so that evidence can be quoted as it stands in the file."""

from rag_variants.corpus.loaders.loader import Loader, read_text

MARKDOWN = Loader("markdown", (".md",), read_text)
