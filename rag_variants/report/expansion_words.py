"""What was searched besides the question, in words."""

from rag_variants.pipeline.expand.feedback import FEEDBACK
from rag_variants.pipeline.expand.hyde import HYDE
from rag_variants.types import Expansion


def expansion_line(expansion: Expansion | None) -> str:
    """One line of what was searched besides the question, foreign text as it is; "" where it was the question alone."""
    if expansion is None:
        return ""
    if expansion.kind == FEEDBACK.word:
        return _feedback_line(expansion)
    if not expansion.texts:
        return "Searched for the question alone: the model had no other wording."
    if expansion.kind == HYDE.word:
        return f"Also searched for a passage that a model wrote: {expansion.texts[0]}"
    return "Also searched for: " + " · ".join(expansion.texts)


def _feedback_line(expansion: Expansion) -> str:
    """The words with their weights beside the question's, which weigh 1 − feedback_weight each, and the chunks."""
    if not expansion.chunks:
        return "Searched for the question alone: it found no chunk to learn from."
    count = len(expansion.chunks)
    source = "the chunk" if count == 1 else f"the {count} chunks"
    if not expansion.terms:
        return f"Also searched for what is near to {source} found first."
    words = " · ".join(f"{term} ×{weight:.2g}" for term, weight in expansion.terms)
    return f"Also searched for words of {source} found first, as they are indexed: {words}"
