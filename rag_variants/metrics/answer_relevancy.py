"""Answer relevancy: how close the questions read out of the answer are to the real one. Computed by ragas."""

import math
from typing import TYPE_CHECKING, Any

from rag_variants.judges.entered import GeneratedQuestion
from rag_variants.metrics.asking_ragas import Inputs, RagasMetric, answer_of, ask_ragas
from rag_variants.metrics.cases import Cases, make_metric, scored
from rag_variants.metrics.metric import Detail, Subject, Verdicts, Worked
from rag_variants.metrics.verdicts import UnreadableReplyError
from rag_variants.types import Score

if TYPE_CHECKING:
    from rag_variants.judges.ragas_llm import BaseRagasEmbedding, InstructorBaseRagasLLM


# How many questions are read out of an answer (ragas' own default, its `strictness`).
QUESTIONS = 3


def _build(collections: Any, llm: "InstructorBaseRagasLLM", embeddings: "BaseRagasEmbedding", *, single: bool) -> Any:
    # A judge that cannot generate questions hands back the same text each time: once is enough.
    times = QUESTIONS if getattr(llm, "generates_questions", True) and not single else 1
    return collections.AnswerRelevancy(llm=llm, embeddings=embeddings, strictness=times)


def _parts(inputs: Inputs) -> list[dict[str, Any]]:
    return [dict(inputs)] * QUESTIONS


RAGAS = RagasMetric(_build, _parts)


async def _answer_relevancy(subject: Subject) -> Score:
    """Mean cosine of the question and the questions that the judge reads out of the answer; 0 if noncommittal."""
    question = subject.record.question.user_input
    asked = await ask_ragas(RAGAS, subject, user_input=question, response=answer_of(subject.record).text)
    outputs = [exchange.output for exchange in asked.exchanges]
    questions = [
        {
            "question": text,
            "noncommittal": int(getattr(output, "noncommittal", 0)),
            "similarity": asked.embeddings.similarity(question, text),
        }
        for output in outputs
        for text in [str(getattr(output, "question", ""))]
        if text
    ]
    if not questions:
        raise UnreadableReplyError("no question was generated", [output.model_dump(mode="json") for output in outputs])
    evasive = all(each["noncommittal"] for each in questions)
    reason = "the judge finds that the answer does not commit itself" if evasive else None
    return scored(asked.value, reason, {"questions": questions}, low=-1.0)


def readings_of(detail: Detail) -> tuple[GeneratedQuestion, ...]:
    """The questions read out of an answer, as they stand in the detail."""
    return tuple(GeneratedQuestion(each["similarity"], bool(each["noncommittal"])) for each in detail["questions"])


def _work_out(detail: Detail) -> Worked:
    readings = readings_of(detail)
    evasive = all(each.noncommittal for each in readings)
    terms = [f"{each.similarity:z.2f}" for each in readings]
    written = " + ".join(f"(−{term[1:]})" if term.startswith("-") else term for term in terms)
    mean = math.fsum(each.similarity for each in readings) / len(readings)
    formula = "sum of the cosines with the real question / questions read out of the answer (× 0 if it is evasive)"
    return Worked(formula, f"({written}) / {len(terms)}" + (" × 0" if evasive else ""), 0.0 if evasive else mean)


METRIC = make_metric(
    "answer_relevancy",
    ("core", "Answered it?"),
    (
        "Answer relevancy",
        "How close the answer is to the question: the judge guesses the question from the answer, and guesses are "
        "compared with it.",
        "Wrong but on topic scores high.",
    ),
    _answer_relevancy,
    Cases(frozenset({"answer", "judge", "embeddings"}), "answer", declined="zero"),
    translations={
        "pl": (
            "trafność odpowiedzi",
            "Jak blisko pytania jest odpowiedź: sędzia odgaduje z niej pytanie, które porównuje się z prawdziwym.",
            "Błędna, ale na temat, wypada wysoko.",
        ),
        "zh": (
            "答案相关性",
            "答案离问题有多近：裁判从答案反推问题，再与真正的问题比较。",
            "答错但切题也会得高分。",
        ),
    },
    keyless={
        "en": (
            "Topic closeness",
            "How close the answer itself is to the question in meaning: the embedded judge's stand-in for answer "
            "relevancy.",
            "Wrong but on topic scores high.",
        ),
        "pl": (
            "bliskość tematu",
            "Jak bliska znaczeniowo pytaniu jest sama odpowiedź: tak sędzia wbudowany zastępuje trafność odpowiedzi.",
            "Błędna, ale na temat, wypada wysoko.",
        ),
        "zh": (
            "主题贴近度",
            "答案本身在意思上离问题有多近：内置裁判用它代替答案相关性。",
            "答错但切题也会得高分。",
        ),
    },
    quick=True,
    lowest=-1.0,
    verdicts=Verdicts(
        "questions", "reading", "noncommittal", moves=frozenset({"similarity", "verdict"}), yes="evasive"
    ),
    work_out=_work_out,
)
