"""Faithfulness: what share of the answer's claims the retrieved text supports. Computed by ragas."""

from typing import TYPE_CHECKING, Any

from rag_variants.metrics.asking_ragas import RagasMetric, answer_of, ask_ragas, context_texts
from rag_variants.metrics.cases import Cases, make_metric, scored, unscored
from rag_variants.metrics.metric import Detail, Place, Subject, Verdicts, Worked
from rag_variants.metrics.verdicts import claim_entries, share_ends, work_out_share
from rag_variants.types import Score

if TYPE_CHECKING:
    from rag_variants.judges.ragas_llm import BaseRagasEmbedding, InstructorBaseRagasLLM


def _build(collections: Any, llm: "InstructorBaseRagasLLM", embeddings: "BaseRagasEmbedding", *, single: bool) -> Any:
    return collections.Faithfulness(llm=llm)


RAGAS = RagasMetric(_build)


async def _faithfulness(subject: Subject) -> Score:
    """Supported claims ÷ claims. An answer out of nothing is judged against an empty context: ragas refuses none."""
    record = subject.record
    asked = await ask_ragas(
        RAGAS,
        subject,
        user_input=record.question.user_input,
        response=answer_of(record).text,
        retrieved_contexts=context_texts(record) or [""],
    )
    if len(asked.exchanges) < 2:
        return unscored("no claims to check", {"claims": []})
    claims = claim_entries(getattr(asked.exchanges[1].output, "statements", ()))
    if not claims:
        return unscored("no claims to check", {"claims": []})
    reason = None if record.hits else "nothing was retrieved that could support the answer"
    return scored(asked.value, reason, {"claims": claims, **share_ends(claims)})


_VERDICTS = Verdicts(
    "claims",
    "claim",
    moves=frozenset({"verdict"}),
    yes="supported by the chunks",
    question="Does the text support this statement of the answer?",
    share=True,
    alike=True,
)


def _work_out(detail: Detail) -> Worked:
    return work_out_share(_VERDICTS.marks(detail), "supported claims / claims")


METRIC = make_metric(
    "faithfulness",
    ("core", "Answered it?"),
    (
        "Faithfulness",
        "The share of the answer's claims that the retrieved text supports.",
        "Not whether it is right or to the point: faithfully retelling the wrong page scores 1.",
    ),
    _faithfulness,
    Cases(frozenset({"answer", "judge"}), "both", declined="unscored", unanswerable=True),
    translations={
        "pl": (
            "wierność",
            "Jaka część twierdzeń odpowiedzi ma oparcie w wyszukanym tekście.",
            "Nie mówi, czy to prawda i czy na temat: wierne streszczenie złej strony dostaje 1.",
        ),
        "zh": (
            "忠实性",
            "答案里的陈述有多少得到检索到的文本支持。",
            "它不管答案对不对、切不切题：忠实地复述了错误的页面，照样得 1。",
        ),
    },
    quick=True,
    headline=Place("answers", 2),
    verdicts=_VERDICTS,
    work_out=_work_out,
)
