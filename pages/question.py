"""Question: one question of a comparison, from its text to how each score was made."""

from rag_variants.ui.question import draw_question_page

draw_question_page()
