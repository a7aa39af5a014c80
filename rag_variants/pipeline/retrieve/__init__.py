"""What is searched → a ranking of chunks. To add a way: one file with its Retriever and one line here."""

from rag_variants.pipeline.retrieve.keyword import KEYWORD
from rag_variants.pipeline.retrieve.retriever import Retriever
from rag_variants.pipeline.retrieve.vector import VECTOR
from rag_variants.registry import Registry

__all__ = ["RETRIEVERS", "Retriever"]

RETRIEVERS: Registry[Retriever] = Registry(
    "retriever", "rag_variants.retrievers", Retriever, lambda retriever: retriever.name, (KEYWORD, VECTOR)
)
