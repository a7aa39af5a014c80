"""A against A: what the tool itself adds to a difference, on request."""

import streamlit as st

from rag_variants.evaluation.comparison import Comparison
from rag_variants.metrics import all_metrics
from rag_variants.pipeline.variant import Variant
from rag_variants.ui.text import as_typed
from rag_variants.ui.url import select


def draw_against_itself(comparison: Comparison) -> None:
    """A button that puts A on both sides; where it is, what that shows."""
    if comparison.a.variant == comparison.b.variant:
        st.caption(as_typed(itself_words(comparison)))
        return
    st.button(
        "Compare A with itself",
        key="against itself",
        type="tertiary",
        icon=":material/balance:",
        help="The same variant on both sides: every difference has to be 0, or the tool itself would make one.",
        on_click=_put_on_both,
        args=(comparison.a.variant,),
    )


def itself_words(comparison: Comparison) -> str:
    """What a comparison of a variant with itself shows; a difference that it has is named."""
    moved = [all_metrics()[name].label for name, each in comparison.metrics.items() if each.delta.mean]
    if moved:
        return (
            f"A against A, yet there is a difference in {', '.join(moved)}: what answers or judges here does not say "
            "the same twice. Read no difference of that size as one between variants."
        )
    words = "A against A: every difference is 0 and there is no verdict, so the tool adds nothing by itself."
    if comparison.a.judge is None or comparison.judge == "embedded":
        return words
    return (
        f"{words} The judge was asked once and its replies serve both sides: its own noise shows only when the same "
        "records are judged again."
    )


def _put_on_both(variant: Variant) -> None:
    select(a=variant, b=variant)
    st.session_state["run now"] = True
