"""A judge that replies what a person entered, so that ragas' own formulas can be tried by hand.

Importing this module imports ragas.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from rag_variants.judges.entered import GeneratedQuestion
from rag_variants.judges.ragas_llm import (
    AnswerRelevanceOutput,
    BaseRagasEmbedding,
    CarriedPrompt,
    ContextPrecisionOutput,
    ContextRecallOutput,
    InstructorBaseRagasLLM,
    JudgedClassification,
    JudgedStatement,
    JudgedUsefulness,
    NLIStatementOutput,
    StatementGeneratorOutput,
)
from rag_variants.types import Record

REASON = "entered by hand"
_READING = "reading "


@dataclass(frozen=True, slots=True)
class EnteredJudge:
    """Gives `verdicts` in their order, one per claim, chunk or statement, and `readings` for answer relevancy.

    It serves single scores and is in no registry: what a person entered says nothing about a run.
    """

    verdicts: tuple[bool, ...] = ()
    readings: tuple[GeneratedQuestion, ...] = ()

    @property
    def spec(self) -> str:
        """`entered`: no model."""
        return "entered"

    @property
    def settings(self) -> Mapping[str, Any]:
        """What was entered."""
        return {"judge": self.spec, "verdicts": self.verdicts, "readings": self.readings}

    def open(self, record: Record) -> "EnteredLLM":
        """A language model in ragas' sense that begins with the first verdict."""
        return EnteredLLM(self)

    @property
    def embeddings(self) -> "EnteredEmbeddings":
        """Unit vectors with the entered cosines."""
        return EnteredEmbeddings(self)


class EnteredLLM(InstructorBaseRagasLLM):
    """Replies for one score. It is asked once for all claims or statements, but chunk by chunk and reading by reading.

    ragas asks for three readings; where fewer were entered, the reply holds no question, which ragas leaves out.
    """

    reads_data = True

    def __init__(self, entered: EnteredJudge) -> None:
        self._entered = entered
        self._chunks = iter(entered.verdicts)
        self._readings = enumerate(entered.readings)

    async def agenerate(self, prompt: str, response_model: type[Any]) -> Any:
        """The entered reply. Raises ValueError where none was entered, or for one that no core metric asks for."""
        return self.generate(prompt, response_model)

    def generate(self, prompt: str, response_model: type[Any]) -> Any:
        """The entered reply. Raises ValueError where none was entered, or for one that no core metric asks for."""
        if response_model is AnswerRelevanceOutput:
            return self._read()
        if response_model is ContextPrecisionOutput:
            return self._weigh()
        if response_model is NLIStatementOutput and isinstance(prompt, CarriedPrompt):
            return self._judge(prompt.data)
        numbered = [(f"statement {at}", int(each)) for at, each in enumerate(self._entered.verdicts, start=1)]
        if response_model is StatementGeneratorOutput:
            return StatementGeneratorOutput(statements=[text for text, _ in numbered])
        if response_model is ContextRecallOutput:
            found = [JudgedClassification(statement=text, reason=REASON, attributed=mark) for text, mark in numbered]
            return ContextRecallOutput(classifications=list(found))
        raise ValueError(f"verdicts entered by hand hold no {response_model.__name__}")

    def _weigh(self) -> JudgedUsefulness:
        useful = next(self._chunks, None)
        if useful is None:
            raise ValueError(f"only {len(self._entered.verdicts)} verdicts were entered")
        return JudgedUsefulness(reason=REASON, verdict=int(useful))

    def _judge(self, data: BaseModel) -> NLIStatementOutput:
        pairs = zip(getattr(data, "statements", ()), self._entered.verdicts, strict=True)
        judged = [JudgedStatement(statement=text, reason=REASON, verdict=int(mark)) for text, mark in pairs]
        return NLIStatementOutput(statements=list(judged))

    def _read(self) -> AnswerRelevanceOutput:
        at, reading = next(self._readings, (0, None))
        if reading is None:
            return AnswerRelevanceOutput(question="", noncommittal=0)
        return AnswerRelevanceOutput(question=f"{_READING}{at}", noncommittal=int(reading.noncommittal))


class EnteredEmbeddings(BaseRagasEmbedding):
    """The real question lies at (1, 0), the reading of cosine c at (c, √(1 − c²)): unit vectors with that cosine."""

    def __init__(self, entered: EnteredJudge) -> None:
        super().__init__()
        self._cosines = {f"{_READING}{at}": each.similarity for at, each in enumerate(entered.readings)}

    def embed_text(self, text: str, **kwargs: Any) -> list[float]:
        """The unit vector of a reading, or of the real question."""
        cosine = self._cosines.get(text, 1.0)
        return [cosine, math.sqrt(1.0 - cosine * cosine)]

    async def aembed_text(self, text: str, **kwargs: Any) -> list[float]:
        """The unit vector of a reading, or of the real question."""
        return self.embed_text(text)
