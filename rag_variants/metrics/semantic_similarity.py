"""Semantic similarity: how close answer and reference are as whole texts. Computed by ragas."""

from typing import TYPE_CHECKING, Any

from rag_variants.metrics.asking_ragas import RagasMetric, answer_of, ask_ragas
from rag_variants.metrics.cases import Cases, make_metric, scored
from rag_variants.metrics.metric import Subject
from rag_variants.types import Score

if TYPE_CHECKING:
    from rag_variants.judges.ragas_llm import BaseRagasEmbedding, InstructorBaseRagasLLM


def _build(collections: Any, llm: "InstructorBaseRagasLLM", embeddings: "BaseRagasEmbedding", *, single: bool) -> Any:
    return collections.SemanticSimilarity(embeddings=embeddings)


RAGAS = RagasMetric(_build, embedded=("reference", "response"))


async def _semantic_similarity(subject: Subject) -> Score:
    """Cosine −1…1 of answer and reference as whole texts, by the judge's embeddings."""
    asked = await ask_ragas(
        RAGAS, subject, reference=subject.record.question.reference, response=answer_of(subject.record).text
    )
    return scored(asked.value, None, None, low=-1.0)


METRIC = make_metric(
    "semantic_similarity",
    ("more", "Answered it?"),
    (
        "Semantic similarity",
        "How close the whole answer is to the whole reference in meaning.",
        "A changed number hardly lowers it.",
    ),
    _semantic_similarity,
    Cases(frozenset({"reference", "answer", "embeddings"}), "answer", declined="zero"),
    translations={
        "pl": (
            "podobieństwo znaczeniowe",
            "Jak bliska znaczeniowo jest cała odpowiedź całej odpowiedzi wzorcowej.",
            "Zmieniona liczba prawie nie obniża wyniku.",
        ),
        "zh": (
            "语义相似度",
            "整个答案与整个参考答案在意思上有多接近。",
            "改一个数字几乎不影响它。",
        ),
    },
)
