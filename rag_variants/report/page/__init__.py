"""A comparison as one HTML file that loads nothing."""

from rag_variants.report.page.comparison import comparison_html

__all__ = ["comparison_html"]
