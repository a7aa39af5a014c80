"""Rerankers that wait for a network, asked about many questions at once and not about each in its turn."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed

from rag_variants.errors import UserError
from rag_variants.evaluation.work import Progress
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.pipeline import Pipeline
from rag_variants.pipeline.rerank import OFF, WaitingReranker, open_reranker
from rag_variants.pipeline.stages import rerank_question
from rag_variants.pipeline.variant import Variant

# Calls in the making, the usual limit of an endpoint.
CALLS_AT_ONCE = 16


def rerank_ahead(variant: Variant, bench: Bench, questions: Sequence[str]) -> Iterator[Progress]:
    """Reranks all questions of a variant whose reranker waits; the bench keeps what came. Others are only opened.

    A question whose call failed is left to its own turn, which says why. Raises UserError for a reranker that cannot be
    opened, or one that stops the run. A caller that stops reading stops the calls that have not begun.
    """
    if not isinstance(variant, Pipeline) or variant.reranker == OFF:
        return
    if not isinstance(open_reranker(variant.reranker, bench), WaitingReranker):
        return
    wanted = list(dict.fromkeys(questions))
    with ThreadPoolExecutor(CALLS_AT_ONCE, "rag-variants reranking") as pool:
        tasks = [pool.submit(rerank_question, variant, question, bench) for question in wanted]
        try:
            for done, task in enumerate(as_completed(tasks), start=1):
                error = task.exception()
                if error is not None and not (isinstance(error, UserError) and not error.stops):
                    raise error
                yield Progress("reranking", done, len(wanted))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
