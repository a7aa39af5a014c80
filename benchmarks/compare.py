"""How long a comparison takes beside ragas' own metric objects on the same records: `make bench`.

Both sides run in this process, in turn, imports and vectors at hand. The judge beside ours answers instantly: every
verdict is 1, every answer one statement. Target: at most twice.
"""

import asyncio
import statistics
import time
from collections.abc import Callable
from datetime import date
from functools import partial
from typing import Any, ClassVar

import ragas.metrics.collections as collections
from ragas.embeddings.base import BaseRagasEmbedding
from ragas.llms.base import InstructorBaseRagasLLM

from rag_variants.evaluation.compare import compare_runs
from rag_variants.evaluation.plan import Plan, make_plan
from rag_variants.evaluation.run import Experiment
from rag_variants.evaluation.runs import Run
from rag_variants.llm import Encoders
from rag_variants.pipeline import read_variant
from rag_variants.pipeline.bench import open_bench
from rag_variants.settings import Settings

ROUNDS = 7
TARGET = 2.0


class InstantJudge(InstructorBaseRagasLLM):
    """Answers at once, always the same."""

    replies: ClassVar[dict[str, dict[str, Any]]] = {
        "StatementGeneratorOutput": {"statements": ["One."]},
        "NLIStatementOutput": {"statements": [{"statement": "One.", "reason": "", "verdict": 1}]},
        "ContextPrecisionOutput": {"reason": "", "verdict": 1},
        "ContextRecallOutput": {"classifications": [{"statement": "One.", "reason": "", "attributed": 1}]},
        "AnswerRelevanceOutput": {"question": "What?", "noncommittal": 0},
    }

    def generate(self, prompt: str, response_model: Any) -> Any:
        """The reply for a kind of question."""
        return response_model.model_validate(self.replies[response_model.__name__])

    async def agenerate(self, prompt: str, response_model: Any) -> Any:
        """As `generate`."""
        return self.generate(prompt, response_model)


class InstantEmbeddings(BaseRagasEmbedding):
    """The same vector for every text."""

    def embed_text(self, text: str, **_: Any) -> list[float]:
        """Two numbers."""
        return [1.0, 0.0]

    async def aembed_text(self, text: str, **_: Any) -> list[float]:
        """Two numbers."""
        return [1.0, 0.0]


def compare(plan: Plan, encoders: Encoders) -> tuple[Run, ...]:
    """What `rag-variants compare keyword hybrid` does, from fresh stages."""
    bench = open_bench(plan.knowledge, date.today(), encoders=encoders)
    experiment = Experiment([read_variant("keyword"), read_variant("hybrid")], plan, bench)
    for _ in experiment.steps():
        pass
    a, b = experiment.runs()
    compare_runs(a, b)
    return a, b


async def score_with_ragas(runs: tuple[Run, ...]) -> int:
    """The core four by ragas' objects alone on the same records; how many scores."""
    judge, embeddings, scores = InstantJudge(), InstantEmbeddings(), 0
    faithfulness = collections.Faithfulness(llm=judge)
    relevancy = collections.AnswerRelevancy(llm=judge, embeddings=embeddings)
    precision = collections.ContextPrecision(llm=judge)
    recall = collections.ContextRecall(llm=judge)
    for row in (row for run in runs for row in run.rows):
        record = row.record
        question, contexts = record.question, [hit.chunk.text for hit in record.hits]
        answer = record.answer.text if record.answer else ""
        if question.reference and contexts:
            await precision.ascore(question.user_input, question.reference, contexts)
            await recall.ascore(question.user_input, contexts, question.reference)
            await relevancy.ascore(question.user_input, answer)
            await faithfulness.ascore(question.user_input, answer, contexts)
            scores += 4
    return scores


def timed(step: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds and result."""
    begin = time.perf_counter()
    result = step()
    return time.perf_counter() - begin, result


def main() -> None:
    """Prints both times of each round and the median ratio."""
    plan, encoders = make_plan(metrics="retrieval,core").restricted(None), Encoders(Settings())
    runs = compare(plan, encoders)  # warm: imports, encoder, vectors
    asyncio.run(score_with_ragas(runs))
    ratios = []
    for number in range(1, ROUNDS + 1):
        ours, runs = timed(lambda: compare(plan, encoders))
        theirs, scores = timed(partial(lambda done: asyncio.run(score_with_ragas(done)), runs))
        ratios.append(ours / theirs)
        print(f"round {number}: compare {ours:.2f} s, ragas alone {theirs:.2f} s, {scores} scores: × {ratios[-1]:.2f}")
    print(f"median ratio {statistics.median(ratios):.2f}, target at most {TARGET:.0f}")


if __name__ == "__main__":
    main()
