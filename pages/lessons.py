"""Lessons: guess what a change does, see what it did, open the question that shows it."""

from rag_variants.ui.lessons import draw_lessons_page

draw_lessons_page()
