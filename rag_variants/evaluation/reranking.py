"""Rerankers that wait for a network, asked about many questions at once and not about each in its turn."""

from collections.abc import Iterator, Sequence
from functools import partial

from rag_variants.errors import UserError
from rag_variants.evaluation.flow import CALLS_AT_ONCE, beside, make_pieces
from rag_variants.evaluation.work import Progress
from rag_variants.llm.flow import Aside
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.expand.rewriting import open_rewriter
from rag_variants.pipeline.pipeline import Pipeline
from rag_variants.pipeline.query import Written
from rag_variants.pipeline.records import write_question
from rag_variants.pipeline.rerank import OFF, WaitingReranker, open_reranker
from rag_variants.pipeline.stages import chunks_to_rerank, expand, rerank
from rag_variants.pipeline.variant import Variant
from rag_variants.types import Question, Record


def rerank_ahead(variant: Variant, bench: Bench, questions: Sequence[str]) -> Iterator[Progress]:
    """Reranks all questions of a variant whose reranker waits; the bench keeps what came. Others are only opened.

    A question whose call failed is left to its own turn, which says why. Raises UserError for a reranker that cannot be
    opened, or one that stops the run. A caller that stops reading stops the calls that have not come.
    """
    if not isinstance(variant, Pipeline) or variant.reranker == OFF:
        return
    reranker = open_reranker(variant.reranker, bench)
    if not isinstance(reranker, WaitingReranker):
        return
    rewriter, wanted = open_rewriter(variant, bench), list(dict.fromkeys(questions))
    done: dict[int, None] = {}
    with beside() as aside:

        async def rerank_one(at: int) -> None:
            try:
                written = await write_question(variant, Question("", wanted[at]), bench, rewriter)
                if not isinstance(written, Record):
                    await _rerank(variant, wanted[at], reranker, bench, written, aside)
            except UserError as error:
                if error.stops:
                    raise

        for _ in make_pieces(rerank_one, len(wanted), done, waits=True, at_once=CALLS_AT_ONCE):
            yield Progress("reranking", len(done), len(wanted))


async def _rerank(
    variant: Pipeline, question: str, reranker: WaitingReranker, bench: Bench, written: Written | None, aside: Aside
) -> None:
    """Has the bench rerank a question; the call that it needs, if any, is waited for in between. Raises UserError."""
    query = (await aside(partial(expand, variant, question, bench, written))).query
    chunks = await aside(partial(chunks_to_rerank, variant, question, query, bench))
    if chunks:
        reply = await reranker.ask(question, chunks)
        await aside(partial(rerank, variant, question, query, bench, reply))
