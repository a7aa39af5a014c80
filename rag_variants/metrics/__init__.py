"""What is measured. To add a metric: one file with its METRIC, one line in the list here; from elsewhere a package."""

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Literal, get_args

from rag_variants.errors import UserError, unknown
from rag_variants.metrics.metric import GROUPS, Metric, MetricSet, Subject
from rag_variants.registry import Registry

__all__ = [
    "DEFAULT_METRICS",
    "GROUPS",
    "METRICS",
    "SETS",
    "Metric",
    "Subject",
    "all_metrics",
    "choose_metrics",
    "full_label_of",
    "label_of",
    "leading_metrics",
]

DEFAULT_METRICS = "retrieval,core,answer"

# The product's own, in the order of every table; each is the METRIC of the module of its name.
_NAMES = (
    "hit_rate",
    "evidence_recall",
    "all_evidence",
    "evidence_precision",
    "precision",
    "mrr",
    "ndcg",
    "faithfulness",
    "answer_relevancy",
    "context_precision",
    "context_recall",
    "key_facts",
    "avoids",
    "abstention",
    "reference_coverage",
    "context_utilization",
    "context_precision_evidence",
    "factual_correctness",
    "semantic_similarity",
    "context_characters",
    "context_tokens",
    "answer_words",
    "latency_ms",
    "cost_usd",
)
_OWN: tuple[Metric, ...] = tuple(import_module(f"{__name__}.{name}").METRIC for name in _NAMES)

# What a set's name stands for, beside `all`. A metric from elsewhere joins the set it names.
SETS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        **{name: tuple(metric.name for metric in _OWN if metric.set == name) for name in get_args(MetricSet)},
        "quick": tuple(metric.name for metric in _OWN if metric.quick),
    }
)


def _complaint(metric: Metric) -> str | None:
    """Why a metric from elsewhere cannot be one of them."""
    if metric.set not in get_args(MetricSet):
        return f"is in the set {metric.set!r}; there is {', '.join(get_args(MetricSet))}"
    if metric.group not in GROUPS:
        return f"is in the group {metric.group!r}, which no table has"
    if "en" not in metric.words or not all(metric.words["en"][:2]):
        return "has no English label and line"
    return "wants to lead the headline, which is fixed" if metric.headline else None


# Every metric by name: the product's own, then those of installed packages.
METRICS: Registry[Metric] = Registry(
    "metric",
    "rag_variants.metrics",
    Metric,
    lambda metric: metric.name,
    built_in=_OWN,
    reserved=frozenset({"all", *SETS}),
    complaint=_complaint,
)


def all_metrics() -> Mapping[str, Metric]:
    """Every metric by name: the product's own in the design's order, then those of installed packages."""
    return METRICS


def choose_metrics(text: str) -> tuple[Metric, ...]:
    """The metrics that a list such as `retrieval,core,mrr` names, each once, in the registry's order.

    Sets: `all`, `quick`, `retrieval`, `core`, `answer`, `more`, `effort`. Names count whole, never by their beginning.
    Raises UserError for an unknown name and for an empty list.
    """
    wanted: set[str] = set()
    for name in (piece.strip() for piece in text.split(",") if piece.strip()):
        if name == "all":
            wanted.update(METRICS)
        elif name in SETS:
            wanted.update(SETS[name], (each.name for each in METRICS.values() if each.set == name))
        elif name in METRICS:
            wanted.add(name)
        else:
            raise UserError(unknown("metric or set", name, ("all", *SETS, *METRICS)))
    if not wanted:
        raise UserError(f"No metric is named. Use for example {DEFAULT_METRICS}.")
    return tuple(metric for metric in METRICS.values() if metric.name in wanted)


def leading_metrics(of: Literal["retrieval", "answers"]) -> tuple[str, ...]:
    """The metrics that lead the headline for retrieval or for answers, the first before the second."""
    places = [(metric.headline.order, metric.name) for metric in _OWN if metric.headline and metric.headline.of == of]
    return tuple(name for _, name in sorted(places))


def is_keyless(metric: Metric, judge_spec: str) -> bool:
    """Whether a metric measures something else under a judge: the embedded one cannot guess questions."""
    return bool(metric.keyless) and judge_spec.partition(":")[0] == "embedded"


def label_of(metric: Metric, judge_spec: str) -> str:
    """The metric's label under a judge: answer relevancy is "Topic closeness" where the embedded judge gives it."""
    return metric.keyless["en"].label if is_keyless(metric, judge_spec) else metric.label


def full_label_of(metric: Metric, judge_spec: str = "") -> str:
    """The label with the field's term beside it, for where there is room: `Reciprocal rank (MRR)`.

    A metric that is another one without a key says so: `Topic closeness (answer relevancy without a key)`.
    """
    if is_keyless(metric, judge_spec):
        return f"{metric.keyless['en'].label} ({metric.label.lower()} without a key)"
    return f"{metric.label} ({metric.term})" if metric.term else metric.label
