"""What `make bench-calls` runs in every way: 50 questions × 2 variants × the core four, 16 calls of 100 ms at once."""

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date

from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.run import Experiment
from rag_variants.evaluation.runs import Run
from rag_variants.llm import Encoders
from rag_variants.pipeline import read_variant
from rag_variants.pipeline.bench import open_bench
from rag_variants.questions.sets import QuestionSet

QUESTIONS, LATENCY, AT_ONCE = 50, 0.1, 16
SIDES, MOVED = ("keyword", "hybrid"), ("keyword", "hybrid:rrf_k=10")
CORE = ("faithfulness", "answer_relevancy", "context_precision", "context_recall")


def run(plan: Plan, encoders: Encoders, sides: Sequence[str] = SIDES) -> tuple[Run, ...]:
    """What `rag-variants compare` does, from fresh stages."""
    bench = open_bench(plan.knowledge, date.today(), encoders=encoders)
    experiment = Experiment([read_variant(each) for each in sides], plan, bench)
    for _ in experiment.steps():
        pass
    return experiment.runs()


def count_scores(runs: Sequence[Run]) -> int:
    """Scores of the core four that have a value."""
    return sum(row.scores[name].value is not None for each in runs for row in each.rows for name in CORE)


@contextmanager
def fresh_memory() -> Iterator[None]:
    """No reply is kept from before."""
    before = os.environ.get("RAG_VARIANTS_HOME")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["RAG_VARIANTS_HOME"] = folder
        try:
            yield
        finally:
            if before is None:
                del os.environ["RAG_VARIANTS_HOME"]
            else:
                os.environ["RAG_VARIANTS_HOME"] = before


def choose_questions(plan: Plan, encoders: Encoders, count: int) -> tuple[Plan, tuple[Run, ...]]:
    """The plan for questions that all four metrics can score on both sides, and its runs with the embedded judge."""
    runs = run(plan, encoders)
    whole = [
        rows[0].record.question
        for rows in zip(*(each.rows for each in runs), strict=True)
        if all(row.record.question.answerable is not False and row.record.question.reference for row in rows)
        and all(row.record.hits and row.record.answer and not row.record.answer.declined for row in rows)
    ][:count]
    asked = replace(plan, questions=QuestionSet(plan.questions.name, tuple(whole)))
    return asked, run(asked, encoders)
