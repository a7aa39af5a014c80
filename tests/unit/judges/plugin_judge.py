"""Judges as another package would bring them."""

from dataclasses import replace

from rag_variants_embedded.judge.kind import EMBEDDED

EXTRA = replace(EMBEDDED, spec="extra", summary="the embedded judge under another name")
TAKEN = replace(EMBEDDED, summary="another one called embedded")
NO_WORD = replace(EMBEDDED, spec="extra:model")
