"""What a page does, as a command line to copy."""

import shlex
from collections.abc import Sequence

from rag_variants.evaluation.plan import Plan
from rag_variants.metrics import DEFAULT_METRICS, choose_metrics
from rag_variants.pipeline import Variant, print_variant
from rag_variants.ui.uploads import is_upload
from rag_variants.ui.url import Selection


def sweep_command(variant: Variant, over: Sequence[str], metric: str, plan: Plan, selection: Selection) -> str:
    """The sweep of a page as `rag-variants sweep …`, quoted for a shell; `metric` "" is the usual one."""
    parts = ["rag-variants", "sweep", print_variant(variant)]
    parts += [part for text in over for part in ("--over", text)]
    parts += ["--metric", metric] if metric else []
    return shlex.join([*parts, *source_options(plan, selection)])


def source_options(plan: Plan, selection: Selection) -> list[str]:
    """The options for documents, questions, slice, metrics and judge, where they differ from the defaults.

    Files that were sent to the page stand as FOLDER and FILE: a command reads them from where they were sent.
    """
    metrics = _metrics(plan, selection)
    options = {
        "--kb": "FOLDER" if is_upload(selection.documents) else selection.documents,
        "--questions": "FILE" if selection.questions and is_upload(selection.documents) else selection.questions,
        "--slice": selection.slice,
        "--metrics": "" if metrics == DEFAULT_METRICS else metrics,
        "--judge": "" if plan.judge == "embedded" else plan.judge,
        "--judge-embeddings": "" if plan.judge_embeddings == "embedded" else plan.judge_embeddings,
    }
    return [part for name, value in options.items() if value for part in (name, value)]


def _metrics(plan: Plan, selection: Selection) -> str:
    """As the selection names them if the plan measures just these, else one by one."""
    effort = choose_metrics("effort")
    chosen = [metric.name for metric in choose_metrics(selection.metrics) if metric not in effort]
    measured = [metric.name for metric in plan.metrics if metric not in effort]
    return selection.metrics if measured == chosen else ",".join(measured)
