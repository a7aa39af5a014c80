"""Factual correctness: the claims that answer and reference share. Computed by ragas."""

from typing import TYPE_CHECKING, Any

from rag_variants.metrics.asking_ragas import Inputs, RagasMetric, answer_of, ask_ragas
from rag_variants.metrics.cases import Cases, make_metric, scored
from rag_variants.metrics.metric import Detail, Subject, Worked
from rag_variants.metrics.verdicts import claim_entries
from rag_variants.types import Score

if TYPE_CHECKING:
    from rag_variants.judges.ragas_llm import BaseRagasEmbedding, InstructorBaseRagasLLM


def _build(collections: Any, llm: "InstructorBaseRagasLLM", embeddings: "BaseRagasEmbedding", *, single: bool) -> Any:
    # F1 is made of two precisions, each of one text's claims against the other text.
    return collections.FactualCorrectness(llm=llm, mode="precision" if single else "f1")


def _parts(inputs: Inputs) -> list[dict[str, Any]]:
    return [dict(inputs), {"response": inputs["reference"], "reference": inputs["response"]}]


RAGAS = RagasMetric(_build, _parts)


async def _factual_correctness(subject: Subject) -> Score:
    """F1 of the claims that answer and reference share, 0…1, to two digits (ragas rounds it)."""
    reference = subject.record.question.reference
    asked = await ask_ragas(RAGAS, subject, response=answer_of(subject.record).text, reference=reference)
    sides: dict[str, list[object]] = {"claims": [], "reference_claims": []}
    for exchange in asked.exchanges:
        if hasattr(exchange.output, "statements"):
            side = "claims" if getattr(exchange.input, "context", None) == reference else "reference_claims"
            sides[side] += claim_entries(exchange.output.statements)
    if not sides["claims"]:
        return scored(0.0, "the answer makes no claims", sides)
    return scored(asked.value, None, sides)


def _work_out(detail: Detail) -> Worked:
    """F1 as ragas has it (0.4.3), rounded to two digits: the claims that hold are those of the answer."""
    holds = sum(each["verdict"] for each in detail["claims"])
    wrong = len(detail["claims"]) - holds
    missing = sum(1 for each in detail["reference_claims"] if not each["verdict"])
    value = round(2 * holds / (2 * holds + wrong + missing), 2) if holds else 0.0
    formula = "2 × right claims / (2 × right claims + wrong claims + claims of the reference that are missing)"
    return Worked(formula, f"2 × {holds} / (2 × {holds} + {wrong} + {missing})", value)


METRIC = make_metric(
    "factual_correctness",
    ("more", "Answered it?"),
    (
        "Factual correctness",
        "Claims that answer and reference share, against those that only one of them makes (F1). It needs a chat "
        "model as the judge.",
        "It does not see the documents.",
    ),
    _factual_correctness,
    Cases(frozenset({"reference", "answer", "judge"}), "answer", declined="zero"),
    translations={
        "pl": (
            "zgodność faktów",
            "Twierdzenia wspólne dla odpowiedzi i wzorca na tle tych, które są tylko w jednym z nich (F1). Sędzią "
            "musi być model językowy.",
            "Nie widzi dokumentów.",
        ),
        "zh": (
            "事实正确性",
            "答案与参考答案共有的陈述，与只出现在其中一方的陈述相比（F1）。需要对话模型当裁判。",
            "它看不到文档。",
        ),
    },
    work_out=_work_out,
)
