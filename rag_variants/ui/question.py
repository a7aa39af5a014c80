"""The Question page: one question of the comparison that the selection names."""

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.plan import Plan
from rag_variants.ui.comparison_page import draw_comparison_page
from rag_variants.ui.url import Selection
from rag_variants.ui.workplace import Follow


def draw_question_page() -> None:
    """The whole page."""
    draw_comparison_page("Question", "The question", _draw)


def _draw(comparison: Comparison, selection: Selection, plan: Plan) -> tuple[Follow, ...]:
    from rag_variants.ui.views.question_page import draw_question_of

    draw_question_of(comparison, selection)
    return ()
