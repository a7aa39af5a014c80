"""Reranking by a model of an endpoint that serves /rerank."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rag_variants.llm.waiting import wait_for
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.rerank.reranker import RerankerKind
from rag_variants.types import Chunk

if TYPE_CHECKING:
    from rag_variants.llm.reranking import RerankModel, RerankReply


class EndpointReranker:
    """The relevance scores of a model, asked once a question."""

    def __init__(self, model: "RerankModel") -> None:
        self._model = model
        self.version = model.version

    @property
    def notes(self) -> tuple[str, ...]:
        """What the model's server took otherwise than it was sent."""
        return tuple(getattr(self._model, "notes", ()))

    def score(self, question: str, chunks: Sequence[Chunk]) -> Sequence[float]:
        """One number a chunk. Raises CallError."""
        return wait_for(self.ask(question, chunks)).scores

    async def ask(self, question: str, chunks: Sequence[Chunk]) -> "RerankReply":
        """The same with what the call took. Raises CallError."""
        return await self._model.rerank(question, [chunk.text for chunk in chunks])


def _open(spec: str, bench: Bench) -> EndpointReranker:
    return EndpointReranker(bench.open_rerank(spec))  # never kept: a client holds a key


ENDPOINT = RerankerKind(
    "endpoint",
    "a model of an endpoint that serves /rerank; each question is a call that takes time and may cost",
    "relevance",
    _open,
    asks_first=True,
)
