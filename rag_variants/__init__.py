"""Change one thing in a RAG pipeline and see what it did.

The front door; each name is loaded when it is first used, so that importing the package is quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rag_variants.version import __version__ as __version__

if TYPE_CHECKING:
    from rag_variants.corpus.folder import load_knowledge
    from rag_variants.evaluation.compare import compare_runs
    from rag_variants.evaluation.plan import make_plan
    from rag_variants.evaluation.run import Experiment, run_variant
    from rag_variants.pipeline import read_variant
    from rag_variants.pipeline.bench import open_bench
    from rag_variants.questions.reader import load_questions
    from rag_variants.storage.run_files import load_run

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
    "Experiment": "evaluation.run",
    "compare_runs": "evaluation.compare",
    "load_knowledge": "corpus.folder",
    "load_questions": "questions.reader",
    "load_run": "storage.run_files",
    "make_plan": "evaluation.plan",
    "open_bench": "pipeline.bench",
    "read_variant": "pipeline",
    "run_variant": "evaluation.run",
}


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_ROOMS[name]}"), name)
