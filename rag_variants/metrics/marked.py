"""The hits of a record with their gold marks: what every retrieval metric counts."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rag_variants.questions.gold import Gold
from rag_variants.types import Chunk, Record

NOT_CUT_HERE = "it is not known how this variant cuts the documents"
NO_GOLD = "no chunk here holds the evidence whole; look at chunk_size, chunk_overlap and documents"


@dataclass(frozen=True)
class Marked:
    """Hits with the groups they are gold for; ranks count from 1 in the order of the hits.

    `gold_in_knowledge` is None where it is not known how the documents were cut.
    """

    chunks: tuple[Chunk, ...]
    groups: tuple[tuple[int, ...], ...]
    gold_in_knowledge: int | None

    @cached_property
    def gold_ranks(self) -> list[int]:
        """The ranks of gold hits."""
        return [rank for rank, groups in enumerate(self.groups, start=1) if groups]

    @property
    def reason(self) -> str | None:
        """Why a value is 0 that no retriever could raise."""
        return NO_GOLD if self.gold_in_knowledge == 0 else None

    @property
    def detail(self) -> dict[str, Any]:
        """What every retrieval metric shows."""
        known = {} if self.gold_in_knowledge is None else {"gold_in_knowledge": self.gold_in_knowledge}
        return {"gold_ranks": self.gold_ranks, "hits": len(self.chunks), **known}


def mark_hits(record: Record, gold: Gold, gold_in_knowledge: int | None) -> Marked:
    """The record's hits with their marks. The knowledge base holds at least the gold chunks that are among them."""
    chunks = tuple(hit.chunk for hit in record.hits)
    groups = tuple(gold.mark(chunk).gold for chunk in chunks)
    if gold_in_knowledge is not None:
        gold_in_knowledge = max(gold_in_knowledge, sum(1 for each in groups if each))
    return Marked(chunks, groups, gold_in_knowledge)
