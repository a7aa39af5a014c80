"""Which files hold questions. To add a format: one file with its Importer, one line here; from elsewhere a package."""

from rag_variants.questions.importers.comma_separated import COMMA_SEPARATED
from rag_variants.questions.importers.importer import Importer
from rag_variants.questions.importers.json_lines import JSON_LINES
from rag_variants.questions.importers.json_list import JSON_LIST
from rag_variants.questions.importers.tab_separated import TAB_SEPARATED
from rag_variants.registry import Formats

__all__ = ["IMPORTERS", "Importer"]

# Every format of question files by name.
IMPORTERS: Formats[Importer] = Formats(
    "question importer",
    "rag_variants.importers",
    Importer,
    built_in=(JSON_LINES, JSON_LIST, COMMA_SEPARATED, TAB_SEPARATED),
)
