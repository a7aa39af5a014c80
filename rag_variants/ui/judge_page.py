"""The Judge page: how far the judge of the comparison that the selection names can be believed."""

from collections.abc import Sequence

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.plan import Plan
from rag_variants.ui.comparison_page import draw_comparison_page
from rag_variants.ui.url import Selection
from rag_variants.ui.workplace import Follow


def draw_judge_page() -> None:
    """The whole page."""
    draw_comparison_page("Judge", "The judge", _draw)


def _draw(comparison: Comparison, selection: Selection, plan: Plan) -> Sequence[Follow]:
    from rag_variants.ui.views.judge import draw_judge_of

    return draw_judge_of(comparison, selection, plan)
