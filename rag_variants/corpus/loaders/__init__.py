"""Which files are documents. To add a format: one file with its Loader, one line here; from elsewhere a package."""

from rag_variants.corpus.loaders.loader import Loaded, Loader
from rag_variants.corpus.loaders.markdown import MARKDOWN
from rag_variants.corpus.loaders.plain_text import PLAIN_TEXT
from rag_variants.registry import Formats

__all__ = ["LOADERS", "Loaded", "Loader"]

# Every format of documents by name.
LOADERS: Formats[Loader] = Formats("document loader", "rag_variants.loaders", Loader, built_in=(MARKDOWN, PLAIN_TEXT))
