"""A judge that replies what a test wrote down, and records made in one line."""

import asyncio
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from rag_variants.errors import ModelError
from rag_variants.judges.ragas_llm import (
    AnswerRelevanceOutput,
    BaseRagasEmbedding,
    CarriedPrompt,
    ClaimDecompositionOutput,
    ClaimVerdictsOutput,
    ContextPrecisionOutput,
    ContextRecallOutput,
    InstructorBaseRagasLLM,
    JudgedClassification,
    JudgedStatement,
    JudgedUsefulness,
    NLIStatementOutput,
    StatementGeneratorOutput,
)
from rag_variants.metrics.metric import Subject
from rag_variants.questions.gold import Gold, Occurrence
from rag_variants.types import Answer, Chunk, Hit, Question, Record, Score

Verdict = int | str  # 0, 1, out of range, or a label


class ScriptedEmbeddings(BaseRagasEmbedding):
    """Written vectors; a text without one gets [1, 0]."""

    def __init__(self, vectors: Mapping[str, Sequence[float]] | None = None) -> None:
        super().__init__()
        self.vectors = dict(vectors or {})

    def embed_text(self, text: str, **kwargs: Any) -> list[float]:
        return list(self.vectors.get(text, (1.0, 0.0)))

    async def aembed_text(self, text: str, **kwargs: Any) -> list[float]:
        return self.embed_text(text)


@dataclass
class ScriptedJudge:
    """`statements` per answer (else one, the answer itself), `verdicts` per statement, `useful` per chunk text,
    `questions` per answer as (text, noncommittal). Questions whose id is in `failing` fail with `error`.
    """

    statements: Mapping[str, Sequence[str]] = field(default_factory=dict)
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    useful: Mapping[str, Verdict] = field(default_factory=dict)
    questions: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    vectors: Mapping[str, Sequence[float]] = field(default_factory=dict)
    failing: frozenset[str] = frozenset()
    error: Exception = field(default_factory=lambda: ModelError("HTTP 500 from http://stub/v1."))
    delay: float = 0.0
    drop: int = 0
    spec: str = "scripted"
    prompts: list[str] = field(default_factory=list)

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"judge": self.spec}

    @property
    def embeddings(self) -> ScriptedEmbeddings:
        return ScriptedEmbeddings(self.vectors)

    def open(self, record: Record) -> "ScriptedLLM":
        return ScriptedLLM(self, record)


class ScriptedLLM(InstructorBaseRagasLLM):
    """Replies for one record."""

    reads_data = True

    def __init__(self, judge: ScriptedJudge, record: Record) -> None:
        self.judge = judge
        self.record = record

    async def agenerate(self, prompt: str, response_model: type[Any]) -> Any:
        if self.judge.delay:
            await asyncio.sleep(random.uniform(0, self.judge.delay))
        return self.generate(prompt, response_model)

    def generate(self, prompt: str, response_model: type[Any]) -> Any:
        self.judge.prompts.append(prompt)
        if self.record.question.id in self.judge.failing:
            raise self.judge.error
        assert isinstance(prompt, CarriedPrompt)
        return self._reply(prompt.data, response_model)

    def _reply(self, data: Any, response_model: type[Any]) -> BaseModel:
        judge = self.judge
        if response_model is StatementGeneratorOutput:
            return StatementGeneratorOutput(statements=list(judge.statements.get(data.answer, (data.answer,))))
        if response_model is ClaimDecompositionOutput:
            return ClaimDecompositionOutput(claims=list(judge.statements.get(data.response, (data.response,))))
        if response_model in (NLIStatementOutput, ClaimVerdictsOutput):
            replies: list[Any] = [self._statement(each) for each in data.statements][judge.drop :]
            return NLIStatementOutput(statements=replies)
        if response_model is ContextPrecisionOutput:
            return JudgedUsefulness(reason="written down", **_verdict(judge.useful.get(data.context, 0)))
        if response_model is ContextRecallOutput:
            statements = judge.statements.get(data.answer, (data.answer,))
            return ContextRecallOutput(classifications=[self._classification(each) for each in statements])
        assert response_model is AnswerRelevanceOutput
        text, noncommittal = judge.questions.get(data.response, (data.response, 0))
        return AnswerRelevanceOutput(question=text, noncommittal=noncommittal)

    def _statement(self, text: str) -> JudgedStatement:
        verdict = self.judge.verdicts.get(text, 0)
        return JudgedStatement(statement=text, reason="written down", **_verdict(verdict))

    def _classification(self, text: str) -> JudgedClassification:
        parts = _verdict(self.judge.verdicts.get(text, 0))
        return JudgedClassification(statement=text, reason="written down", attributed=parts.pop("verdict"), **parts)


def _verdict(verdict: Verdict) -> dict[str, Any]:
    if isinstance(verdict, int):
        return {"verdict": verdict}
    veto = "number: 30 is not 14" if verdict == "contradicted" else None
    return {"verdict": int(verdict == "supported"), "label": verdict, "sentence": f"seen: {verdict}", "veto": veto}


def make_chunk(text: str, start: int = 0, document: str = "a.md") -> Chunk:
    return Chunk(document, start, start + len(text), text, "en")


def make_hits(*chunks: Chunk | str) -> tuple[Hit, ...]:
    """Hits in order; texts become chunks of their own documents."""
    made = [each if isinstance(each, Chunk) else make_chunk(each, 0, f"{at}.md") for at, each in enumerate(chunks)]
    return tuple(Hit(rank, chunk, 1.0 / rank) for rank, chunk in enumerate(made, start=1))


def make_subject(
    *chunks: Chunk | str,
    answer: str | Answer | None = None,
    judge: ScriptedJudge | None = None,
    gold: Gold | None = None,
    gold_in_knowledge: int = 0,
    error: str | None = None,
    timing_ms: Mapping[str, float] | None = None,
    **question: Any,
) -> Subject:
    """A subject in one line; keywords not named here are fields of the question."""
    known = {"id": "q1", "user_input": "What is the deposit?", **question}
    given = Answer(answer) if isinstance(answer, str) else answer
    hits = make_hits(*chunks)
    record = Record(Question(**known), hits, hits, given, timing_ms or {}, error)
    return Subject(record, gold or Gold((), (), ()), gold_in_knowledge, judge)


def make_gold(*spans: tuple[int, str, int, int]) -> Gold:
    """Gold from (group, document, start, end)."""
    occurrences = tuple(Occurrence(*span) for span in spans)
    return Gold(tuple(sorted({each.group for each in occurrences})), occurrences, ())


def score(metric: Any, subject: Subject) -> Score:
    """The score of a metric, outside any event loop."""

    async def run() -> Score:
        return await metric.score(subject)  # type: ignore[no-any-return]

    return asyncio.run(run())
