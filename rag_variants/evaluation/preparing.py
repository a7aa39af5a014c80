"""What is done before the first call of a run, so that no call waits for it: libraries, evidence, indexes."""

import gc
from collections.abc import Sequence
from contextlib import suppress
from functools import cache

from rag_variants.corpus.background import center_sample
from rag_variants.errors import ModelError, UserError
from rag_variants.evaluation import flow
from rag_variants.evaluation.identity import asked_models
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.rows import JUDGED, gold_counts, located_questions
from rag_variants.llm.endpoint import find_endpoint
from rag_variants.llm.specs import is_chat_spec
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.expand import asks_model
from rag_variants.pipeline.pipeline import Pipeline
from rag_variants.pipeline.stages import search
from rag_variants.pipeline.variant import Variant
from rag_variants.settings import Settings


def asks_elsewhere(variants: Sequence[Variant], plan: Plan) -> bool:
    """Whether a run waits for the replies of an endpoint, by how its models are written."""
    judged = any(map(is_chat_spec, (plan.judge, plan.judge_embeddings)))
    return judged or any(each.answering_models or each.ranking_models for each in variants)


def rows_at_once(variants: Sequence[Variant], plan: Plan, settings: Settings) -> int:
    """Questions in the making for each variant: together twice as many rows as the endpoints take calls at once.

    Measured with 16 calls of 100 ms at once: with 16 rows connections stand idle (1.14 × the limit), with 32 they do
    not (1.05), and 100 are no faster (1.04) but give the first question after 4.7 s in place of 1.6.
    """
    rows = []
    for spec in asked_models(variants, plan.judge, plan.judge_embeddings):
        with suppress(ModelError):  # told where the model is opened
            rows.append(2 * find_endpoint(spec, settings)[0].concurrency)
    return max(1, max(rows, default=flow.PIECES_AT_ONCE) // len(variants))


def prepare_plan(variants: Sequence[Variant], plan: Plan, bench: Bench) -> None:
    """Loads what calls are made and judged with, and finds the evidence. Without it each would wait for seconds."""
    if any(metric.needs & JUDGED for metric in plan.metrics):
        from rag_variants.judges.chat import prepare_prompts

        prepare_prompts()
        bench.embeddings(plan.judge_embeddings).missing("passage", center_sample(plan.knowledge))  # opens its files
    set_libraries_aside()
    located_questions(plan, bench)
    for variant in variants:
        gold_counts(variant, plan, bench)


@cache
def set_libraries_aside() -> None:
    """Once a process, when libraries are loaded: the garbage collector stops looking through them.

    They are half a million objects, and each time that it does everything stands still for 0.3 s.
    """
    gc.freeze()


async def embed_centre(plan: Plan, bench: Bench) -> None:
    """Embeds what a chat model's scores are measured from, beside the first calls. A failure is told by each score.

    Raises a UserError that stops.
    """
    if is_chat_spec(plan.judge) and any("embeddings" in metric.needs for metric in plan.metrics):
        try:
            await bench.embeddings(plan.judge_embeddings).embed("passage", center_sample(plan.knowledge))
        except UserError as error:
            if error.stops:
                raise


def prepare_indexes(variants: Sequence[Variant], plan: Plan, bench: Bench) -> None:
    """Ranks the first question by every variant, which makes its index. A failure is told in the question's own turn.

    What a chat model writes for a question is not asked for here.
    """
    for variant in variants:
        if plan.questions.questions and isinstance(variant, Pipeline) and not asks_model(variant.expansion):
            with suppress(UserError):
                search(variant, plan.questions.questions[0].user_input, bench)
