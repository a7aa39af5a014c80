"""What the judges share with ragas: prompts that carry data, recorders of one score, replies with their evidence.

Importing this module imports ragas (about three seconds), so others import it inside functions. Together with
`metrics/asking_ragas.py` it is the only file that imports ragas.
"""

import os

os.environ["RAGAS_DO_NOT_TRACK"] = "true"  # ragas reads it once, at import

from typing import Any, NamedTuple, Self, TypeVar

import numpy as np
import ragas
from pydantic import BaseModel
from ragas.embeddings.base import BaseRagasEmbedding
from ragas.llms.base import InstructorBaseRagasLLM
from ragas.metrics.collections.answer_relevancy.util import AnswerRelevanceInput, AnswerRelevanceOutput
from ragas.metrics.collections.context_precision.util import (
    ContextPrecisionInput,
    ContextPrecisionOutput,
    ContextPrecisionPrompt,
)
from ragas.metrics.collections.context_recall.util import (
    ContextRecallClassification,
    ContextRecallInput,
    ContextRecallOutput,
    ContextRecallPrompt,
)
from ragas.metrics.collections.factual_correctness.util import ClaimDecompositionInput, ClaimDecompositionOutput
from ragas.metrics.collections.factual_correctness.util import NLIStatementOutput as ClaimVerdictsOutput
from ragas.metrics.collections.faithfulness.util import (
    NLIStatementInput,
    NLIStatementOutput,
    NLIStatementPrompt,
    StatementFaithfulnessAnswer,
    StatementGeneratorInput,
    StatementGeneratorOutput,
)
from ragas.prompt.metrics.base_prompt import BasePrompt
from ragas.prompt.utils import get_all_strings, update_strings

from rag_variants.types import SupportLabel

__all__ = [
    "RAGAS_VERSION",
    "AnswerRelevanceInput",
    "AnswerRelevanceOutput",
    "BasePrompt",
    "BaseRagasEmbedding",
    "CarriedPrompt",
    "ClaimDecompositionInput",
    "ClaimDecompositionOutput",
    "ClaimVerdictsOutput",
    "ContextPrecisionInput",
    "ContextPrecisionOutput",
    "ContextPrecisionPrompt",
    "ContextRecallClassification",
    "ContextRecallInput",
    "ContextRecallOutput",
    "ContextRecallPrompt",
    "Exchange",
    "InstructorBaseRagasLLM",
    "JudgedClassification",
    "JudgedStatement",
    "JudgedUsefulness",
    "NLIStatementInput",
    "NLIStatementOutput",
    "NLIStatementPrompt",
    "RecordingEmbeddings",
    "RecordingLLM",
    "StatementFaithfulnessAnswer",
    "StatementGeneratorInput",
    "StatementGeneratorOutput",
    "UnitEmbeddings",
    "get_all_strings",
    "update_strings",
]

RAGAS_VERSION: str = ragas.__version__
Reply = TypeVar("Reply", bound=BaseModel)


class JudgedStatement(StatementFaithfulnessAnswer):
    """A statement's verdict with its label inside, the sentence it rests on and what vetoed it."""

    label: SupportLabel | None = None
    sentence: str | None = None
    veto: str | None = None


class JudgedClassification(ContextRecallClassification):
    """A reference statement's verdict with its label, sentence and veto."""

    label: SupportLabel | None = None
    sentence: str | None = None
    veto: str | None = None


class JudgedUsefulness(ContextPrecisionOutput):
    """A chunk's verdict with its label, sentence and veto."""

    label: SupportLabel | None = None
    sentence: str | None = None
    veto: str | None = None


class CarriedPrompt(str):
    """A prompt's text with the data it was made from. The text may be empty: then `data` alone tells prompts apart."""

    data: BaseModel
    __slots__ = ("data",)

    def __new__(cls, text: str, data: BaseModel) -> Self:
        """A prompt of this text that carries the data."""
        prompt = super().__new__(cls, text)
        prompt.data = data
        return prompt


class Exchange(NamedTuple):
    """What a judge was asked (None if the prompt carried no data) and what it replied."""

    input: BaseModel | None
    output: BaseModel


class RecordingLLM(InstructorBaseRagasLLM):
    """Another language model with `exchanges`, all it replied in order. One recorder serves one score."""

    def __init__(self, llm: InstructorBaseRagasLLM) -> None:
        self.llm = llm
        self.exchanges: list[Exchange] = []

    @property
    def reads_data(self) -> bool:
        """Whether the model reads the data that prompts carry, and no text."""
        return bool(getattr(self.llm, "reads_data", False))

    @property
    def prompt_language(self) -> str:
        """The language in which the model is asked."""
        return str(getattr(self.llm, "prompt_language", "en"))

    @property
    def generates_questions(self) -> bool:
        """Whether the model generates a new question each time that it is asked for one."""
        return bool(getattr(self.llm, "generates_questions", True))

    def generate(self, prompt: str, response_model: type[Reply]) -> Reply:
        """The model's reply. Raises what the model raises."""
        return self._keep(prompt, self.llm.generate(prompt, response_model))

    async def agenerate(self, prompt: str, response_model: type[Reply]) -> Reply:
        """The model's reply. Raises what the model raises."""
        return self._keep(prompt, await self.llm.agenerate(prompt, response_model))

    def _keep(self, prompt: str, reply: Reply) -> Reply:
        self.exchanges.append(Exchange(prompt.data if isinstance(prompt, CarriedPrompt) else None, reply))
        return reply


class RecordingEmbeddings(BaseRagasEmbedding):
    """Other embeddings that remember their vectors, so that similarities can be shown. One serves one score.

    `embed_text` gives what was embedded before by any of the methods: ragas' SemanticSimilarity calls it inside the
    event loop, where a client that waits for the network must not be used.
    """

    def __init__(self, embeddings: BaseRagasEmbedding) -> None:
        super().__init__()
        self._embeddings = embeddings
        self._vectors: dict[str, list[float]] = {}

    def embed_text(self, text: str, **kwargs: Any) -> list[float]:
        """The text's vector, remembered or new."""
        if text not in self._vectors:
            self._vectors[text] = self._embeddings.embed_text(text, **kwargs)
        return self._vectors[text]

    async def aembed_text(self, text: str, **kwargs: Any) -> list[float]:
        """The vector of one text, a question in ragas' use."""
        self._vectors[text] = await self._embeddings.aembed_text(text, **kwargs)
        return self._vectors[text]

    async def aembed_texts(self, texts: list[str], **kwargs: Any) -> list[list[float]]:
        """One vector per text."""
        vectors = await self._embeddings.aembed_texts(texts, **kwargs)
        for text, vector in zip(texts, vectors, strict=True):
            self._vectors.setdefault(text, vector)
        return vectors

    def similarity(self, one: str, other: str) -> float | None:
        """The cosine −1…1 of two texts that were embedded; None if one was not or has no direction."""
        if one not in self._vectors or other not in self._vectors:
            return None
        left, right = np.asarray(self._vectors[one]), np.asarray(self._vectors[other])
        length = float(np.linalg.norm(left) * np.linalg.norm(right))
        return float(left @ right) / length if length > 0 else None


class UnitEmbeddings(BaseRagasEmbedding):
    """The same vector for every text, where a metric is run for what it asks and not for its value."""

    def embed_text(self, text: str, **kwargs: Any) -> list[float]:
        """[1.0]."""
        return [1.0]

    async def aembed_text(self, text: str, **kwargs: Any) -> list[float]:
        """[1.0]."""
        return [1.0]
