"""One side of an experiment: a variant, who answers for it, who judges it."""

from dataclasses import dataclass, replace

from rag_variants.corpus.background import center_sample
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.runs import RunCalls
from rag_variants.judges import open_judge
from rag_variants.judges.base import Judge
from rag_variants.llm.calls import CallCounter
from rag_variants.llm.specs import is_chat_spec
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.variant import Recorder, Variant


@dataclass(frozen=True)
class Side:
    """A variant with what makes its records, who judges them, and the calls that are made for it.

    `judge` is None where nobody is asked. On its `bench` calls to a reranking model count as made for its answers.
    """

    variant: Variant
    bench: Bench
    recorder: Recorder
    judge: Judge | None
    answer_calls: CallCounter
    judge_calls: CallCounter
    query_calls: CallCounter

    @property
    def waits(self) -> bool:
        """Whether one of them spends its time waiting for somebody else's computer."""
        return self.recorder.waits or getattr(self.judge, "waits", False)

    @property
    def calls(self) -> RunCalls:
        """What was asked so far, reranking among the answers."""
        return RunCalls(self.answer_calls.calls, self.judge_calls.calls, self.query_calls.calls)


def open_side(variant: Variant, plan: Plan, bench: Bench) -> Side:
    """A variant ready to answer and to be judged. Raises ModelError for an unknown model."""
    answers, judge, queries = CallCounter(), CallCounter(), CallCounter()
    own = replace(
        bench,
        open_chat=answers.counting(bench.open_chat),
        open_writer=queries.counting(bench.open_writer),
        open_rerank=answers.counting_rerank(bench.open_rerank),
    )
    return Side(
        variant,
        own,
        variant.open(own),
        open_plan_judge(plan, replace(bench, open_chat=judge.counting(bench.open_chat))),
        answers,
        judge,
        queries,
    )


def open_plan_judge(plan: Plan, bench: Bench) -> Judge | None:
    """The judge of a plan, or None if no metric asks one. Raises ModelError for an unknown one."""
    if not any(metric.needs & {"judge", "embeddings"} for metric in plan.metrics):
        return None
    embeddings = bench.embeddings(plan.judge_embeddings)
    if is_chat_spec(plan.judge):
        from rag_variants.judges.chat import ChatJudge  # which loads ragas

        return ChatJudge(bench.open_chat(plan.judge, None), embeddings, center_sample(plan.knowledge))
    background = bench.background(plan.judge_embeddings)
    if plan.judge != "embedded":  # never kept: stages are shared by all sessions, a client holds a session's key
        return open_judge(plan.judge, embeddings, background, bench.open_chat)
    key = (plan.knowledge, plan.judge, plan.judge_embeddings)
    return bench.cache.get("judge", key, lambda: open_judge(plan.judge, embeddings, background, bench.open_chat))
