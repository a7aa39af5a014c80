"""ragas' reply models with verdicts that can only be 0 or 1.

ragas (0.4.3) asks for a whole number: 5 passes, and pydantic reads "1" and true as 1. As a schema, the strict form
also tells an endpoint that decodes along a schema which two values there are.
"""

from collections.abc import Mapping

from pydantic import BaseModel, Field

from rag_variants.judges.ragas_llm import (
    AnswerRelevanceOutput,
    ClaimDecompositionOutput,
    ClaimVerdictsOutput,
    ContextPrecisionOutput,
    ContextRecallClassification,
    ContextRecallOutput,
    NLIStatementOutput,
    StatementFaithfulnessAnswer,
    StatementGeneratorOutput,
)
from rag_variants.llm.structured import BinaryVerdict


class StatementVerdict(StatementFaithfulnessAnswer):
    """A statement with its verdict."""

    verdict: BinaryVerdict = Field(description="the verdict(0/1) of the faithfulness")


class StatementVerdicts(NLIStatementOutput):
    """The statements, each with its verdict."""

    statements: list[StatementVerdict]  # type: ignore[assignment]  # a list of a narrower kind, never written to


class ClaimVerdicts(ClaimVerdictsOutput):
    """The claims, each with its verdict."""

    statements: list[StatementVerdict]  # type: ignore[assignment]  # as above; the same fields


class UsefulnessVerdict(ContextPrecisionOutput):
    """Whether the context was useful."""

    verdict: BinaryVerdict = Field(description="Binary (0/1) verdict of verification")


class AttributionVerdict(ContextRecallClassification):
    """A statement with its classification."""

    attributed: BinaryVerdict = Field(description="1 if the statement can be attributed to context, 0 otherwise")


class AttributionVerdicts(ContextRecallOutput):
    """The statements, each with its classification."""

    classifications: list[AttributionVerdict]  # type: ignore[assignment]  # as above


class GuessedQuestion(AnswerRelevanceOutput):
    """A question that the response answers, and whether the response commits itself."""

    noncommittal: BinaryVerdict = Field(description="1 if the response is evasive/vague, 0 if it is substantive")


_STRICT: Mapping[type[BaseModel], type[BaseModel]] = {
    NLIStatementOutput: StatementVerdicts,
    ClaimVerdictsOutput: ClaimVerdicts,
    ContextPrecisionOutput: UsefulnessVerdict,
    ContextRecallOutput: AttributionVerdicts,
    AnswerRelevanceOutput: GuessedQuestion,
}


# All that judges are asked for.
REPLIES: tuple[type[BaseModel], ...] = (*_STRICT, StatementGeneratorOutput, ClaimDecompositionOutput)


def strict_form(model: type[BaseModel]) -> type[BaseModel]:
    """The reply model that allows 0 and 1 alone as verdicts; a model without verdicts as it is."""
    return _STRICT.get(model, model)
