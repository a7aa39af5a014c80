"""Judges as another package would bring them."""

from dataclasses import replace

from rag_variants.judges import BUILT_IN

EXTRA = replace(BUILT_IN[0], spec="extra", summary="the embedded judge under another name")
TAKEN = replace(BUILT_IN[0], summary="another one called embedded")
NO_WORD = replace(BUILT_IN[0], spec="extra:model")
