"""What a reranker is: it looks at a question and some chunks together and says how well each fits."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from rag_variants.pipeline.bench import Bench
from rag_variants.types import Chunk

if TYPE_CHECKING:
    from rag_variants.llm.reranking import RerankReply


class Reranker(Protocol):
    """Scores chunks for a question. It may also have `version`, what decides its scores besides its spec."""

    def score(self, question: str, chunks: Sequence[Chunk]) -> Sequence[float]:
        """A finite number for each chunk, in their order; higher is better. Raises UserError if it cannot work."""


@runtime_checkable
class WaitingReranker(Protocol):
    """A reranker whose replies take their time elsewhere, so that many questions are asked for side by side."""

    async def ask(self, question: str, chunks: Sequence[Chunk]) -> "RerankReply":
        """As `Reranker.score`, with the seconds that the call took when it was made."""


def no_texts(_: Bench) -> Mapping[str, Sequence[str]]:
    """Of a reranker that needs no vectors."""
    return {}


@dataclass(frozen=True, slots=True)
class RerankerKind:
    """A reranker that can be chosen: its word, a line of help, what its scores are in words, and how it is opened.

    It is written `word`, or `word:NAME` if `names` says which names it takes. `open` gets the spec as it was written
    and the bench; it raises ModelError if the reranker cannot be used. `texts` says by encoder which passages it needs
    vectors of. `asks_first`: it may cost money or download something, so opening a link does not begin it.
    """

    word: str
    summary: str
    score_kind: str
    open: Callable[[str, Bench], Reranker]
    names: Callable[[str], bool] | None = None
    texts: Callable[[Bench], Mapping[str, Sequence[str]]] = no_texts
    asks_first: bool = False

    def takes(self, spec: str) -> bool:
        """Whether a spec is written as one of this kind."""
        word, colon, name = spec.partition(":")
        return word == self.word and (self.names(name) if self.names and colon else not (self.names or colon))
