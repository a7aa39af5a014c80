"""Context precision: whether chunks that are useful for the reference stand above the others. Computed by ragas."""

from typing import TYPE_CHECKING, Any

from rag_variants.metrics.asking_ragas import RagasMetric, ask_ragas, by_chunk, context_texts, score_precision
from rag_variants.metrics.cases import Cases, make_metric
from rag_variants.metrics.metric import Detail, Subject, Verdicts, Worked
from rag_variants.metrics.verdicts import work_out_precision
from rag_variants.types import Score

if TYPE_CHECKING:
    from rag_variants.judges.ragas_llm import BaseRagasEmbedding, InstructorBaseRagasLLM


def _build(collections: Any, llm: "InstructorBaseRagasLLM", embeddings: "BaseRagasEmbedding", *, single: bool) -> Any:
    return collections.ContextPrecision(llm=llm)


RAGAS = RagasMetric(_build, by_chunk)


async def _context_precision(subject: Subject) -> Score:
    """Average precision of the chunks that helped to arrive at the reference."""
    record = subject.record
    asked = await ask_ragas(
        RAGAS,
        subject,
        user_input=record.question.user_input,
        reference=record.question.reference,
        retrieved_contexts=context_texts(record),
    )
    return score_precision(asked, record)


_VERDICTS = Verdicts(
    "verdicts",
    "chunk",
    moves=frozenset({"verdict", "order"}),
    yes="useful for the reference",
    question="Does this chunk help to arrive at the reference answer?",
    alike=True,
)


def _work_out(detail: Detail) -> Worked:
    return work_out_precision(_VERDICTS.marks(detail))


METRIC = make_metric(
    "context_precision",
    ("core", "Ranked it?"),
    (
        "Context precision",
        "Whether useful chunks stand above useless ones.",
        "Divided by the useful chunks retrieved: noise after the last costs nothing, one never found is not missed.",
    ),
    _context_precision,
    Cases(frozenset({"reference", "judge"}), "hits", nothing_retrieved="unscored"),
    translations={
        "pl": (
            "precyzja kontekstu",
            "Czy przydatne fragmenty stoją nad zbędnymi.",
            "Dzieli się przez przydatne wyszukane: szum za ostatnim nie szkodzi, a braku nieznalezionych nie widać.",
        ),
        "zh": (
            "上下文精确率",
            "有用的片段是否排在没用的前面。",
            "分母是检索到的有用片段数：最后一个之后的噪声不拉低它，没找到的有用片段也看不出来。",
        ),
    },
    verdicts=_VERDICTS,
    work_out=_work_out,
)
