"""The core four over finished records as others compute them: `ragas.evaluate()`, and a careful user's loop."""

import asyncio
from collections.abc import Sequence
from typing import Any

from rag_variants.types import Record

MODEL, ENCODER, KEY = "gpt-4o-mini", "text-embedding-3-small", "sk-none"


def evaluate_with_ragas(records: Sequence[Record], url: str, workers: int) -> int:
    """`ragas.evaluate()` with LangChain's client; how many scores came out."""
    from langchain_openai import ChatOpenAI, OpenAIEmbeddings
    from ragas import EvaluationDataset, RunConfig, SingleTurnSample, evaluate
    from ragas.embeddings import LangchainEmbeddingsWrapper
    from ragas.llms import LangchainLLMWrapper
    from ragas.metrics import Faithfulness, LLMContextPrecisionWithReference, LLMContextRecall, ResponseRelevancy

    samples = [
        SingleTurnSample(user_input=question, response=answer, retrieved_contexts=contexts, reference=reference)
        for question, answer, contexts, reference in map(inputs_of, records)
    ]
    settings = {"base_url": url, "api_key": KEY}
    result = evaluate(
        EvaluationDataset(samples=samples),  # type: ignore[arg-type]
        metrics=[Faithfulness(), ResponseRelevancy(), LLMContextPrecisionWithReference(), LLMContextRecall()],
        llm=LangchainLLMWrapper(ChatOpenAI(model=MODEL, **settings)),  # type: ignore[arg-type]
        embeddings=LangchainEmbeddingsWrapper(
            OpenAIEmbeddings(model=ENCODER, check_embedding_ctx_length=False, **settings)  # type: ignore[arg-type]
        ),
        run_config=RunConfig(max_workers=workers),
        show_progress=False,
    )
    return sum(value == value for scores in result.scores for value in scores.values())


def evaluate_with_collections(records: Sequence[Record], url: str, workers: int) -> int:
    """The collections metrics, one score a turn of a semaphore; how many scores came out."""
    return asyncio.run(_with_collections(records, url, workers))


async def _with_collections(records: Sequence[Record], url: str, workers: int) -> int:
    from openai import AsyncOpenAI

    async with AsyncOpenAI(base_url=url, api_key=KEY) as client:
        return await _score_all(client, records, workers)


async def _score_all(client: Any, records: Sequence[Record], workers: int) -> int:
    from ragas.embeddings.base import embedding_factory
    from ragas.llms import llm_factory
    from ragas.metrics import collections

    llm = llm_factory(MODEL, client=client)
    embeddings: Any = embedding_factory("openai", model=ENCODER, client=client, interface="modern")
    faithfulness = collections.Faithfulness(llm=llm)
    relevancy = collections.AnswerRelevancy(llm=llm, embeddings=embeddings)
    precision = collections.ContextPrecision(llm=llm)
    recall = collections.ContextRecall(llm=llm)
    turn = asyncio.Semaphore(workers)

    async def score(metric: Any, *given: Any) -> float:
        async with turn:
            return float((await metric.ascore(*given)).value)

    scores = []
    for question, answer, contexts, reference in map(inputs_of, records):
        scores += [
            score(faithfulness, question, answer, contexts),
            score(relevancy, question, answer),
            score(precision, question, reference, contexts),
            score(recall, question, contexts, reference),
        ]
    return sum(value == value for value in await asyncio.gather(*scores))


def inputs_of(record: Record) -> tuple[str, str, list[str], str]:
    """Question, answer, contexts and reference of a record that has them all."""
    assert record.answer is not None
    contexts = [hit.chunk.text for hit in record.hits]
    return record.question.user_input, record.answer.text, contexts, record.question.reference or ""
