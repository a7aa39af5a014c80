"""What another package's reranker looks like: the longest chunk first."""

from collections.abc import Sequence

from rag_variants.pipeline.rerank import RerankerKind
from rag_variants.types import Chunk


class Longest:
    """Scores a chunk by its letters."""

    def score(self, question: str, chunks: Sequence[Chunk]) -> list[float]:
        return [float(len(chunk.text)) for chunk in chunks]


LONGEST = RerankerKind("longest", "the longest first", "letters", lambda spec, bench: Longest())
