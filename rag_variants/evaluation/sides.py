"""One side of an experiment: a variant, who answers for it, who judges it."""

from dataclasses import dataclass, field, replace

from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.runs import RunCalls
from rag_variants.judges import open_judge
from rag_variants.judges.base import Judge
from rag_variants.llm.calls import CallCounter
from rag_variants.pipeline.answer import Answerer, AsyncAnswerer, open_answerer
from rag_variants.pipeline.expand.rewriting import Rewriter, open_rewriter
from rag_variants.pipeline.expand.settings import asks_model
from rag_variants.pipeline.stages import Bench
from rag_variants.pipeline.variant import Variant


@dataclass(frozen=True)
class Side:
    """A variant with what answers for it, who judges it, who expands its questions, and the calls that they make.

    `judge` and `rewriter` are None where nobody is asked. On its `bench` calls to a reranking model count as made for
    its answers, and calls to a chat model as made for its queries.
    """

    variant: Variant
    bench: Bench
    answerer: Answerer
    judge: Judge | None
    answer_calls: CallCounter
    judge_calls: CallCounter
    rewriter: Rewriter | None = None
    query_calls: CallCounter = field(default_factory=CallCounter)

    @property
    def waits(self) -> bool:
        """Whether one of them spends its time waiting for somebody else's computer."""
        return (
            self.rewriter is not None or isinstance(self.answerer, AsyncAnswerer) or getattr(self.judge, "waits", False)
        )

    @property
    def calls(self) -> RunCalls:
        """What was asked so far, reranking among the answers."""
        return RunCalls(self.answer_calls.calls, self.judge_calls.calls, self.query_calls.calls)


def open_side(variant: Variant, plan: Plan, bench: Bench) -> Side:
    """A variant ready to answer and to be judged. Raises ModelError for an unknown model."""
    answers, judge, queries = CallCounter(), CallCounter(), CallCounter()
    own = replace(
        bench,
        open_chat=queries.counting(bench.open_chat),
        open_rerank=answers.counting_rerank(bench.open_rerank),
    )
    return Side(
        variant,
        own,
        open_answerer(variant, replace(bench, open_chat=answers.counting(bench.open_chat))),
        open_plan_judge(plan, replace(bench, open_chat=judge.counting(bench.open_chat))),
        answers,
        judge,
        open_rewriter(variant, own) if asks_model(variant) else None,
        queries,
    )


def open_plan_judge(plan: Plan, bench: Bench) -> Judge | None:
    """The judge of a plan, or None if no metric asks one. Raises ModelError for an unknown one."""
    if not any(metric.needs & {"judge", "embeddings"} for metric in plan.metrics):
        return None
    embeddings = bench.embeddings(plan.judge_embeddings)
    background = bench.background(plan.judge_embeddings)
    if plan.judge != "embedded":  # never kept: stages are shared by all sessions, a client holds a session's key
        return open_judge(plan.judge, embeddings, background, bench.open_chat)
    key = (plan.knowledge, plan.judge, plan.judge_embeddings)
    return bench.stages.keep("judge", key, lambda: open_judge(plan.judge, embeddings, background, bench.open_chat))
