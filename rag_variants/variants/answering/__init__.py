"""How variants answer."""

from rag_variants.variants.answering.base import Answerer, open_answerer

__all__ = ["Answerer", "open_answerer"]
