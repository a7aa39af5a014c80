"""The latest finished results, by what decides them."""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

from rag_variants.errors import UserError
from rag_variants.evaluation.plan import Plan
from rag_variants.llm.endpoint import deciding_parts, find_endpoint
from rag_variants.llm.specs import is_chat_spec
from rag_variants.pipeline.answer.recordings import recording_stamp
from rag_variants.pipeline.expand.settings import asks_model
from rag_variants.pipeline.rerank import is_endpoint_reranker
from rag_variants.pipeline.variant import Variant
from rag_variants.ui.endpoints import own_endpoints
from rag_variants.ui.jobs import Key

if TYPE_CHECKING:
    from rag_variants.evaluation.tuning.grid import Grid

T = TypeVar("T")


def key_of(a: Variant, b: Variant, plan: Plan) -> Key:
    """Everything that decides a comparison's numbers: results are shared by all visits, endpoints are not."""
    names = tuple(metric.name for metric in plan.metrics)
    sources = (plan.knowledge.fingerprint, plan.questions.fingerprint, plan.knowledge.name, plan.questions.name)
    files = (recording_stamp(a.answerer), recording_stamp(b.answerer))
    judge = (plan.judge, plan.judge_embeddings)
    return (a, b, *files, *sources, names, *judge, plan.seed, plan.today, plan.slice, *_asked(a, b, plan))


def key_of_tuned(variant: Variant, plan: Plan) -> Key:
    """Everything that decides a variant's retrieval over a plan's questions."""
    sources = (plan.knowledge.fingerprint, plan.questions.fingerprint)
    return ("tuned", variant, *sources, plan.today, *_meant(ranking_specs(variant)))


def ranking_specs(variant: Variant) -> tuple[str, ...]:
    """The specs of endpoints' models that a variant asks before there is an answer, once each."""
    expander = getattr(variant, "expander", "") if asks_model(variant) else ""
    reranker = (variant.reranker,) if is_endpoint_reranker(variant.reranker) else ()
    encoder = getattr(variant, "embeddings", "")
    return tuple(dict.fromkeys((*filter(is_chat_spec, (encoder, expander)), *reranker)))


def unusable_endpoint(variant: Variant) -> str | None:
    """Why a model that a variant asks before there is an answer cannot be asked at all: its endpoint is not there."""
    try:
        settings = own_endpoints().settings()
        for spec in ranking_specs(variant):
            find_endpoint(spec, settings)
    except UserError as error:
        return str(error)
    return None


def key_of_sweep(grid: "Grid", metric: str, plan: Plan) -> Key:
    """Everything that decides a sweep's numbers, but for how many settings were tried before."""
    files = tuple(recording_stamp(each) for each in dict.fromkeys(point.answerer for point in grid.points))
    asked = _meant(sweep_specs(grid, plan))
    return ("sweep", grid.axes, metric, *files, *asked, *key_of(grid.start, grid.start, plan))


def sweep_specs(grid: "Grid", plan: Plan) -> tuple[str, ...]:
    """The specs of endpoints' models that a sweep would ask, once each; nobody is asked for what no metric needs."""
    from rag_variants.evaluation.tuning.sweep_work import sweep_plan

    judged = any(metric.needs & {"judge", "embeddings"} for metric in plan.metrics)
    answered = sweep_plan(plan, grid).answers
    asked = [plan.judge, plan.judge_embeddings] if judged else []
    asked += dict.fromkeys(point.answerer for point in grid.points) if answered else []
    ranking = dict.fromkeys(spec for point in grid.points for spec in ranking_specs(point))
    return tuple(dict.fromkeys((*filter(is_chat_spec, asked), *ranking)))


def chat_specs(a: Variant, b: Variant, *more: str) -> tuple[str, ...]:
    """The specs of endpoints' models that two variants ask and `more`, once each."""
    answerers = filter(is_chat_spec, (a.answerer, b.answerer, *more))
    return tuple(dict.fromkeys((*answerers, *ranking_specs(a), *ranking_specs(b))))


def key_of_judge(plan: Plan) -> Key:
    """Everything that decides a plan's judge: what it is built on, and which endpoint it means in this visit."""
    specs = tuple(spec for spec in (plan.judge, plan.judge_embeddings) if is_chat_spec(spec))
    return (plan.knowledge.fingerprint, plan.judge, plan.judge_embeddings, *_meant(specs))


def _asked(a: Variant, b: Variant, plan: Plan) -> Key:
    """Which endpoint each spec means in this visit, without its key."""
    return _meant(chat_specs(a, b, plan.judge, plan.judge_embeddings))


def _meant(specs: Sequence[str]) -> Key:
    if not specs:
        return ()
    try:
        settings = own_endpoints().settings()
    except UserError:
        return ("no settings",)
    return tuple(deciding_parts(spec, settings) for spec in specs)


class KeptResults(Generic[T]):
    """At most `limit` results; the one used longest ago goes first. Threads may share it."""

    def __init__(self, limit: int = 8) -> None:
        self._limit = limit
        self._kept: OrderedDict[Key, T] = OrderedDict()
        self._guard = threading.Lock()

    def find(self, key: Key) -> T | None:
        """The result of a key, or None."""
        with self._guard:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def keep(self, key: Key, result: T) -> None:
        """Keeps a finished result."""
        with self._guard:
            self._kept[key] = result
            while len(self._kept) > self._limit:
                self._kept.popitem(last=False)
