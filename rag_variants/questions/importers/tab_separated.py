"""TSV: columns separated by tabs."""

from rag_variants.questions.importers.importer import Importer, reads_text
from rag_variants.questions.importers.separated import read_separated

TAB_SEPARATED = Importer("tsv", (".tsv",), reads_text(lambda text, path: read_separated(text, "\t")))
