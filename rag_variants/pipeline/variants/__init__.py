"""The pipelines that come with the product: one retriever each, and both fused."""
