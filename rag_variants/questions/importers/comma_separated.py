"""CSV: columns separated by commas, or by what a spreadsheet of another country writes."""

from rag_variants.questions.importers.importer import Importer, reads_text
from rag_variants.questions.importers.separated import read_separated

COMMA_SEPARATED = Importer("csv", (".csv",), reads_text(lambda text, path: read_separated(text, ",")))
