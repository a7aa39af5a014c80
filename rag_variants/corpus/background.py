"""What is common in a whole knowledge base, so that the judge sees what is telling in a text."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from rag_variants.corpus.knowledge import KnowledgeBase
from rag_variants.text.frequencies import TermFrequencies
from rag_variants.text.language import as_language
from rag_variants.text.sentences import split_sentences
from rag_variants.text.terms import extract_terms

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Enough for a stable mean; embedding every sentence of a large base would take minutes.
CENTER_SAMPLE = 200


class EmbedsPassages(Protocol):
    """Anything that turns passages into unit vectors."""

    def embed_passages(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """One unit row per text."""


@dataclass(frozen=True)
class Background:
    """How rare terms are in the base, counted over sentences, and the mean of its sentences' vectors."""

    frequencies: TermFrequencies
    center: "NDArray[np.float32] | None"


def sentences_of(knowledge: KnowledgeBase) -> tuple[str, ...]:
    """Every sentence of the base, in the order of documents."""
    return tuple(
        sentence.text
        for document in knowledge.documents
        for sentence in split_sentences(document.text, as_language(document.language))
    )


def center_sample(knowledge: KnowledgeBase) -> tuple[str, ...]:
    """At most CENTER_SAMPLE sentences, spread evenly over the base, always the same."""
    sentences = sentences_of(knowledge)
    step = max(1, -(-len(sentences) // CENTER_SAMPLE))
    return sentences[::step]


def mean_vector(rows: "NDArray[np.float32]") -> "NDArray[np.float32]":
    """The mean of vectors, what they have in common."""
    return np.asarray(rows.mean(axis=0), dtype=np.float32)


def build_background(knowledge: KnowledgeBase, model: EmbedsPassages) -> Background:
    """The background of a base under one encoder; without sentences the center is None."""
    frequencies = TermFrequencies.count(
        extract_terms(sentence.text, as_language(document.language))
        for document in knowledge.documents
        for sentence in split_sentences(document.text, as_language(document.language))
    )
    sample = center_sample(knowledge)
    center = mean_vector(model.embed_passages(sample)) if sample else None
    return Background(frequencies, center)
