"""Reranking models: a query and documents → a relevance for each document."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class RerankReply:
    """A relevance for each document in their order, and the seconds on the wire when the call was made.

    `reused`: kept, or shared with the same call. `cost_usd` is None where tokens or price are not known.
    """

    scores: tuple[float, ...]
    seconds: float
    reused: bool = False
    tokens: int | None = None
    cost_usd: float | None = None


class RerankModel(Protocol):
    """Scores documents for a query."""

    @property
    def version(self) -> str:
        """What decides its scores besides its spec."""

    async def rerank(self, query: str, documents: Sequence[str]) -> RerankReply:
        """A relevance for each document. Raises CallError."""

    def recall(self, query: str, documents: Sequence[str]) -> tuple[bytes, RerankReply | None]:
        """What identifies a call, and its reply if that is kept; nothing is sent."""

    def cost(self, tokens: int | None) -> float | None:
        """US dollars for so many tokens read; None where they or the price are not known."""


OpenRerank = Callable[[str], RerankModel]
