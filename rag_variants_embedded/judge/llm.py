"""The embedded judge behind ragas' interface: it reads the data that prompts carry and answers from text evidence."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from pydantic import BaseModel

from rag_variants.errors import ModelError
from rag_variants.judges.ragas_llm import (
    AnswerRelevanceInput,
    AnswerRelevanceOutput,
    CarriedPrompt,
    ContextPrecisionInput,
    ContextPrecisionOutput,
    ContextRecallInput,
    ContextRecallOutput,
    InstructorBaseRagasLLM,
    JudgedClassification,
    JudgedStatement,
    JudgedUsefulness,
    NLIStatementInput,
    NLIStatementOutput,
    StatementGeneratorInput,
    StatementGeneratorOutput,
)
from rag_variants.llm.declining import says_declining
from rag_variants.text.citations import strip_citations
from rag_variants.text.language import Language, as_language, detect_language
from rag_variants.types import SupportLabel

if TYPE_CHECKING:
    from rag_variants.types import Record

Reply = TypeVar("Reply", bound=BaseModel)
# Turns an answer into statements, each understandable alone; citations are left out.
SplitStatements = Callable[[str, str, Language], Sequence[str]]

# A chunk is as useful as its best statement.
_RANK: dict[SupportLabel, int] = {"supported": 3, "unsure": 2, "contradicted": 1, "missing": 0}


class SupportVerdict(Protocol):
    """Whether contexts support a statement: the label, the sentence it rests on, what vetoed it."""

    @property
    def label(self) -> SupportLabel:
        """What was found."""

    @property
    def sentence(self) -> str | None:
        """The sentence that the verdict rests on."""

    @property
    def veto(self) -> str | None:
        """What contradicts, in words."""


class Supports(Protocol):
    """Gives a verdict on one statement."""

    def judge(self, statement: str, contexts: Sequence[str], question: str, language: Language) -> SupportVerdict:
        """The verdict on a statement, given texts that are read each by itself."""


class EmbeddedLLM(InstructorBaseRagasLLM):
    """Answers ragas' questions about one record. Same data, same reply; it needs no prompt text.

    It generates no questions: for answer relevancy it hands the answer back. Raises ModelError for a prompt without
    data and for a kind of reply that it does not know.
    """

    reads_data = True
    generates_questions = False

    def __init__(self, support: Supports, split: SplitStatements, record: "Record") -> None:
        self._support = support
        self._split = split
        self._question = record.question.user_input
        self._contexts = tuple(hit.chunk.text for hit in record.hits)
        self._answer = record.answer
        self._language = as_language(record.question.tag("language")) or detect_language(self._question)

    async def agenerate(self, prompt: str, response_model: type[Reply]) -> Reply:
        """As `generate`: the reply is at hand at once, a thread for it would cost more than the verdict."""
        return self.generate(prompt, response_model)

    def generate(self, prompt: str, response_model: type[Reply]) -> Reply:
        """The reply to a prompt that carries its data."""
        data = prompt.data if isinstance(prompt, CarriedPrompt) else None
        if response_model is StatementGeneratorOutput and isinstance(data, StatementGeneratorInput):
            return cast(Reply, self._statements(data))
        if response_model is NLIStatementOutput and isinstance(data, NLIStatementInput):
            return cast(Reply, self._faithfulness(data))
        if response_model is ContextPrecisionOutput and isinstance(data, ContextPrecisionInput):
            return cast(Reply, self._usefulness(data))
        if response_model is ContextRecallOutput and isinstance(data, ContextRecallInput):
            return cast(Reply, self._attribution(data))
        if response_model is AnswerRelevanceOutput and isinstance(data, AnswerRelevanceInput):
            return cast(Reply, self._relevance(data))
        raise ModelError(
            f"The embedded judge cannot give a {response_model.__name__}. Choose a chat model as the judge."
        )

    def _statements(self, data: StatementGeneratorInput) -> StatementGeneratorOutput:
        """The answer's statements; none if it only declines, so that a refusal is neither faithful nor unfaithful."""
        found = () if says_declining(data.answer) else self._split(data.answer, data.question, self._language)
        return StatementGeneratorOutput(statements=list(found))

    def _faithfulness(self, data: NLIStatementInput) -> NLIStatementOutput:
        contexts = self._separate(data.context)
        found = [(statement, self._verdict(statement, contexts)) for statement in data.statements]
        return NLIStatementOutput(
            statements=[
                JudgedStatement(
                    statement=statement,
                    verdict=int(verdict.label == "supported"),
                    **_grounds(verdict),
                )
                for statement, verdict in found
            ]
        )

    def _usefulness(self, data: ContextPrecisionInput) -> JudgedUsefulness:
        """A chunk is useful if it alone supports at least one statement of the reference (or answer)."""
        statements = self._split(data.answer, data.question, self._language)
        verdicts = [self._verdict(statement, [data.context]) for statement in statements]
        best = max(verdicts, key=lambda verdict: _RANK[verdict.label], default=_NOTHING)
        return JudgedUsefulness(verdict=int(best.label == "supported"), **_grounds(best))

    def _attribution(self, data: ContextRecallInput) -> ContextRecallOutput:
        contexts = self._separate(data.context)
        statements = self._split(data.answer, data.question, self._language)
        found = [(statement, self._verdict(statement, contexts)) for statement in statements]
        return ContextRecallOutput(
            classifications=[
                JudgedClassification(
                    statement=statement,
                    attributed=int(verdict.label == "supported"),
                    **_grounds(verdict),
                )
                for statement, verdict in found
            ]
        )

    def _relevance(self, data: AnswerRelevanceInput) -> AnswerRelevanceOutput:
        """The answer itself in place of a question; noncommittal if the answerer or a known sentence says so."""
        declined = self._answer is not None and self._answer.text == data.response and self._answer.declined
        noncommittal = declined or says_declining(data.response)
        return AnswerRelevanceOutput(question=strip_citations(data.response), noncommittal=int(noncommittal))

    def _separate(self, context: str) -> Sequence[str]:
        """The record's contexts where ragas joined them; so sentences do not run across the borders of chunks."""
        return self._contexts if context == "\n".join(self._contexts) else (context,)

    def _verdict(self, statement: str, contexts: Sequence[str]) -> SupportVerdict:
        readable = [context for context in contexts if context.strip()]
        return self._support.judge(statement, readable, self._question, self._language) if readable else _NOTHING


class _Nothing:
    """The verdict where there is nothing to read."""

    label: SupportLabel = "missing"
    sentence: str | None = None
    veto: str | None = None


_NOTHING = _Nothing()


def _grounds(verdict: SupportVerdict) -> dict[str, Any]:
    """What a verdict rests on, with one sentence for people; screens may build their own from the other three."""
    if verdict.label == "missing" and not verdict.veto:
        reason = "Nothing here says so."
    else:
        reason = f"{verdict.label.capitalize()}: {verdict.veto or verdict.sentence or 'no single sentence'}"
    return {"reason": reason, "label": verdict.label, "sentence": verdict.sentence, "veto": verdict.veto}
