"""Context utilization: whether the chunks that the answer rests on stand on top. Computed by ragas."""

from typing import TYPE_CHECKING, Any

from rag_variants.metrics.asking_ragas import (
    RagasMetric,
    answer_of,
    ask_ragas,
    by_chunk,
    context_texts,
    score_precision,
)
from rag_variants.metrics.cases import Cases, make_metric
from rag_variants.metrics.metric import Detail, Subject, Verdicts, Worked
from rag_variants.metrics.verdicts import work_out_precision
from rag_variants.types import Score

if TYPE_CHECKING:
    from rag_variants.judges.ragas_llm import BaseRagasEmbedding, InstructorBaseRagasLLM


def _build(collections: Any, llm: "InstructorBaseRagasLLM", embeddings: "BaseRagasEmbedding", *, single: bool) -> Any:
    return collections.ContextUtilization(llm=llm)


RAGAS = RagasMetric(_build, by_chunk)


async def _context_utilization(subject: Subject) -> Score:
    """Average precision of the chunks that helped to arrive at the answer given."""
    record = subject.record
    asked = await ask_ragas(
        RAGAS,
        subject,
        user_input=record.question.user_input,
        response=answer_of(record).text,
        retrieved_contexts=context_texts(record),
    )
    return score_precision(asked, record)


_VERDICTS = Verdicts(
    "verdicts", "chunk", moves=frozenset({"verdict", "order"}), yes="useful for the answer", useful_for="answer"
)


def _work_out(detail: Detail) -> Worked:
    return work_out_precision(_VERDICTS.marks(detail))


METRIC = make_metric(
    "context_utilization",
    ("more", "Ranked it?"),
    (
        "Context utilization",
        "Context precision against the answer given in place of a reference: whether the chunks the answer rests on "
        "stand on top.",
        "Right or wrong makes no difference.",
    ),
    _context_utilization,
    Cases(frozenset({"answer", "judge"}), "both", nothing_retrieved="unscored", declined="unscored"),
    translations={
        "pl": (
            "wykorzystanie kontekstu",
            "Precyzja kontekstu liczona względem udzielonej odpowiedzi, nie wzorcowej: czy fragmenty, na których się "
            "opiera, stoją wysoko.",
            "Poprawność nie gra roli.",
        ),
        "zh": (
            "上下文利用率",
            "以实际给出的答案代替参考答案计算的上下文精确率：答案所依据的片段是否排在前面。",
            "答得对不对不影响它。",
        ),
    },
    verdicts=_VERDICTS,
    work_out=_work_out,
)
