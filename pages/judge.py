"""Judge: whom to believe. Labels of one's own, gold marks, and other judges on the same records."""

from rag_variants.ui.judge_page import draw_judge_page

draw_judge_page()
