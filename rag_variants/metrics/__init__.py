"""What is measured. To add a metric: one file with its Metric, one line here; from elsewhere an entry point."""

from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from types import MappingProxyType

from rag_variants.errors import UserError, unknown
from rag_variants.metrics.answer import ANSWER
from rag_variants.metrics.base import Metric, Subject
from rag_variants.metrics.core import CORE
from rag_variants.metrics.effort import EFFORT
from rag_variants.metrics.more import MORE
from rag_variants.metrics.retrieval import RETRIEVAL

__all__ = [
    "DEFAULT_METRICS",
    "METRICS",
    "SETS",
    "Metric",
    "Subject",
    "all_metrics",
    "choose_metrics",
    "label_of",
]

ENTRY_POINTS = "rag_variants.metrics"
DEFAULT_METRICS = "retrieval,core,answer"

METRICS: Mapping[str, Metric] = MappingProxyType(
    {metric.name: metric for metric in (*RETRIEVAL, *CORE, *ANSWER, *MORE, *EFFORT)}
)

# What a set's name stands for, beside `all`. A metric from elsewhere joins the set it names.
SETS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        **{
            name: tuple(metric.name for metric in METRICS.values() if metric.set == name)
            for name in ("retrieval", "core", "answer", "more", "effort")
        },
        "quick": ("faithfulness", "answer_relevancy"),
    }
)


@cache
def all_metrics() -> Mapping[str, Metric]:
    """Every metric by name: the product's own in the design's order, then those of installed packages.

    Raises UserError if an installed package's metric cannot be loaded, is none, or takes a name that is in use.
    """
    found = dict(METRICS)
    for entry in sorted(entry_points(group=ENTRY_POINTS), key=lambda entry: entry.name):
        origin = f"The metric {entry.name!r} of {entry.dist.name if entry.dist else 'an installed package'}"
        try:
            metric = entry.load()
        except (ImportError, AttributeError) as error:
            raise UserError(f"{origin} cannot be loaded ({error}). Update or uninstall that package.") from error
        if not isinstance(metric, Metric):
            raise UserError(f"{origin} is no rag_variants.metrics.Metric. Update or uninstall that package.")
        if metric.name in found or metric.name in SETS or metric.name == "all":
            raise UserError(f"{origin} takes the name {metric.name!r}, which is in use. Uninstall that package.")
        found[metric.name] = metric
    return MappingProxyType(found)


def choose_metrics(text: str) -> tuple[Metric, ...]:
    """The metrics that a list such as `retrieval,core,mrr` names, each once, in the registry's order.

    Sets: `all`, `quick`, `retrieval`, `core`, `answer`, `more`, `effort`. Names count whole, never by their beginning.
    Raises UserError for an unknown name and for an empty list.
    """
    metrics = all_metrics()
    wanted: set[str] = set()
    for name in (piece.strip() for piece in text.split(",") if piece.strip()):
        if name == "all":
            wanted.update(metrics)
        elif name in SETS:
            wanted.update(SETS[name], (each.name for each in metrics.values() if each.set == name))
        elif name in metrics:
            wanted.add(name)
        else:
            raise UserError(unknown("metric or set", name, ("all", *SETS, *metrics)))
    if not wanted:
        raise UserError(f"No metric is named. Use for example {DEFAULT_METRICS}.")
    return tuple(metric for metric in metrics.values() if metric.name in wanted)


def label_of(metric: Metric, judge_spec: str) -> str:
    """The metric's label under a judge: answer relevancy is "Topic closeness" where the embedded judge gives it."""
    keyless = judge_spec.partition(":")[0] == "embedded"
    return metric.keyless_label if keyless and metric.keyless_label else metric.label
