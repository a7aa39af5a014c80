"""The judge that comes with the product: deterministic, on this computer, without a key."""

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rag_variants.judges.centred import QUESTION_AS, CentredEmbedding
from rag_variants.llm.vectors import CachedEmbeddings
from rag_variants_embedded.judge.llm import EmbeddedLLM, SplitStatements, Supports

if TYPE_CHECKING:
    from rag_variants.llm.embedding import EmbeddingModel, Vectors
    from rag_variants.types import Record

SPEC = "embedded"
# Raise it whenever a change can change a verdict: runs of unlike judges are not compared silently.
VERSION = "4"

UNFIT: Mapping[str, str] = {
    "factual_correctness": "the embedded judge is built and measured for claims against documents, not for one answer "
    "against another; choose a chat model as the judge",
}


class EmbeddedJudge:
    """Gives verdicts from text evidence. Same question, reference and chunk: same verdict, whatever stands beside."""

    spec = SPEC
    unfit = UNFIT
    deterministic = True

    def __init__(
        self,
        support: Supports,
        split: SplitStatements,
        model: "EmbeddingModel | CachedEmbeddings",
        centre: "Vectors | None",
        versions: Mapping[str, str] | None = None,
    ) -> None:
        self._support = support
        self._split = split
        self._model = model
        self._centre = centre
        self._versions = dict(versions or {})

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can change a verdict."""
        named = self._model.model if isinstance(self._model, CachedEmbeddings) else self._model
        return {
            "judge": SPEC,
            "version": VERSION,
            **self._versions,
            "embeddings": named.name,
            "embeddings_version": named.version,
            "question_as": QUESTION_AS,
        }

    def open(self, record: "Record") -> EmbeddedLLM:
        """A language model in ragas' sense for one score of the record."""
        return EmbeddedLLM(self._support, self._split, record)

    @cached_property
    def embeddings(self) -> CentredEmbedding:
        """Vectors centred on the knowledge base."""
        return CentredEmbedding(self._model, self._centre)
