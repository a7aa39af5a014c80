"""A lesson's pair and settings in Markdown."""

from rag_variants.lessons.lesson import Lesson
from rag_variants.pipeline import print_variant
from rag_variants.ui.controls import BADGES
from rag_variants.ui.text import as_typed

LONG = 60  # characters of both variants; above, each has a line of its own, so that a badge stays with its variant


def pair_words(lesson: Lesson) -> str:
    """Both variants as they are written, with their badges."""
    a, b = (as_typed(print_variant(each)) for each in (lesson.a, lesson.b))
    between = "  \n" if len(a + b) > LONG else " "
    return f"{BADGES['a']} {a}{between}{BADGES['b']} {b}"
