"""JSON Lines: one object a line. A list of objects under this ending is read as well."""

from functools import partial

from rag_variants.questions.importers.importer import Importer, reads_text
from rag_variants.questions.importers.objects import read_objects

JSON_LINES = Importer("jsonl", (".jsonl", ".ndjson"), reads_text(partial(read_objects, by_line=True)))
