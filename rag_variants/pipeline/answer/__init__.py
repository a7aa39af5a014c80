"""How variants answer."""

from rag_variants.pipeline.answer.answerer import Answerer, AsyncAnswerer, open_answerer

__all__ = ["Answerer", "AsyncAnswerer", "open_answerer"]
