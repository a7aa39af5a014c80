"""Change one thing in a RAG pipeline and see what it did.

The front door; each name is loaded when it is first used, so that importing the package is quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rag_variants.experiment.compare import compare_runs
    from rag_variants.experiment.plan import make_plan
    from rag_variants.experiment.run import Experiment, run_variant
    from rag_variants.knowledge.reader import load_knowledge
    from rag_variants.questions.reader import load_questions
    from rag_variants.store import load_run
    from rag_variants.variants import read_variant
    from rag_variants.variants.stages import open_bench

__version__ = "0.1.0"

__all__ = [
    "Experiment",
    "compare_runs",
    "load_knowledge",
    "load_questions",
    "load_run",
    "make_plan",
    "open_bench",
    "read_variant",
    "run_variant",
]

_ROOMS = {
    "Experiment": "experiment.run",
    "compare_runs": "experiment.compare",
    "load_knowledge": "knowledge.reader",
    "load_questions": "questions.reader",
    "load_run": "store",
    "make_plan": "experiment.plan",
    "open_bench": "variants.stages",
    "read_variant": "variants",
    "run_variant": "experiment.run",
}


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_ROOMS[name]}"), name)
