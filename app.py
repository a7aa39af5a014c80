"""Compare, the home page: two variants, the same questions, what changed."""

from rag_variants.ui.compare import draw_compare_page

draw_compare_page()
