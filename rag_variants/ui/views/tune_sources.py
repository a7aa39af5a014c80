"""Which documents and questions settings are tuned on, and who judges: at hand on the Tune page too."""

import streamlit as st

from rag_variants.evaluation.plan import Plan
from rag_variants.ui.frame import PAGES, draw_page_link
from rag_variants.ui.judge_panel import draw_judge
from rag_variants.ui.sources import draw_left_out, draw_paths
from rag_variants.ui.url import Selection


def draw_tune_sources(selection: Selection, plan: Plan | None) -> None:
    """Popovers to choose others; `plan` is None where those chosen cannot be read."""
    count = f" ({len(plan.knowledge.documents)})" if plan else ""
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="tune sources"):
        with st.popover(f"Documents and questions{count}", key="sources"):
            draw_paths(selection, "paths", "the sample's questions")
            draw_left_out(plan)
            draw_page_link(PAGES["Compare"], "Compare page: send files, or choose a part of the questions", selection)
        with st.container(width=260):
            draw_judge(selection)
