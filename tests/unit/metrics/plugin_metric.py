"""Metrics as another package would bring them."""

from dataclasses import replace

from rag_variants.metrics import METRICS

EXTRA = replace(METRICS["key_facts"], name="extra_fact", label="Extra fact")
TAKEN = replace(METRICS["key_facts"], name="mrr")
