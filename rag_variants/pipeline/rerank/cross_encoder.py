"""Reranking by a cross-encoder: a model that reads question and chunk together. An extra of the package."""

import re
from collections.abc import Sequence
from typing import Any

from rag_variants.errors import ModelError
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.rerank.reranker import RerankerKind
from rag_variants.types import Chunk

INSTALL = "pip install 'sentence-transformers>=5'"
# A name on the Hugging Face hub, never a path.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}/[A-Za-z0-9][A-Za-z0-9._-]{0,95}")


class CrossEncoderReranker:
    """The scores of a model of sentence-transformers, as it gives them."""

    def __init__(self, name: str, model: Any, version: str) -> None:
        self._name = name
        self._model = model
        self.version = f"sentence-transformers {version}"

    def score(self, question: str, chunks: Sequence[Chunk]) -> Sequence[float]:
        """One number a chunk. Raises ModelError for a model that gives anything else."""
        pairs = [(question, chunk.text) for chunk in chunks]
        found = self._model.predict(pairs, show_progress_bar=False, convert_to_numpy=True)
        if found.shape != (len(chunks),):
            raise ModelError(
                f"cross-encoder:{self._name} gives {found.shape[-1]} numbers a chunk, so it is no reranker. "
                "Choose a model that gives one."
            )
        return [float(each) for each in found]


def _open(spec: str, bench: Bench) -> CrossEncoderReranker:
    return bench.cache.get("cross-encoder", spec, lambda: _load(spec.partition(":")[2]))


def _load(name: str) -> CrossEncoderReranker:
    try:
        import sentence_transformers
    except ImportError as error:
        raise ModelError(
            f"cross-encoder:{name} needs the package sentence-transformers, which is not installed ({error}). "
            f"Install it: {INSTALL}"
        ) from error
    try:
        model = sentence_transformers.CrossEncoder(name)
    except (OSError, ValueError) as error:  # what the hub's client raises for a model that is not there
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise ModelError(
            f"cross-encoder:{name} cannot be loaded: {reason} Check its name on huggingface.co and the network; "
            "what was loaded once is kept on this computer."
        ) from error
    return CrossEncoderReranker(name, model, sentence_transformers.__version__)


CROSS_ENCODER = RerankerKind(
    "cross-encoder",
    f"a model that reads question and chunk together, on this computer; {INSTALL}",
    "cross-encoder",
    _open,
    names=lambda name: _NAME.fullmatch(name) is not None,
    asks_first=True,
)
