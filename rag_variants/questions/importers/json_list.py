"""JSON: one list of objects, also inside an object. One object a line under this ending is read as well."""

from functools import partial

from rag_variants.questions.importers.importer import Importer, reads_text
from rag_variants.questions.importers.objects import read_objects

JSON_LIST = Importer("json", (".json",), reads_text(partial(read_objects, by_line=False)))
