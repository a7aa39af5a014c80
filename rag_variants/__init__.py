"""Change one thing in a RAG pipeline and see what it did."""

__version__ = "0.1.0"
