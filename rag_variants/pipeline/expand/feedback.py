"""Pseudo-relevance feedback: words and meaning of the chunks found first, mixed into the question."""

from dataclasses import replace

from rag_variants.pipeline.expand.expander import Asked, Expander
from rag_variants.pipeline.query import Expanded, RelevantText


def _expand(asked: Asked) -> Expanded:
    """The question mixed with the first chunks of its plain ranking; the question alone where nothing was found.

    A chunk's terms count by its share of the scores of these chunks. Nothing new is embedded.
    """
    plain = asked.search()
    first = plain.value[: asked.key.feedback_chunks]
    total = sum(hit.score for hit in first)
    texts = [
        RelevantText(hit.score / total if total > 0 else 1 / len(first), hit.chunk.text, hit.chunk.language, hit.chunk)
        for hit in first
    ]
    mixed = asked.mix(texts, asked.key.feedback_weight)
    query = replace(mixed.value, chunks=tuple(hit.chunk.id for hit in first))
    return Expanded(query, None, plain.milliseconds + mixed.milliseconds)


FEEDBACK = Expander(
    "feedback",
    "words and meaning of the chunks found first",
    _expand,
    frozenset({"feedback_chunks", "feedback_weight"}),
    mixes=True,
)
