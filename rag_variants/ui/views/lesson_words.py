"""A lesson's pair and settings in Markdown."""

from rag_variants.lessons.lesson import Lesson
from rag_variants.ui.controls import BADGES
from rag_variants.ui.text import as_typed
from rag_variants.variants import print_variant


def pair_words(lesson: Lesson) -> str:
    """Both variants as they are written, with their badges."""
    a, b = (as_typed(print_variant(each)) for each in (lesson.a, lesson.b))
    return f"{BADGES['a']}\u00a0{a} {BADGES['b']}\u00a0{b}"  # a badge stays with its variant where the line ends
