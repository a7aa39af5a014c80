"""What an answerer is, and how one is opened."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from rag_variants.errors import ModelError
from rag_variants.types import Answer, Hit

if TYPE_CHECKING:
    from rag_variants.variants.base import Variant
    from rag_variants.variants.stages import Bench


class Answerer(Protocol):
    """Answers a question from hits, or says that they do not hold the answer."""

    def answer(self, question: str, hits: Sequence[Hit]) -> Answer:
        """The answer with the ranks it cites; `declined` if nothing fits. Raises UserError if it cannot work."""


def open_answerer(variant: "Variant", bench: "Bench") -> Answerer:
    """The answerer that a variant's settings name. Raises ModelError for an unknown one."""
    if variant.answerer == "embedded":
        from rag_variants.variants.answering.extractive import ExtractiveAnswerer

        background = bench.background()
        embeddings = bench.embeddings("embedded")
        return ExtractiveAnswerer(
            embeddings.embed_queries, embeddings.embed_passages, background.frequencies, background.center
        )
    raise ModelError(f"There is no answerer {variant.answerer!r}. Use embedded.")
