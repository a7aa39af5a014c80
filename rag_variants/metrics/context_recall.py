"""Context recall: what share of the reference's statements stands in the retrieved text. Computed by ragas."""

from typing import TYPE_CHECKING, Any

from rag_variants.metrics.asking_ragas import RagasMetric, ask_ragas, context_texts
from rag_variants.metrics.cases import Cases, make_metric, scored, unscored
from rag_variants.metrics.metric import Detail, Place, Subject, Verdicts, Worked
from rag_variants.metrics.verdicts import claim_entries, share_ends, work_out_share
from rag_variants.types import Score

if TYPE_CHECKING:
    from rag_variants.judges.ragas_llm import BaseRagasEmbedding, InstructorBaseRagasLLM


def _build(collections: Any, llm: "InstructorBaseRagasLLM", embeddings: "BaseRagasEmbedding", *, single: bool) -> Any:
    return collections.ContextRecall(llm=llm)


RAGAS = RagasMetric(_build)


async def _context_recall(subject: Subject) -> Score:
    """Statements of the reference found in the hits ÷ statements of the reference."""
    record = subject.record
    asked = await ask_ragas(
        RAGAS,
        subject,
        user_input=record.question.user_input,
        retrieved_contexts=context_texts(record),
        reference=record.question.reference,
    )
    statements = claim_entries(getattr(asked.exchanges[0].output, "classifications", ()))
    if not statements:
        return unscored("the judge found no statement in the reference", {"statements": []})
    return scored(asked.value, None, {"statements": statements, **share_ends(statements)})


_VERDICTS = Verdicts(
    "statements",
    "statement",
    moves=frozenset({"verdict"}),
    yes="stands in the chunks",
    question="Does this statement of the reference answer stand in the text?",
    share=True,
)


def _work_out(detail: Detail) -> Worked:
    return work_out_share(_VERDICTS.marks(detail), "statements found / statements of the reference")


METRIC = make_metric(
    "context_recall",
    ("core", "Found it?"),
    (
        "Context recall",
        "The share of the reference answer's statements that stand in the retrieved text.",
        "Noise does not lower it, so more chunks never hurt it.",
    ),
    _context_recall,
    Cases(frozenset({"reference", "judge"}), "hits", nothing_retrieved="zero"),
    translations={
        "pl": (
            "pełność kontekstu",
            "Jaka część zdań odpowiedzi wzorcowej ma oparcie w wyszukanym tekście.",
            "Szum jej nie obniża, więc więcej fragmentów nigdy nie szkodzi.",
        ),
        "zh": (
            "上下文召回率",
            "参考答案的陈述有多少能在检索到的文本里找到。",
            "噪声不会拉低它，所以片段取得再多也不吃亏。",
        ),
    },
    headline=Place("retrieval", 2),
    verdicts=_VERDICTS,
    work_out=_work_out,
)
