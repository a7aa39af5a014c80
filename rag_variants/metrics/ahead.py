"""What inside one of ragas' metrics can be asked at the same time."""

from collections.abc import Mapping
from typing import Any, Literal

Kind = Literal[
    "faithfulness",
    "answer_relevancy",
    "context_precision",
    "context_recall",
    "context_utilization",
    "factual_correctness",
    "semantic_similarity",
]
# How many questions answer relevancy reads out of an answer (ragas' own default).
QUESTIONS = 3


def independent_parts(kind: Kind, inputs: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The inputs of each part of a metric that needs no reply to another part.

    ragas (0.4.3) asks them one after the other: a verdict per chunk, three questions from the answer, the claims of
    two texts against each other. The rest is one call, or a chain in which each call needs the reply before it.
    """
    match kind:
        case "context_precision" | "context_utilization":
            return [{**inputs, "retrieved_contexts": [text]} for text in inputs["retrieved_contexts"]]
        case "answer_relevancy":
            return [dict(inputs)] * QUESTIONS
        case "factual_correctness":
            return [dict(inputs), {"response": inputs["reference"], "reference": inputs["response"]}]
        case _:
            return [dict(inputs)]
