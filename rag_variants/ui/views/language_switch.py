"""The switch for all texts of lessons."""

import streamlit as st

from rag_variants.lessons.lesson import LANGUAGES
from rag_variants.lessons.wording import Wording
from rag_variants.ui.url import Selection, select


def draw_language(selection: Selection, say: Wording) -> None:
    """The switch for all texts of lessons."""
    st.session_state["language"] = selection.language
    st.segmented_control(
        say("language"), list(LANGUAGES), format_func=lambda each: LANGUAGES[each], key="language", required=True,
        label_visibility="collapsed", on_change=lambda: select(language=st.session_state["language"]),
    )  # fmt: skip
