"""A comparison or a sweep as one HTML file that loads nothing."""

from rag_variants.report.page.comparison import comparison_html
from rag_variants.report.page.sweep import sweep_html

__all__ = ["comparison_html", "sweep_html"]
