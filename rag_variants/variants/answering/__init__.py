"""How variants answer."""

from rag_variants.variants.answering.base import Answerer, AsyncAnswerer, open_answerer

__all__ = ["Answerer", "AsyncAnswerer", "open_answerer"]
